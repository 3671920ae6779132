//! The problem at hand: the current best, and the one place where oracles are asked.
//!
//! Passes propose candidates; [`Problem`] judges them. It is the only place that asks an oracle,
//! counts, remembers outcomes, and stops.
//!
//! # Contract of a pass
//! * Progress is deterministic.
//! * It stays valid when the current best changes under it.
//! * Every accepted step is strictly smaller in the sort key ([`Candidate::key`]); the engine
//!   refuses others without asking.
//! * The number of calls is bounded, and no more than a constant factor larger on success than on
//!   failure; no fixed point inside a pass.
//! * It is adaptive: long runs of successes are taken in bundles, O(log n) calls each.
//! * On failure it advances, it does not restart.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::{Acceptance, Oracle, OracleError, Outcome};

/// A variant of the subject that can be tried.
pub trait Candidate: Clone + Hash {
    /// Orders candidates; smaller is better (shortlex: size first, then simplicity).
    type Key: Ord + Clone;

    /// The sort key.
    fn key(&self) -> Self::Key;
}

#[cfg(test)]
impl<T: Clone + Hash> Candidate for Vec<T> {
    type Key = usize;

    fn key(&self) -> usize {
        self.len()
    }
}

#[cfg(test)]
impl Candidate for String {
    type Key = usize;

    fn key(&self) -> usize {
        self.len()
    }
}

/// Exact counts of what was asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Candidates that were run.
    pub candidates: u64,
    /// Outcomes answered from memory.
    pub cached: u64,
    /// Candidates that were accepted as the new best.
    pub accepted: u64,
}

impl std::ops::Add for Counts {
    type Output = Counts;

    fn add(self, after: Counts) -> Counts {
        Counts {
            candidates: self.candidates + after.candidates,
            cached: self.cached + after.cached,
            accepted: self.accepted + after.accepted,
        }
    }
}

/// Whether outcomes are remembered.
///
/// Remembering costs a hash of the whole candidate, which pays where a run is dear.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    /// Each candidate is asked anew.
    Forget,
    /// Equal candidates are asked once.
    Remember,
}

/// What a search has learned of candidates.
#[derive(Debug, Clone, Default)]
pub struct KnownOutcomes(HashMap<u128, Outcome>);

impl KnownOutcomes {
    /// What became of an equal candidate, if there was one.
    pub fn outcome(&self, candidate: &impl Hash) -> Option<Outcome> {
        self.0.get(&digest(candidate)).copied()
    }
}

/// How many candidates are handed over first: as a rule there are two cores, and most candidates miss.
const FIRST_BATCH: usize = 2;

/// What a step of a search comes to, or why the search has to stop.
pub type Result<T, E = Stop> = std::result::Result<T, E>;

/// Why a search ended early.
///
/// ```
/// use cargo_reduce::{DdError, Stop};
///
/// // A search over a closure has no limits of its own; it tells of them as any error.
/// let error = DdError::from(Stop::TimeUp);
/// assert_eq!(error.to_string(), "time limit reached");
/// ```
#[derive(Debug, thiserror::Error)]
pub enum Stop {
    /// The user interrupted it.
    #[error("interrupted")]
    Interrupted,
    /// The time limit was reached.
    #[error("time limit reached")]
    TimeUp,
    /// The limit of candidates was reached.
    #[error("candidate limit reached")]
    CandidateLimit,
    /// The oracle could not answer.
    #[error(transparent)]
    Oracle(#[from] OracleError),
}

/// The current best candidate and all that is needed to try others.
pub struct Problem<'a, C: Candidate> {
    best: C,
    key: C::Key,
    oracle: &'a mut dyn Oracle<C>,
    memory: Option<HashMap<u128, Outcome>>,
    counts: Counts,
    should_stop: Box<dyn FnMut(Counts) -> Option<Stop> + 'a>,
    /// Whether a part of the search has to end.
    part_is_over: Option<Box<dyn FnMut() -> bool + 'a>>,
    on_accept: Box<OnAccept<'a, C>>,
    on_outcome: Box<OnOutcome<'a, C>>,
}

/// A candidate and its place in the order.
type Placed<C> = (usize, C);

/// A batch that was asked.
struct Batch<C> {
    /// The first that fails.
    hit: Option<Placed<C>>,
    /// Those behind it, which were not asked.
    rest: Vec<Placed<C>>,
}

/// Hears of each candidate that the oracle was asked about, and its outcome.
type OnOutcome<'a, C> = dyn FnMut(&C, Outcome) + 'a;

