//! The report of what is left of a source, and why.

use std::fmt::Write;

/// A statement of the result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    /// Its text.
    pub text: String,
    /// What happens without it.
    pub without: String,
}

/// The report as Markdown.
///
/// ```
/// use cargo_reduce::emit::left::{Left, report};
///
/// let left = [Left { text: "f(1);".into(), without: "the test passes".into() }];
/// let text = report("tests::adds", &left);
/// assert!(text.contains("- `f(1);`: the test passes\n"));
/// ```
#[must_use]
pub fn report(test: &str, left: &[Left]) -> String {
    let mut text = format!("# What is left of `{test}`\n\nWithout the statement this happens:\n\n");
    for statement in left {
        let words: Vec<&str> = statement.text.split_whitespace().collect();
        let without: Vec<&str> = statement.without.split_whitespace().collect();
        let _ = writeln!(text, "- `{}`: {}", words.join(" "), without.join(" "));
    }
    if left.is_empty() {
        text.push_str("There are no statements left.\n");
    }
    text
}
