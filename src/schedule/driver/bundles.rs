//! Reductions that are tried together because the compiler takes them together.

use std::collections::HashSet;

use super::{Patch, Schedule, largest_first};
use crate::passes::Pass;
use crate::passes::pass::Effect;
use crate::reduce::{Approach, Result};
use crate::rust::Reduction;
use crate::schedule::repair;
use crate::schedule::repair::Repaired;

/// The name for imports that the compiler made smaller.
const IMPORTS: &str = "import parts";
/// Up to how many patches the compiler is not asked about bundles.
const FEW: usize = 4;
/// How many bundles are tried in one turn: each has the largest reductions that those before left.
pub(super) const LAYERS: usize = 3;

impl Schedule<'_, '_> {
    /// Bundles of reductions that compile together, until all were tried or put off, or the source is
    /// small.
    pub(super) fn run_checked(&mut self, name: &'static str, passes: &[&Pass]) -> Result<()> {
        for _ in 0..LAYERS {
            if self.is_cheap() {
                return Ok(());
            }
            let mut patches = self.patches_of(passes)?;
            largest_first(&mut patches);
            let wide = self.take_wide(&mut patches);
            if !wide.is_empty() {
                let accepted = self.problem.counts().accepted;
                self.search("wide parts", &wide, Approach::SideBySide)?;
                if self.problem.counts().accepted > accepted {
                    continue;
                }
            }
            if !self.keep_compiling(&mut patches)? {
                return self.search(name, &patches, Approach::SideBySide);
            }
            let is_quiet = passes.iter().all(|pass| pass.effect == Effect::Quiet);
            let first = if is_quiet || passes.len() == 1 { (1, 1) } else { (0, 1) };
            let (applied, of) = self.yields.get(name).copied().unwrap_or(first);
            // Of few patches the part that works says little.
            let approach =
                if (applied + 1) * 2 > of + 1 { Approach::Halves } else { Approach::SideBySide };
            if approach == Approach::Halves {
                // What is near to each other needs each other more often.
                patches.sort_by_key(|patch| (patch.file, patch.reduction.start()));
            }
            self.search(name, &patches, approach)?;
        }
        Ok(())
    }

    /// Takes those out of many patches, the first of which count most, that overlap with nearly all others: beside them there is
    /// no bundle.
    fn take_wide(&self, patches: &mut Vec<Patch>) -> Vec<Patch> {
        let most = self.problem.batch();
        let mut wide = Vec::new();
        while wide.len() < most && patches.len() > most {
            let apart = crate::rust::apart(&edits_of(patches));
            if apart.len() >= FEW {
                break;
            }
            // The last ones first, so that the places of the others stay.
            wide.extend(apart.into_iter().rev().map(|place| patches.remove(place)));
        }
        wide
    }

    /// Keeps those of some patches, the first of which count most, that compile together, and puts off those
    /// that do not; none are taken out, and `false` comes back, where there are too few to ask.
    pub(super) fn keep_compiling(&mut self, patches: &mut Vec<Patch>) -> Result<bool> {
        let open = edits_of(patches);
        let apart = crate::rust::apart(&open);
        let Some(check) = self.check.as_deref_mut().filter(|_| apart.len() >= FEW) else {
            return Ok(false);
        };
        let bundle: Vec<(usize, &Reduction)> = apart.iter().map(|index| open[*index]).collect();
        let Repaired { chosen, imports } =
            repair::compiling(self.problem.best(), &bundle, None, check)?;
        let tried: HashSet<usize> = chosen.iter().map(|place| apart[*place]).collect();
        self.put_off.extend(apart.iter().map(|index| patches[*index].digest));
        let mut place = 0;
        patches.retain(|_| {
            place += 1;
            tried.contains(&(place - 1))
        });
        let files = &self.problem.best().files;
        patches.extend(imports.into_iter().map(|(file, reduction)| Patch {
            file,
            digest: reduction.digest(IMPORTS, &files[file].text),
            pass: IMPORTS,
            reduction,
        }));
        Ok(true)
    }
}

fn edits_of(patches: &[Patch]) -> Vec<(usize, &Reduction)> {
    patches.iter().map(|patch| (patch.file, &patch.reduction)).collect()
}