/// Hears of each new best.
type OnAccept<'a, C> = dyn FnMut(&C, Counts) + 'a;

impl<'a, C: Candidate> Problem<'a, C> {
    /// Starts with `original`, which must already be known to fail.
    pub fn new(original: C, oracle: &'a mut dyn Oracle<C>, memory: Memory) -> Self {
        let key = original.key();
        Problem {
            best: original,
            key,
            oracle,
            memory: (memory == Memory::Remember).then(HashMap::new),
            counts: Counts::default(),
            should_stop: Box::new(|_| None),
            part_is_over: None,
            on_accept: Box::new(|_, _| {}),
            on_outcome: Box::new(|_, _| {}),
        }
    }

    /// Asks `should_stop` before each run; limits of time and number come in here.
    #[must_use]
    pub fn stop_when(mut self, should_stop: impl FnMut(Counts) -> Option<Stop> + 'a) -> Self {
        self.should_stop = Box::new(should_stop);
        self
    }

    /// Calls `on_accept` with each new best.
    #[must_use]
    pub fn on_accept(mut self, on_accept: impl FnMut(&C, Counts) + 'a) -> Self {
        self.on_accept = Box::new(on_accept);
        self
    }

    /// Calls `on_outcome` with each candidate that the oracle was asked about, and its outcome.
    #[must_use]
    pub fn on_outcome(mut self, on_outcome: impl FnMut(&C, Outcome) + 'a) -> Self {
        self.on_outcome = Box::new(on_outcome);
        self
    }

    /// The current best.
    pub fn best(&self) -> &C {
        &self.best
    }

    /// What was asked so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Ends the search and hands out the best.
    pub fn into_best(self) -> C {
        self.best
    }

    /// Ends the search and hands out the best, and what is remembered of all candidates.
    pub fn into_best_and_known(self) -> (C, KnownOutcomes) {
        (self.best, KnownOutcomes(self.memory.unwrap_or_default()))
    }

    /// How many candidates it pays to ask at once (at least 1).
    pub fn batch(&self) -> usize {
        self.oracle.batch().max(1)
    }

    /// How many candidates like the best it pays to ask at once (at least 1).
    pub fn batch_of_variants(&self) -> usize {
        self.oracle.batch_of_variants().max(1)
    }

    /// Whether `candidate` would be accepted if it failed: it is strictly smaller than the best.
    pub fn is_smaller(&self, candidate: &C) -> bool {
        candidate.key() < self.key
    }

    /// The outcome of `candidate`, from memory or by a run.
    ///
    /// # Errors
    /// When the search must stop.
    pub fn ask(&mut self, candidate: &C) -> Result<Outcome> {
        if let Some(outcome) = self.recall(candidate) {
            self.counts.cached += 1;
            return Ok(outcome);
        }
        self.check_stop()?;
        self.counts.candidates += 1;
        let outcome = self.oracle.ask(candidate)?;
        self.remember(candidate, outcome);
        Ok(outcome)
    }

    /// Counts a candidate that is run elsewhere, to see what it shows.
    ///
    /// # Errors
    /// When the search must stop.
    pub fn count_observed(&mut self) -> Result<()> {
        self.check_stop()?;
        self.counts.candidates += 1;
        Ok(())
    }

    /// The outcomes of `candidates`, in order, those that are not remembered by runs that go to the
    /// oracle together. For samples: none of them becomes the best.
    ///
    /// # Errors
    /// When the search must stop.
    pub fn ask_all(&mut self, candidates: &[C]) -> Result<Vec<Outcome>> {
        let mut outcomes: Vec<Option<Outcome>> =
            candidates.iter().map(|one| self.recall(one)).collect();
        // Of equal ones the first is asked.
        let mut seen = HashSet::new();
        let remembers = self.memory.is_some();
        let places: Vec<usize> = (0..candidates.len())
            .filter(|&place| outcomes[place].is_none())
            .filter(|&place| !remembers || seen.insert(digest(&candidates[place])))
            .collect();
        self.counts.cached += (candidates.len() - places.len()) as u64;
        if !places.is_empty() {
            self.check_stop()?;
            let new: Vec<C> = places.iter().map(|&at| candidates[at].clone()).collect();
            self.counts.candidates += new.len() as u64;
            for (place, outcome) in places.into_iter().zip(self.oracle.ask_all(&new)?) {
                self.remember(&candidates[place], outcome);
                outcomes[place] = Some(outcome);
            }
        }
        let outcomes = outcomes.into_iter().zip(candidates);
        let outcomes =
            outcomes.map(|(outcome, candidate)| outcome.or_else(|| self.recall(candidate)));
        Ok(outcomes.flatten().collect())
    }

