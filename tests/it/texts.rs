//! What is expected of a text.

/// Expects that all of these stand in it.
#[track_caller]
pub fn holds<const N: usize>(text: &str, parts: [&str; N]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
}

/// Expects that none of these stands in it.
#[track_caller]
pub fn lacks<const N: usize>(text: &str, parts: [&str; N]) {
    for part in parts {
        assert!(!text.contains(part), "{part:?} is in\n{text}");
    }
}
