//! The head of a panic, as the default hook prints it: `thread 'NAME' (NUMBER) panicked at PLACE`, the number since Rust
//! 1.91.

use std::sync::LazyLock;

use regex::{Captures, Regex};

static HEAD: LazyLock<Regex> = LazyLock::new(|| {
    let head = r"thread '(?<name>.*?)'(?<number> \(\d+\))? panicked at ";
    Regex::new(head).unwrap_or_else(|error| panic!("a fixed pattern: {error}"))
});

/// The head of a panic in a text.
#[derive(Debug, Clone, Copy)]
pub(in crate::oracle) struct PanicHead<'t> {
    /// The name of the thread.
    pub(in crate::oracle) thread: &'t str,
    /// Where in the text it begins, and where the place of the panic does.
    pub(in crate::oracle) start: usize,
    pub(in crate::oracle) place: usize,
}

impl<'t> PanicHead<'t> {
    /// The first one that begins at this byte of the text or behind it.
    pub(in crate::oracle) fn find(text: &'t str, from: usize) -> Option<Self> {
        let found = HEAD.captures_at(text, from)?;
        let (whole, name) = (found.get(0)?, found.name("name")?);
        Some(PanicHead { thread: name.as_str(), start: whole.start(), place: whole.end() })
    }
}

/// A message without the numbers of threads in the panics of other programs that it quotes: they are others each time.
pub(super) fn without_thread_numbers(message: String) -> String {
    if !message.contains(") panicked at ") {
        return message;
    }
    let plain = |head: &Captures<'_>| format!("thread '{}' panicked at ", &head["name"]);
    HEAD.replace_all(&message, plain).into_owned()
}

#[cfg(test)]
mod tests {
    use crate::oracle::signature::{FailureKind, Signature};

    #[test]
    fn the_panic_of_a_process_that_the_test_shows_has_lines_of_its_own() {
        let shown = |message: &str| Signature::new(FailureKind::Panic, message).shows_panic();
        assert!(shown("it fails:\nthread 'main' panicked at src/main.rs:1:1:\nattempt to add"));
        assert!(shown("thread 'main' (7) panicked at src/main.rs:1:1:\nattempt to add"));
        assert!(!shown("assertion failed: output.status.success()"));
        assert!(!shown("the log says: thread 'main' panicked at src/main.rs:1:1:"));
    }

    #[test]
    fn numbers_of_threads_in_quoted_panics_are_no_part_of_a_message() {
        let message = |text: &str| Signature::new(FailureKind::Panic, text).message;
        assert_eq!(
            message(
                "it: thread 'main' (12) panicked at a.rs:1:2:\nx (1) thread 'b' (3) panicked at b"
            ),
            "it: thread 'main' panicked at a.rs:1:2:\nx (1) thread 'b' panicked at b"
        );
        for same in ["f(x) panicked at once", "' (a) panicked at 1", "x"] {
            assert_eq!(message(same), same);
        }
    }
}