    /// Tries `candidate`, and makes it the best if it is smaller and fails. Returns whether it did.
    ///
    /// # Errors
    /// When the search must stop.
    pub fn consider(&mut self, candidate: C) -> Result<bool> {
        if !self.is_smaller(&candidate) || !self.ask(&candidate)?.is_fail() {
            return Ok(false);
        }
        self.accept(candidate)
    }

    /// Tries `candidates` in order and accepts the first that is smaller and fails; returns its place
    /// in the order. Candidates are handed to the oracle in growing batches, so that misses are cheap.
    ///
    /// # Errors
    /// When the search must stop.
    pub fn consider_first(
        &mut self,
        candidates: impl IntoIterator<Item = C>,
    ) -> Result<Option<usize>> {
        let mut candidates = candidates.into_iter().enumerate();
        // Handed over behind one that was no better after all.
        let mut left = VecDeque::new();
        let mut batch_size = self.batch().min(FIRST_BATCH);
        loop {
            let mut batch = Vec::with_capacity(batch_size);
            let mut known_fail = None;
            while batch.len() < batch_size {
                let Some((place, candidate)) = left.pop_front().or_else(|| candidates.next())
                else {
                    break;
                };
                if !self.is_smaller(&candidate) {
                    // To make one may take long.
                    self.check_stop()?;
                    continue;
                }
                match self.recall(&candidate) {
                    None => batch.push((place, candidate)),
                    Some(outcome) => {
                        self.counts.cached += 1;
                        if outcome.is_fail() {
                            known_fail = Some((place, candidate));
                            break;
                        }
                    }
                }
            }
            if batch.is_empty() && known_fail.is_none() {
                return Ok(None);
            }
            let Batch { hit, rest } = self.ask_batch(batch)?;
            let (hit, rest) = match hit {
                None => (known_fail, Vec::new()),
                hit => (hit, rest.into_iter().chain(known_fail).collect()),
            };
            if let Some((place, candidate)) = hit
                && self.accept(candidate)?
            {
                return Ok(Some(place));
            }
            left.extend(rest);
            batch_size = (batch_size * 2).min(self.batch());
        }
    }

    /// The first of a batch that fails, and those behind it, which were not asked.
    fn ask_batch(&mut self, batch: Vec<(usize, C)>) -> Result<Batch<C>> {
        if batch.is_empty() {
            return Ok(Batch { hit: None, rest: Vec::new() });
        }
        self.check_stop()?;
        let (mut places, mut candidates): (Vec<usize>, Vec<C>) = batch.into_iter().unzip();
        let fits = |should_stop: &mut dyn FnMut(Counts) -> Option<Stop>, more: usize| {
            let candidates = self.counts.candidates + more as u64;
            let last = Counts { candidates, ..self.counts };
            !matches!(should_stop(last), Some(Stop::CandidateLimit))
        };
        // The search ends with this batch, and that at its limit.
        while candidates.len() > 1 && !fits(&mut self.should_stop, candidates.len() - 1) {
            candidates.pop();
            places.pop();
        }
        let outcomes = self.oracle.ask_until_fail(&candidates)?;
        self.counts.candidates += outcomes.len() as u64;
        for (candidate, outcome) in candidates.iter().zip(&outcomes) {
            self.remember(candidate, *outcome);
        }
        let Some(hit) = outcomes.iter().position(|outcome| outcome.is_fail()) else {
            return Ok(Batch { hit: None, rest: Vec::new() });
        };
        let mut rest = places.into_iter().zip(candidates).skip(hit);
        Ok(Batch { hit: rest.next(), rest: rest.collect() })
    }

    /// Makes a candidate that fails the best, as the oracle accepts it; whether it does, and that is smaller.
    fn accept(&mut self, candidate: C) -> Result<bool, Stop> {
        let accepted = match self.oracle.accept(&candidate)? {
            Acceptance::AsItIs => candidate,
            Acceptance::Amended(amended) if self.is_smaller(&amended) => amended,
            Acceptance::Amended(_) => return Ok(false),
            Acceptance::Refused => {
                self.remember(&candidate, Outcome::Unresolved);
                return Ok(false);
            }
        };
        self.key = accepted.key();
        self.best = accepted;
        self.counts.accepted += 1;
        (self.on_accept)(&self.best, self.counts);
        Ok(true)
    }

