//! Which placeholder a counterexample refutes.

use super::ask::Ask;
use super::pattern::{Hole, Instance, Pattern};
use super::trial::Trials;
use crate::reduce::{Outcome, Result};

/// `pattern` with hole number `blamed` filled with its concrete text.
pub(super) fn without(pattern: &Pattern, blamed: usize) -> Pattern {
    let holes = pattern.holes().iter().enumerate().filter(|(number, _)| *number != blamed);
    pattern.with_holes(holes.map(|(_, hole)| hole.clone()).collect())
}

/// The hole that is to blame: one that refutes the pattern on its own, else the last of a smallest set
/// that refutes it together.
pub(super) fn blame(pattern: &Pattern, instance: &Instance, ask: &mut dyn Ask) -> Result<usize> {
    let concrete = |hole: &Hole| pattern.concrete().extract(hole.nodes[0]);
    let originals: Vec<_> = pattern.holes().iter().map(concrete).collect();
    let mut passes_with = |filled: &[bool]| {
        let parts = instance.parts.iter().zip(&originals).zip(filled);
        let parts =
            parts.map(|((new, old), filled)| if *filled { new.clone() } else { old.clone() });
        let tree = pattern.filled(parts.collect()).tree;
        ask.ask(tree.text()).map(|outcome| outcome == Outcome::Pass)
    };
    let count = originals.len();
    for hole in 0..count {
        let alone: Vec<bool> = (0..count).map(|other| other == hole).collect();
        if passes_with(&alone)? {
            return Ok(hole);
        }
    }
    let mut filled = vec![true; count];
    for hole in 0..count {
        filled[hole] = false;
        if !passes_with(&filled)? {
            filled[hole] = true;
        }
    }
    Ok(filled.iter().rposition(|filled| *filled).unwrap_or(count.saturating_sub(1)))
}

impl Trials<'_> {
    /// The hole that `instance` refutes.
    pub(super) fn blame(&mut self, pattern: &Pattern, instance: &Instance) -> Result<usize> {
        let (ask, tests) = (&mut self.ask, &mut self.tests);
        blame(pattern, instance, &mut |text: &str| {
            *tests += 1;
            ask.ask(text)
        })
    }
}
