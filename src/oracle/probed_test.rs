//! A test in a build with the probe, which runs with any candidate.

use std::path::PathBuf;

use super::failure_matcher::InputMatcher;
use super::scratch_restorer::ScratchRestorer;
use crate::exec::Confined;
use crate::probe::wire::{Encode, Wire};

/// How candidates get to a test, and how what it shows is judged.
#[derive(Debug, Clone)]
pub struct ProbedTest<E: Encode = Wire, J = InputMatcher> {
    /// The run.
    pub job: Confined,
    /// How candidates are written for it.
    pub wire: E,
    /// The one that it was built of.
    pub original: E::Candidate,
    /// Where they are put for it: a folder of our own with a short path.
    pub folder: PathBuf,
    /// Judges what it shows.
    pub matcher: J,
    /// Puts back what they take away.
    pub restorer: ScratchRestorer,
}
