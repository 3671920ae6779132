//! Candidates of a flaky test: each is run until it is clear whether it fails often enough.

use super::flaky::{Decision, Plan, SequentialTest};
use crate::reduce::{Answer, Oracle, Outcome};

/// How many runs are asked for at once.
const BUNDLE: usize = 8;

/// So many searches are made for one result that holds.
const SEARCHES: usize = 3;

/// Asks another oracle again and again, as often as the plan's sequential test needs.
#[derive(Debug)]
pub struct RepeatedOracle<O> {
    inner: O,
    plan: Plan,
}

impl<O> RepeatedOracle<O> {
    /// Judges candidates of `inner` by `plan`.
    pub fn new(inner: O, plan: Plan) -> Self {
        RepeatedOracle { inner, plan }
    }

    /// Whether a final result fails often enough, at the plan's smaller risk.
    ///
    /// # Errors
    /// When it cannot be run.
    pub fn holds<C: Clone>(&mut self, result: &C) -> Answer<bool>
    where
        O: Oracle<C>,
    {
        Ok(self.decide(result, self.plan.result())?.is_fail())
    }

    fn decide<C: Clone>(&mut self, candidate: &C, mut test: SequentialTest) -> Answer<Outcome>
    where
        O: Oracle<C>,
    {
        let copies = vec![candidate.clone(); BUNDLE.min(self.inner.batch())];
        loop {
            for outcome in self.inner.ask_until_fail(&copies)? {
                match test.add(outcome.is_fail()) {
                    Decision::Fail => return Ok(Outcome::Fail),
                    // The last outcome says best what a candidate that fails too rarely does instead.
                    Decision::Pass if outcome.is_fail() => return Ok(Outcome::Unresolved),
                    Decision::Pass => return Ok(outcome),
                    Decision::RunAgain => {}
                }
            }
        }
    }
}

impl<C: Clone, O: Oracle<C>> Oracle<C> for RepeatedOracle<O> {
    /// Most candidates do not fail, and hundreds are asked: each `Fail` is tested again at the smaller risk, or
    /// some of them would be wrong in every search.
    fn ask(&mut self, candidate: &C) -> Answer<Outcome> {
        let outcome = self.decide(candidate, self.plan.candidate())?;
        if !outcome.is_fail() || !self.plan.is_repeated() {
            return Ok(outcome);
        }
        self.decide(candidate, self.plan.result())
    }
}

/// What `search` finds, if it `holds` when it is looked at once more: one search asks many candidates, each of
/// which may be taken wrongly. `search` is told how often it was called before; `None` if nothing holds.
///
/// # Errors
/// Those of both.
pub fn proven<T, E>(
    mut search: impl FnMut(usize) -> Result<T, E>,
    mut holds: impl FnMut(&T) -> Result<bool, E>,
) -> Result<Option<T>, E> {
    for before in 0..SEARCHES {
        let found = search(before)?;
        if holds(&found)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests;