    /// Whether the search must stop, for those who have much to do between two candidates.
    ///
    /// # Errors
    /// When it must.
    pub fn check_stop(&mut self) -> Result<()> {
        let stop = (self.should_stop)(self.counts);
        let is_over = self.part_is_over.as_mut().is_some_and(|is_over| is_over());
        stop.or(is_over.then_some(Stop::TimeUp)).map_or(Ok(()), Err)
    }

    /// Does a `part` of the search until that `is_over`; `None` if it ended before it was done.
    ///
    /// # Errors
    /// When the whole search must stop, and as `part`.
    pub fn until<T>(
        &mut self,
        is_over: impl FnMut() -> bool + 'a,
        part: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<Option<T>> {
        self.part_is_over = Some(Box::new(is_over));
        let ended = part(self);
        self.part_is_over = None;
        match ended {
            Err(Stop::TimeUp) => self.check_stop().map(|()| None),
            ended => ended.map(Some),
        }
    }

    fn recall(&self, candidate: &C) -> Option<Outcome> {
        self.memory.as_ref()?.get(&digest(candidate)).copied()
    }

    fn remember(&mut self, candidate: &C, outcome: Outcome) {
        (self.on_outcome)(candidate, outcome);
        if let Some(memory) = &mut self.memory {
            memory.insert(digest(candidate), outcome);
        }
    }
}

/// What tells candidates apart: 128 bits, so that a collision never happens in practice.
pub(crate) fn digest(value: &impl Hash) -> u128 {
    let half = |salt: u64| {
        let mut hasher = DefaultHasher::new();
        salt.hash(&mut hasher);
        value.hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(0) << 64 | half(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::Answer;

    struct Accepting(Vec<Vec<usize>>);

    impl Oracle<Vec<usize>> for Accepting {
        fn ask(&mut self, _: &Vec<usize>) -> Answer<Outcome> {
            Ok(Outcome::Fail)
        }

        fn accept(&mut self, candidate: &Vec<usize>) -> Answer<Acceptance<Vec<usize>>> {
            self.0.push(candidate.clone());
            Ok(if candidate.is_empty() { Acceptance::Refused } else { Acceptance::AsItIs })
        }
    }

    #[test]
    fn a_part_of_a_search_ends_before_the_search_does() {
        let mut oracle = Accepting(Vec::new());
        let mut problem = Problem::new(vec![1, 2, 3], &mut oracle, Memory::Forget)
            .stop_when(|counts| (counts.candidates >= 3).then_some(Stop::CandidateLimit));
        let mut looks = 0;
        let is_over = move || {
            looks += 1;
            looks > 1
        };
        let ask_twice = |problem: &mut Problem<'_, _>| {
            problem.ask(&vec![1])?;
            problem.ask(&vec![2])
        };
        assert!(problem.until(is_over, ask_twice).unwrap().is_none());
        assert_eq!(problem.until(|| false, ask_twice).unwrap(), Some(Outcome::Fail));
        let ended = problem.until(|| false, ask_twice);
        assert!(matches!(ended, Err(Stop::CandidateLimit)));
    }

    #[test]
    fn what_the_oracle_refuses_in_the_end_is_not_tried_again() {
        let mut oracle = Accepting(Vec::new());
        let mut problem = Problem::new(vec![1, 2, 3], &mut oracle, Memory::Remember);
        assert!(!problem.consider(Vec::new()).unwrap());
        assert!(!problem.ask(&Vec::new()).unwrap().is_fail());
        assert_eq!(problem.consider_first([Vec::new(), vec![2]]).unwrap(), Some(1));
        assert_eq!(problem.best(), &[2]);
        drop(problem);
        assert_eq!(oracle.0, [vec![], vec![2]]);
    }

    #[test]
    fn the_oracle_hears_of_the_best_also_where_it_was_not_asked_again() {
        let mut oracle = Accepting(Vec::new());
        let mut problem = Problem::new(vec![1, 2, 3], &mut oracle, Memory::Remember);
        assert!(problem.ask(&vec![1]).unwrap().is_fail());
        assert!(problem.consider(vec![1, 2]).unwrap());
        assert!(problem.consider(vec![1]).unwrap());
        assert_eq!(problem.counts().candidates, 2);
        drop(problem);
        assert_eq!(oracle.0, [vec![1, 2], vec![1]]);
    }
}
