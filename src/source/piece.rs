//! Pieces of the code of a test that it can do without.

use std::ops::Range;

use super::FileIndex;

/// A piece of the code of a test that goes, or is replaced, because the failing run did not get to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// Its file.
    pub file: FileIndex,
    /// Its bytes.
    pub range: Range<usize>,
    /// What stands there instead.
    pub text: String,
    /// Whether it is only what the test demands of the value of the call in which it fails, such as an `unwrap`: it may tell
    /// the type of that, too.
    pub is_demand: bool,
}
