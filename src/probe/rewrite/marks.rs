//! Statements in the code of the test tell that they are reached, where somebody asks.

use super::copy::{Copy, RUNTIME};
use crate::source::Located;

/// Puts a call of the runtime before each statement, with its place among the [marks](crate::source::Crate::marks).
/// This comes before all else: what is inserted at one offset stands in the order of insertion.
pub(super) fn add(copy: &mut Copy<'_>, located: &Located) {
    if !copy.found.opened.files.is_empty()
        && let Some(body) = located.body(copy.krate)
    {
        let begin = format!("{RUNTIME}::files::begin(); ");
        copy.insert(located.file, body.start + 1, begin);
    }
    for (number, mark) in copy.krate.marks(located).into_iter().enumerate() {
        copy.insert(mark.file, mark.offset, format!("{}; ", reached_call(number)));
    }
}

/// The call by which a rewritten source tells that the statement of this number is reached.
pub fn reached_call(number: usize) -> String {
    format!("{RUNTIME}::reached({number})")
}
