//! What a compilation gives.

use crate::project::{Diagnostic, TestBinary};

/// How far a compilation goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// All errors are found, nothing is generated.
    Check,
    /// A binary that can be run.
    Link,
}

/// What came of a compilation.
#[derive(Debug, Clone, Default)]
pub struct Compiled {
    /// Whether there were no errors.
    pub success: bool,
    /// The errors; files are named as in the sources.
    pub errors: Vec<Diagnostic>,
    /// The warnings.
    pub warnings: Vec<Diagnostic>,
    /// What was linked.
    pub binary: Option<TestBinary>,
}

/// The lint of what the compiler evaluates for very long, as in a loop that lost its step: an error by default, of which a compiler
/// that is told to leave lints alone says nothing, and goes on for ever.
pub(super) const ENDLESS: &str = "long_running_const_eval";

/// What is in the line in which it says so: others name the lint, too, such as one that does not know it.
pub(super) const SAYS_ENDLESS: &str = r#""code":"long_running_const_eval""#;

/// Whether the compiler says that it does not end.
pub(super) fn is_endless(said: &Diagnostic) -> bool {
    said.code.as_deref() == Some(ENDLESS)
}

#[cfg(test)]
mod tests {
    use super::{ENDLESS, SAYS_ENDLESS};

    #[test]
    fn a_compiler_that_does_not_know_the_lint_does_not_say_that_it_is_endless() {
        let says = |line: String| line.contains(SAYS_ENDLESS);
        let code = |code: &str| format!(r#""message":"`{ENDLESS}`","code":{{"code":"{code}"}}"#);
        assert!(says(code(ENDLESS)) && !says(code("E0602")));
    }
}
