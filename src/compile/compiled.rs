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
