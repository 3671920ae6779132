//! Candidates that differ from the best only inside of functions: which of them are compiled together.

use super::bodies::MOST_VARIANTS;
use super::{CodeOracle, Detail, Observed, Together};
use crate::exec::Interrupt;
use crate::oracle::pool::side_by_side;
use crate::oracle::pooled::Pooled;
use crate::oracle::runner::TestRunner;
use crate::reduce::{Answer, Outcome, digest};
use crate::rust::Sources;
use crate::rust::alternatives::{Cut, Likeness};

/// How many bytes their bodies may have, or so many times as many as the base has.
const BYTES_OF_VARIANTS: usize = 500_000;
const TIMES_OF_VARIANTS: usize = 6;

impl Together<'_> {
    /// The outcomes of those that are only different inside of functions from the one that failed; `None`
    /// for all others.
    pub(super) fn judge_variants(
        &mut self,
        candidates: &[Sources],
    ) -> Answer<Vec<Option<Outcome>>> {
        let mut outcomes = vec![None; candidates.len()];
        let failing = self.failing.as_ref().filter(|_| self.has_bodies && candidates.len() > 1);
        let Some(base) = failing.and_then(Cut::of) else { return Ok(outcomes) };
        let (mut places, mut cuts) = (Vec::new(), Vec::new());
        let around = base.digest_around();
        for (place, candidate) in candidates.iter().enumerate() {
            match base.compare(candidate) {
                Likeness::Variant(cut) if self.broken.has_one_of(&base, around, &cut) => {
                    outcomes[place] = Some(Outcome::Unresolved);
                }
                Likeness::Variant(cut) => {
                    places.push(place);
                    cuts.push(cut);
                }
                Likeness::Broken => outcomes[place] = Some(Outcome::Unresolved),
                Likeness::Different => {}
            }
        }
        if cuts.len() < 2 {
            return Ok(outcomes);
        }
        let judge = self.judge();
        let interrupt = judge.pool().interrupt();
        let Some(judged) = judge.judge_cuts(&base, &cuts, Detail::Outcome, interrupt)? else {
            // The base fails in none of the builds.
            self.has_bodies = false;
            return Ok(vec![None; candidates.len()]);
        };
        for ((place, observed), cut) in places.into_iter().zip(judged).zip(&cuts) {
            outcomes[place] = observed.as_ref().map(|it| it.outcome);
            if observed.is_some_and(|it| it.error.is_some()) {
                self.broken.add(&base, around, cut);
            }
        }
        let fail = outcomes.iter().zip(candidates).filter(|it| it.0.is_some_and(Outcome::is_fail));
        self.failed_as_variants.extend(fail.map(|(_, candidate)| digest(candidate)));
        Ok(outcomes)
    }
}

impl CodeOracle<'_> {
    /// What comes of candidates, and why; of those that are different from `base` only inside of functions in a few
    /// builds. `base` is known to fail. `None` where that cannot be found out in this way.
    ///
    /// # Errors
    /// When candidates cannot be compiled or run at all.
    pub fn reasons_of_variants(
        &self,
        base: &Sources,
        candidates: &[Sources],
        interrupt: &Interrupt,
    ) -> Answer<Vec<Option<Observed>>> {
        let mut reasons = vec![None; candidates.len()];
        let is_libtest = self.run.runner == TestRunner::Libtest;
        let Some(base) = Cut::of(base).filter(|_| is_libtest) else { return Ok(reasons) };
        let cut = |(place, candidate)| match base.compare(candidate) {
            Likeness::Variant(cut) => Some((place, cut)),
            Likeness::Broken | Likeness::Different => None,
        };
        let (places, cuts): (Vec<usize>, Vec<Cut<'_>>) =
            candidates.iter().enumerate().filter_map(cut).unzip();
        let judged = self.judge_cuts(&base, &cuts, Detail::Reasons, interrupt)?;
        for (place, observed) in places.into_iter().zip(judged.into_iter().flatten()) {
            // Limits are close where many bodies are run: alone it may end, or overflow its stack.
            reasons[place] = observed.filter(|it| it.outcome != Outcome::Timeout);
        }
        Ok(reasons)
    }

    /// What becomes of candidates that differ from `base` only inside of functions; `None` where functions cannot have
    /// several bodies: the base fails in none of the builds.
    fn judge_cuts(
        &self,
        base: &Cut<'_>,
        cuts: &[Cut<'_>],
        detail: Detail,
        interrupt: &Interrupt,
    ) -> Answer<Option<Vec<Option<Observed>>>> {
        if cuts.is_empty() || !self.compiler.has_bodies(interrupt)? {
            return Ok(None);
        }
        let workers = self.pool().workers();
        let mut judged = Vec::with_capacity(cuts.len());
        let mut works = false;
        let groups = groups(base, cuts, workers);
        let judge = |group: &Vec<Cut<'_>>| self.judge_bodies(group, detail, interrupt);
        for group in side_by_side(workers, &groups, judge) {
            let mut group = group??.into_iter();
            works |= group.next().flatten().is_some_and(|base| base.outcome.is_fail());
            judged.extend(group);
        }
        Ok(works.then_some(judged))
    }
}

/// Candidates in groups that are compiled together, each with the base in front.
fn groups<'c>(base: &Cut<'c>, cuts: &[Cut<'c>], workers: usize) -> Vec<Vec<Cut<'c>>> {
    let share = cuts.len().div_ceil(workers).min(MOST_VARIANTS);
    let most = BYTES_OF_VARIANTS.max(base.sources.bytes() * TIMES_OF_VARIANTS);
    let (mut groups, mut bytes) = (Vec::<Vec<Cut<'c>>>::new(), 0);
    for cut in cuts {
        let more = cut.bytes_beside(base);
        let is_open = |group: &&mut Vec<Cut<'_>>| group.len() <= share && bytes + more <= most;
        if let Some(group) = groups.last_mut().filter(is_open) {
            group.push(cut.clone());
            bytes += more;
        } else {
            groups.push(vec![base.clone(), cut.clone()]);
            bytes = more;
        }
    }
    groups
}
