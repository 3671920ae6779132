//! Statements in the code of the test tell that they are reached, where somebody asks.

use super::copy::{Copy, RUNTIME};
use crate::source::Located;

/// Puts a call of the runtime before each statement, with its place among the [marks](crate::source::Crate::marks).
/// This comes before all else: what is inserted at one offset stands in the order of insertion.
pub(super) fn add(copy: &mut Copy<'_>, located: &Located) {
    for (number, mark) in copy.krate.marks(located).into_iter().enumerate() {
        copy.insert(
            mark.file,
            mark.offset,
            format!("{RUNTIME}::reached({number}); "),
        );
    }
}
