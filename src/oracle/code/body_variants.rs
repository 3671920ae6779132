//! Candidates that differ from the best only inside of functions: which of them are compiled together.

use super::Together;
use super::bodies::{Fate, MOST_VARIANTS};
use crate::oracle::pool::side_by_side;
use crate::oracle::pooled::Pooled;
use crate::reduce::{Answer, Candidate, Oracle, Outcome};
use crate::rust::Sources;
use crate::rust::alternatives::{Cut, Likeness};

/// How many bytes their bodies may have, or so many times as many as the base has.
const BYTES_OF_VARIANTS: usize = 100_000;
const TIMES_OF_VARIANTS: usize = 2;

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
        if !judge.compiler().has_bodies(judge.pool().interrupt())? {
            self.has_bodies = false;
            return Ok(vec![None; candidates.len()]);
        }
        let workers = self.judge().pool().workers();
        let groups = groups(&base, cuts, workers);
        let mut judged = Vec::with_capacity(places.len());
        let mut works = false;
        let interrupt = self.judge().pool().interrupt();
        let judge = |group: &Vec<Cut<'_>>| self.judge().judge_bodies(group, interrupt);
        for group in side_by_side(workers, &groups, judge) {
            let mut fates = group??.into_iter();
            works |= fates.next() == Some(Fate::Ran(Outcome::Fail));
            judged.extend(fates);
        }
        let candidates_of = groups.iter().flat_map(|group| &group[1..]);
        for ((place, fate), cut) in places.into_iter().zip(judged).zip(candidates_of) {
            outcomes[place] = fate.outcome();
            if fate == Fate::Broken {
                self.broken.add(&base, around, cut);
            }
        }
        // Where the base fails in none of the groups, functions cannot have several bodies here.
        self.has_bodies = works;
        self.see_smallest(candidates, &mut outcomes)?;
        Ok(outcomes)
    }

    /// Compiles the smallest of those that fail as it is: it is the one that is kept, most likely.
    fn see_smallest(
        &mut self,
        candidates: &[Sources],
        outcomes: &mut [Option<Outcome>],
    ) -> Answer<()> {
        let fails = |place: &usize| outcomes[*place].is_some_and(Outcome::is_fail);
        let mut failing: Vec<usize> = (0..candidates.len()).filter(fails).collect();
        failing.sort_by_key(|place| candidates[*place].key());
        for place in failing {
            let outcome = self.judge.ask(&candidates[place])?;
            outcomes[place] = Some(outcome);
            if outcome.is_fail() {
                self.remember(&candidates[place], outcome);
                break;
            }
        }
        Ok(())
    }
}

/// Candidates in groups that are compiled together, each with the base in front.
fn groups<'c>(base: &Cut<'c>, cuts: Vec<Cut<'c>>, workers: usize) -> Vec<Vec<Cut<'c>>> {
    let share = cuts.len().div_ceil(workers).min(MOST_VARIANTS);
    let most = BYTES_OF_VARIANTS.max(base.sources.bytes() * TIMES_OF_VARIANTS);
    let (mut groups, mut bytes) = (Vec::<Vec<Cut<'c>>>::new(), 0);
    for cut in cuts {
        let more = cut.bytes_beside(base);
        let is_open = |group: &&mut Vec<Cut<'_>>| group.len() <= share && bytes + more <= most;
        if let Some(group) = groups.last_mut().filter(is_open) {
            group.push(cut);
            bytes += more;
        } else {
            groups.push(vec![base.clone(), cut]);
            bytes = more;
        }
    }
    groups
}
