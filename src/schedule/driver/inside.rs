//! What is tried many at once because it changes only the inside of functions.

use std::ops::Range;

use super::{Patch, Schedule};
use crate::passes::{Pass, Tier, pass};
use crate::reduce::{Approach, Stop};
use crate::rust::alternatives::bodies;

/// One of so many parts of a source is much: when it is gone, something else is unused.
const PART: usize = 16;
/// Where a build of candidates takes away less than this part of a source, the others wait until it is smaller.
const LITTLE: usize = 100;

impl Schedule<'_, '_> {
    /// Tries the reductions of all passes that change only the inside of functions, each on its own, as
    /// many as possible in one build, the largest first, until there are no more or they bring little. What is unused then
    /// goes as soon as a part is gone.
    pub(super) fn reduce_functions(&mut self) -> Result<(), Stop> {
        loop {
            let tokens = self.problem.best().tokens();
            self.turn("inside functions", Self::reduce_some_functions)?;
            if !self.is_part_gone(tokens) {
                return Ok(());
            }
            self.turn("unused code", Self::delete_unused)?;
        }
    }

    /// As above, until a part of the source is gone.
    fn reduce_some_functions(&mut self) -> Result<(), Stop> {
        let tokens = self.problem.best().tokens();
        let passes: Vec<&Pass> =
            pass::all().filter(|pass| pass.tier < Tier::Tokens && !self.is_decided(pass)).collect();
        while !self.is_part_gone(tokens) {
            let before = self.problem.best().tokens();
            let patches = self.patches_of(&passes)?;
            let is_tried = self.try_inside_functions(&patches)?;
            if !is_tried || (before - self.problem.best().tokens()) * LITTLE < before {
                break;
            }
        }
        Ok(())
    }

    /// Tries the largest of `patches` that change only the inside of functions, as many as possible in one build;
    /// `false` where there are none, or no more of them can be built at once than of others.
    pub(super) fn try_inside_functions(&mut self, patches: &[Patch]) -> Result<bool, Stop> {
        let most = self.problem.batch_of_variants();
        if most <= self.problem.batch() {
            return Ok(false);
        }
        let patches = self.inside_functions(patches);
        // A body that does not parse costs nothing: no other is compiled with it.
        let patches = self.largest(patches, most, |_| true)?;
        if patches.is_empty() {
            return Ok(false);
        }
        self.search("inside functions", &patches, Approach::Variants)?;
        Ok(true)
    }

    fn is_part_gone(&self, before: usize) -> bool {
        (before - self.problem.best().tokens()) * PART > before
    }

    /// Those of `patches` that change nothing outside of functions.
    fn inside_functions(&self, patches: &[Patch]) -> Vec<Patch> {
        let files = self.problem.best().files.iter();
        let bodies: Vec<Vec<Range<usize>>> =
            files.map(|file| bodies(&file.text).unwrap_or_default()).collect();
        let is_inside = |patch: &&Patch| {
            let mut changes = patch.reduction.changes.iter();
            changes.all(|change| {
                let bodies = &bodies[patch.file];
                let after = bodies.partition_point(|body| body.end < change.range.end);
                bodies.get(after).is_some_and(|body| body.start <= change.range.start)
            })
        };
        patches.iter().filter(is_inside).cloned().collect()
    }
}
