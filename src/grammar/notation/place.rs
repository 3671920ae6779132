//! Where in the text of a grammar something is wrong.

use crate::grammar::GrammarError;

/// The line and the column, both from 1, of the byte `at`.
pub(in crate::grammar) fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let line = before.matches('\n').count() + 1;
    let last = before.rsplit('\n').next().unwrap_or_default();
    (line, last.chars().count() + 1)
}

/// A rule's name in an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named<'e> {
    /// It is used, but not defined.
    Used(&'e str),
    /// What is wrong is its definition.
    Defined(&'e str),
}

/// `error` with the place that `find` knows of the rule that it names.
pub(super) fn placed(
    error: GrammarError,
    text: &str,
    find: impl Fn(Named<'_>) -> Option<usize>,
) -> GrammarError {
    let named = match &error {
        GrammarError::Undefined { name, .. } => Named::Used(name),
        GrammarError::Duplicate { rule }
        | GrammarError::NoFiniteExpansion { rule }
        | GrammarError::TooLarge { rule }
        | GrammarError::Malformed { rule, .. } => Named::Defined(rule),
        _ => return error,
    };
    let Some(at) = find(named) else { return error };
    let (line, column) = line_and_column(text, at);
    GrammarError::Placed { line, column, error: Box::new(error) }
}
