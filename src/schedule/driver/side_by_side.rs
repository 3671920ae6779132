//! What is tried on its own, as many candidates at once as possible, once the source is small.

use super::{Patch, Schedule, largest_first};
use crate::passes::{Pass, pass};
use crate::reduce::{Approach, Result};
use crate::rust::Sources;

impl Schedule<'_, '_> {
    pub(super) fn side_by_side_if_cheap(&mut self) -> Result<()> {
        if self.is_cheap() {
            self.turn("all together", Self::run_side_by_side)?;
        }
        Ok(())
    }

    /// Tries the reductions of all passes on their own, as many as possible at once, the largest first,
    /// until there are no more, or that turns out not to be cheap. Where functions with several bodies hold more
    /// candidates than a crate does, those that change only the inside of functions come first.
    fn run_side_by_side(&mut self) -> Result<()> {
        let passes: Vec<&Pass> = pass::all().collect();
        while self.is_cheap() {
            let patches = self.patches_of(&passes)?;
            if self.try_inside_functions(&patches)? {
                continue;
            }
            let is_worth_a_run = self.filter();
            let patches = self.largest(patches, self.problem.batch(), is_worth_a_run)?;
            if patches.is_empty() {
                break;
            }
            self.search_where("all together", &patches, Approach::SideBySide, |_| true)?;
        }
        Ok(())
    }

    /// The `most` largest patches that make sense. Those before them that do not are refused.
    pub(super) fn largest(
        &mut self,
        mut patches: Vec<Patch>,
        most: usize,
        is_worth_a_run: impl Fn(&Sources) -> bool,
    ) -> Result<Vec<Patch>> {
        largest_first(&mut patches);
        let base = self.problem.best().clone();
        let mut largest = Vec::new();
        for patch in patches {
            if largest.len() == most {
                break;
            }
            self.problem.check_stop()?;
            let candidate = base.edit([(patch.file, &patch.reduction)]);
            if self.problem.is_smaller(&candidate) && is_worth_a_run(&candidate) {
                largest.push(patch);
            } else {
                self.refused.insert(patch.digest);
            }
        }
        Ok(largest)
    }
}
