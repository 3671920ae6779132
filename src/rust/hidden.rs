//! A source in which nothing can be seen from outside the crate.
//!
//! The compiler calls nothing unused that is public, since others might use it. In a crate that is only
//! built to run its own tests there are no others.

use super::{Reduction, scan};

/// Lets nothing be visible outside the crate, and takes back that lints are allowed.
pub fn hidden(text: &str) -> Reduction {
    let tokens: Vec<scan::Piece<'_>> = scan::tokens(text).collect();
    let mut hidden = Reduction::default();
    for (place, token) in tokens.iter().enumerate() {
        let before = place.checked_sub(1).map(|before| tokens[before].text);
        let after = tokens.get(place + 1).map(|after| after.text);
        let end = token.start + token.text.len();
        match (before, token.text, after) {
            (_, "pub", after) if after != Some("(") => {
                hidden = hidden.and_replace(end..end, "(crate)");
            }
            (Some("["), "allow", Some("(")) => {
                hidden = hidden.and_replace(token.start..end, "warn");
            }
            _ => {}
        }
    }
    hidden
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_example_of_hidden_holds() {
        use crate::rust::{apply, hidden};

        let text = "#[allow(dead_code)] pub struct A(pub u8); pub(super) fn f() {}";
        assert_eq!(
            apply(text, [&hidden(text)]),
            "#[warn(dead_code)] pub(crate) struct A(pub(crate) u8); pub(super) fn f() {}"
        );
    }
}
