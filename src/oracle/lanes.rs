//! Several in-process loops side by side, for tests that take a while.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use super::doubt::Doubt;
use super::failure_matcher::{FailureMatcher, InputMatcher};
use super::in_process::InProcessOracle;
use super::pool::side_by_side;
use crate::probe::wire::{Encode, Wire};
use crate::reduce::{Answer, Oracle, Outcome, Until};

/// Below this a candidate is cheaper than waking another thread for it.
const WORTHWHILE: Duration = Duration::from_micros(500);
/// Candidates beyond the first that fails are wasted; so much time of them at most.
const ROUND: Duration = Duration::from_millis(5);
/// One in so many candidates of a batch may be wasted.
const WASTED_SHARE: usize = 4;

/// Hands candidates to several loops, a few at a time, and answers as if they had run one by one.
#[derive(Debug)]
pub struct Lanes<E: Encode = Wire, J = InputMatcher> {
    lanes: Vec<InProcessOracle<E, J>>,
    /// What a candidate took lately.
    cost: Duration,
}

impl<E: Encode, J: FailureMatcher<E::Candidate>> Lanes<E, J> {
    /// So many loops that are each made for a folder, for `folder` and ones in it, if the first shows the failure again and
    /// again, within so many looks where it does not always fail.
    ///
    /// # Errors
    /// When the user interrupts, or a folder cannot be made.
    pub fn repeating(
        lane: impl Fn(&Path) -> InProcessOracle<E, J>,
        folder: &Path,
        count: usize,
        looks: usize,
    ) -> Answer<Option<Self>> {
        let mut first = lane(folder);
        if !first.repeats(looks)? {
            return Ok(None);
        }
        let mut lanes = vec![first];
        for number in 1..count {
            let folder = folder.join(format!("lane-{number}"));
            let made = fs::create_dir_all(&folder);
            made.map_err(|error| format!("cannot create `{}`: {error}", folder.display()))?;
            let mut lane = lane(&folder);
            lane.doubt = lanes[0].doubt.clone();
            lanes.push(lane);
        }
        // The first of them runs alone as long as candidates are quick.
        Ok(Some(Lanes { lanes, cost: Duration::ZERO }))
    }

    /// As [`InProcessOracle::check_one_in`], for all loops.
    pub fn check_one_in(&mut self, every: u32) {
        for lane in &mut self.lanes {
            lane.check_one_in(every);
        }
    }

    /// Whether they are still to be believed.
    pub fn doubt(&self) -> &Doubt {
        &self.lanes[0].doubt
    }

    /// One round: each lane gets the next few candidates.
    fn round(&mut self, candidates: &[E::Candidate], until: Until) -> Answer<Vec<Outcome>> {
        let lanes = self.lanes.len();
        let share = candidates.len().div_ceil(lanes);
        let shares = candidates.chunks(share).zip(&mut self.lanes);
        let answers = side_by_side(lanes, shares, |(few, lane)| lane.run(few, until));
        let mut outcomes = Vec::with_capacity(candidates.len());
        for answer in answers {
            outcomes.extend(answer??);
            if until.is_over(&outcomes, candidates.len()) {
                break;
            }
        }
        Ok(outcomes)
    }

    /// How many candidates of a batch go into the next round. Batches grow as long as nothing fails,
    /// so a part of a long one may be wasted: it is little next to what was run before.
    fn round_size(&self, batch: usize) -> usize {
        let each = ROUND.as_nanos() / self.cost.as_nanos().max(1);
        let quick = usize::try_from(each).unwrap_or(usize::MAX).clamp(1, 64);
        self.lanes.len() * quick.max(batch / (WASTED_SHARE * self.lanes.len()))
    }

    fn learn(&mut self, started: Instant, run: usize) {
        let share = u32::try_from(run).unwrap_or(u32::MAX).max(1);
        self.cost = (self.cost * 3 + started.elapsed() / share) / 4;
    }
}

impl<E: Encode, J: FailureMatcher<E::Candidate>> Oracle<E::Candidate> for Lanes<E, J> {
    fn ask(&mut self, candidate: &E::Candidate) -> Answer<Outcome> {
        self.lanes[0].ask(candidate)
    }

    fn run(&mut self, candidates: &[E::Candidate], until: Until) -> Answer<Vec<Outcome>> {
        let mut outcomes: Vec<Outcome> = Vec::with_capacity(candidates.len());
        while !until.is_over(&outcomes, candidates.len()) {
            let rest = &candidates[outcomes.len()..];
            let started = Instant::now();
            if self.cost < WORTHWHILE || rest.len() == 1 || self.doubt().is_cast() {
                let more = self.lanes[0].run(rest, until)?;
                self.learn(started, more.len());
                outcomes.extend(more);
            } else {
                let few = &rest[..rest.len().min(self.round_size(candidates.len()))];
                let more = self.round(few, until)?;
                // Side by side, each took as much longer as there are lanes.
                self.learn(started, more.len().div_ceil(self.lanes.len()));
                outcomes.extend(more);
            }
        }
        Ok(outcomes)
    }

    fn batch(&self) -> usize {
        self.lanes[0].batch()
    }
}
