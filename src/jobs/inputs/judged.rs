//! What the version without the bug computes takes the place of the expected value.

use super::debugged::{is_shown_as, shown_as};
use crate::oracle::libtest::Verdict;
use crate::oracle::process::ProcessOracle;
use crate::oracle::signature::{Signature, sides};
use crate::reduce::Answer;
use crate::reduce::inputs::{Inputs, Node};

/// Asks the version without the bug what is right.
pub struct Judge<'a> {
    /// Runs candidates with that version.
    process: ProcessOracle,
    /// The failure, as the probe shows it.
    expected: &'a Signature,
}

impl<'a> Judge<'a> {
    /// One whose candidates `process` runs; `None` where the failure is no comparison of two values.
    pub fn new(process: ProcessOracle, expected: &'a Signature) -> Option<Self> {
        sides(&expected.message)?;
        Some(Judge { process, expected })
    }

    /// A candidate that this version refuses, with what it computes in place of what the test expects; `None` where the test
    /// fails otherwise, or the expected value is no input.
    ///
    /// # Errors
    /// When it cannot be run.
    pub fn amend(&self, candidate: &Inputs) -> Answer<Option<Inputs>> {
        let shown = match self.process.observe(candidate)? {
            Verdict::Failed(shown) if shown.location == self.expected.location => shown,
            _ => return Ok(None),
        };
        let Some((left, right)) = sides(&shown.message) else { return Ok(None) };
        let with = |expected: &str, computed: &str| {
            let node = expected_node(candidate, expected)?;
            let right = shown_as(node, expected, computed)?;
            Some(candidate.replace(node.id, right.body))
        };
        Ok(with(right, left).or_else(|| with(left, right)))
    }
}

/// The largest value among the inputs that is shown so, the last of several.
fn expected_node<'i>(inputs: &'i Inputs, shown: &str) -> Option<&'i Node> {
    let nodes = inputs.nodes().filter(|node| is_shown_as(node, shown));
    nodes.max_by_key(|node| (node.size(), node.id)).map(|node| &**node)
}
