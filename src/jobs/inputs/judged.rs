//! What the version without the bug computes takes the place of the expected value.

use super::debugged::{is_shown_as, shown_as};
use crate::oracle::libtest::Verdict;
use crate::oracle::process::ProcessOracle;
use crate::oracle::signature::{Signature, sides};
use crate::reduce::Answer;
use crate::reduce::inputs::{Inputs, Node};

/// What so many assertions of a test expect is looked for.
const MOST_ASSERTIONS: usize = 4;

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
        amended(candidate, self.expected, |candidate| self.process.observe(candidate))
    }
}

/// As [`Judge::amend`], where `observe` runs candidates. The test may ask more of a result than where it fails: that follows, too.
fn amended(
    candidate: &Inputs,
    expected: &Signature,
    mut observe: impl FnMut(&Inputs) -> Answer<Verdict>,
) -> Answer<Option<Inputs>> {
    let mut amended: Option<Inputs> = None;
    for _ in 0..MOST_ASSERTIONS {
        let present = amended.as_ref().unwrap_or(candidate);
        let shown = match observe(present)? {
            Verdict::Passed => return Ok(amended),
            Verdict::Failed(shown) => shown,
            Verdict::NotRun => return Ok(None),
        };
        if amended.is_none() && shown.location != expected.location {
            return Ok(None);
        }
        let Some(next) = with_computed(present, &shown) else { return Ok(None) };
        amended = Some(next);
    }
    Ok(amended)
}

/// A candidate with what was computed in place of what the failing comparison expects.
fn with_computed(candidate: &Inputs, shown: &Signature) -> Option<Inputs> {
    let (left, right) = sides(&shown.message)?;
    let with = |expected: &str, computed: &str| {
        let node = expected_node(candidate, expected)?;
        let right = shown_as(node, expected, computed)?;
        Some(candidate.replace(node.id, right.body))
    };
    with(right, left).or_else(|| with(left, right))
}

/// The largest value among the inputs that is shown so, the last of several.
fn expected_node<'i>(inputs: &'i Inputs, shown: &str) -> Option<&'i Node> {
    let nodes = inputs.nodes().filter(|node| is_shown_as(node, shown));
    nodes.max_by_key(|node| (node.size(), node.id)).map(|node| &**node)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::signature::{FailureKind, Location};
    use crate::reduce::inputs::testing::{inputs, int};

    fn numbers(all: [i128; 3]) -> Inputs {
        inputs(all.map(int))
    }

    #[test]
    fn what_assertions_behind_the_failing_one_expect_follows_the_inputs_too() {
        let shown = |line, left: i128, right: i128| {
            let message =
                format!("assertion `left == right` failed\n  left: {left}\n right: {right}");
            Signature::new(FailureKind::Panic, message).at(Location::new("tests/a.rs", line, 5))
        };
        // Of the input, the length and the sum are expected.
        let run = |inputs: &Inputs| {
            let right = |length, sum| *inputs == numbers([9, length, sum]);
            Ok(match () {
                () if right(2, 40) => Verdict::Passed,
                () if right(2, 70) => Verdict::Failed(shown(8, 40, 70)),
                () => Verdict::Failed(shown(7, 2, 3)),
            })
        };
        let follows = |first| amended(&numbers([9, 3, 70]), &shown(first, 4, 3), run).unwrap();
        assert_eq!(follows(7), Some(numbers([9, 2, 40])));
        assert_eq!(follows(5), None);
    }
}
