//! What patches are expected to bring: passes whose patches have worked more often come earlier.

use std::collections::HashMap;

use crate::rust::Reduction;

/// What is expected to go is counted in parts of a byte, so many to one.
const PRECISION: isize = 1 << 16;

/// A reduction of one of the files.
#[derive(Clone)]
pub(super) struct Patch {
    pub(super) file: usize,
    pub(super) reduction: Reduction,
    /// The name of the pass that proposed it.
    pub(super) pass: &'static str,
    pub(super) digest: u64,
}

/// How many patches of each pass worked alone in the searches of one name.
#[derive(Debug, Default)]
pub(super) struct Prospects(HashMap<(&'static str, &'static str), Tries>);

#[derive(Debug, Default, Clone, Copy)]
struct Tries {
    works: isize,
    of: isize,
}

impl Prospects {
    /// Counts what came of `patches` in a search: `refused` are the places of those that do not work, ascending.
    pub(super) fn learn(&mut self, search: &'static str, patches: &[Patch], refused: &[usize]) {
        for (place, patch) in patches.iter().enumerate() {
            let tries = self.0.entry((search, patch.pass)).or_default();
            tries.works += isize::from(refused.binary_search(&place).is_err());
            tries.of += 1;
        }
    }

    /// Sorts `patches` by what they save times how often those of their pass worked, the most promising ones first. Of a pass
    /// that was never tried each second one is expected to work (Laplace's rule of succession).
    pub(super) fn sort(&self, search: &'static str, patches: &mut [Patch]) {
        patches.sort_by_cached_key(|patch| {
            let Tries { works, of } =
                self.0.get(&(search, patch.pass)).copied().unwrap_or_default();
            let saving = patch.reduction.saving().saturating_mul(PRECISION);
            std::cmp::Reverse(saving.saturating_mul(works + 1) / (of + 2))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patch(pass: &'static str, bytes: usize) -> Patch {
        Patch { file: 0, reduction: Reduction::remove(0..bytes), pass, digest: 0 }
    }

    #[test]
    fn what_hardly_ever_works_comes_behind_smaller_patches_that_do() {
        let mut prospects = Prospects::default();
        let mut patches = [patch("rare", 90), patch("often", 20), patch("new", 30)];
        let sizes = |patches: &[Patch]| -> Vec<usize> {
            patches.iter().map(|patch| patch.reduction.weight()).collect()
        };
        prospects.sort("all", &mut patches);
        assert_eq!(sizes(&patches), [90, 30, 20]);
        let both = |_| [patch("rare", 1), patch("often", 1)];
        let tried: Vec<Patch> = (0..10).flat_map(both).collect();
        let rare: Vec<usize> = (0..20).step_by(2).collect();
        prospects.learn("all", &tried, &rare);
        prospects.sort("all", &mut patches);
        assert_eq!(sizes(&patches), [20, 30, 90]);
        // Elsewhere nothing is known of it.
        prospects.sort("other", &mut patches);
        assert_eq!(sizes(&patches), [90, 30, 20]);
    }
}
