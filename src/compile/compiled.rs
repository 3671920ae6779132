//! What a compilation gives, and who can do it.

use crate::project::{Diagnostic, TestBinary};
use crate::reduce::Answer;
use crate::rust::Sources;

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

/// Compiles variants of a subject.
pub trait Compile {
    /// Compiles `sources`.
    ///
    /// # Errors
    /// When files cannot be written or the compiler cannot be run.
    fn compile(&mut self, sources: &Sources, depth: Depth) -> Answer<Compiled>;

    /// Compiles a library of one file that needs nothing but `std`, and lets all that is compiled later
    /// use it; once, if it is added again.
    ///
    /// # Errors
    /// When it does not compile, or cannot be written.
    fn add_library(&mut self, name: &str, text: &str) -> Answer<()>;
}
