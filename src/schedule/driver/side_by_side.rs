//! What is tried on its own, as many candidates at once as possible, once the source is small.

use super::{Patch, Schedule};
use crate::passes::{Pass, pass};
use crate::reduce::{Approach, Result};
use crate::rust::Sources;

/// The name of the search.
const ALL_TOGETHER: &str = "all together";

impl Schedule<'_, '_> {
    pub(super) fn side_by_side_if_cheap(&mut self) -> Result<()> {
        if self.is_cheap() {
            self.turn(ALL_TOGETHER, Self::run_side_by_side)?;
        }
        Ok(())
    }

    /// Tries the reductions of all passes on their own, as many as possible at once, the most promising ones first,
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
            let most = self.problem.batch();
            let patches = self.most_promising(ALL_TOGETHER, patches, most, is_worth_a_run)?;
            if patches.is_empty() {
                break;
            }
            self.search_where(ALL_TOGETHER, &patches, Approach::SideBySide, |_| true)?;
        }
        Ok(())
    }

    /// The `most` patches from which that search can expect most, of those that make sense. Those before them that do not are
    /// refused.
    pub(super) fn most_promising(
        &mut self,
        search: &'static str,
        mut patches: Vec<Patch>,
        most: usize,
        is_worth_a_run: impl Fn(&Sources) -> bool,
    ) -> Result<Vec<Patch>> {
        self.prospects.sort(search, &mut patches);
        let base = self.problem.best().clone();
        let mut promising = Vec::new();
        for patch in patches {
            if promising.len() == most {
                break;
            }
            self.problem.check_stop()?;
            let candidate = base.edit([(patch.file, &patch.reduction)]);
            if self.problem.is_smaller(&candidate) && is_worth_a_run(&candidate) {
                promising.push(patch);
            } else {
                self.refused.insert(patch.digest);
            }
        }
        Ok(promising)
    }
}
