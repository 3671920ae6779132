//! Candidates of a flaky test: each is run until it is clear whether it fails often enough.

use super::flaky::{Decision, Plan, SequentialTest};
use crate::reduce::{Oracle, OracleError, Outcome};

/// How many runs are asked for at once.
const BUNDLE: usize = 8;

/// Asks another oracle again and again, as often as the plan's sequential test needs.
#[derive(Debug)]
pub struct RepeatedOracle<O> {
    inner: O,
    plan: Plan,
}

impl<O> RepeatedOracle<O> {
    /// Judges candidates of `inner` by `plan`.
    #[must_use]
    pub fn new(inner: O, plan: Plan) -> Self {
        RepeatedOracle { inner, plan }
    }

    /// Whether a final result fails often enough, at the plan's smaller risk.
    ///
    /// # Errors
    /// When it cannot be run.
    pub fn holds<C: Clone>(&mut self, result: &C) -> Result<bool, OracleError>
    where
        O: Oracle<C>,
    {
        Ok(self.decide(result, self.plan.result())?.is_fail())
    }

    fn decide<C: Clone>(
        &mut self,
        candidate: &C,
        mut test: SequentialTest,
    ) -> Result<Outcome, OracleError>
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
    fn ask(&mut self, candidate: &C) -> Result<Outcome, OracleError> {
        self.decide(candidate, self.plan.candidate())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::flaky::Tally;
    use crate::reduce::FromFn;

    #[test]
    fn a_candidate_that_fails_every_third_time_is_taken_and_one_that_hardly_fails_is_not() {
        let plan = Plan::new(
            Tally {
                runs: 10,
                failures: 5,
            },
            None,
            100,
        )
        .expect("a plan");
        let mut turn = 0;
        let every = |n: u32, turn: &mut u32| {
            *turn += 1;
            if turn.is_multiple_of(n) {
                Outcome::Fail
            } else {
                Outcome::Pass
            }
        };
        let mut oracle = RepeatedOracle::new(FromFn(|n: &u32| every(*n, &mut turn)), plan);
        assert_eq!(oracle.ask(&3).expect("asked"), Outcome::Fail);
        assert_eq!(oracle.ask(&60).expect("asked"), Outcome::Pass);
        assert!(oracle.holds(&3).expect("asked"));
        assert!(!oracle.holds(&60).expect("asked"));
    }
}
