//! Candidates that have to fail in one build and to pass in another one.

use crate::reduce::{Oracle, OracleError, Outcome, Until};

/// Asks two oracles: the first has to answer `Fail`, and the second `Pass`.
#[derive(Debug)]
pub struct PassesWith<A, B> {
    failing: A,
    passing: B,
    /// What the second one has to answer.
    wanted: Outcome,
}

impl<A, B> PassesWith<A, B> {
    /// A candidate that fails by `failing` counts only if it passes by `passing`.
    pub fn new(failing: A, passing: B) -> Self {
        PassesWith { failing, passing, wanted: Outcome::Pass }
    }

    /// A candidate that fails by `quick` counts only if it fails by `sure`, too.
    pub fn again(quick: A, sure: B) -> Self {
        PassesWith { failing: quick, passing: sure, wanted: Outcome::Fail }
    }

    fn checked<C>(&mut self, candidate: &C, outcome: Outcome) -> Result<Outcome, OracleError>
    where
        B: Oracle<C>,
    {
        if !outcome.is_fail() || self.passing.ask(candidate)? == self.wanted {
            return Ok(outcome);
        }
        Ok(Outcome::Unresolved)
    }
}

impl<C: Clone, A: Oracle<C>, B: Oracle<C>> Oracle<C> for PassesWith<A, B> {
    fn ask(&mut self, candidate: &C) -> Result<Outcome, OracleError> {
        let outcome = self.failing.ask(candidate)?;
        self.checked(candidate, outcome)
    }

    fn run(&mut self, candidates: &[C], until: Until) -> Result<Vec<Outcome>, OracleError> {
        let mut outcomes = Vec::with_capacity(candidates.len());
        while !until.is_over(&outcomes, candidates.len()) {
            // What follows a candidate that fails was not asked yet.
            let answered = self.failing.run(&candidates[outcomes.len()..], until)?;
            for outcome in answered {
                outcomes.push(self.checked(&candidates[outcomes.len()], outcome)?);
            }
        }
        Ok(outcomes)
    }

    fn batch(&self) -> usize {
        self.failing.batch()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::FromFn;

    /// Fails from 3 on; the other build passes from 5 on.
    fn both() -> impl Oracle<u32> {
        let fails = |n: &u32| Outcome::fail_if(*n >= 3);
        let passes = |n: &u32| {
            if *n >= 5 { Outcome::Pass } else { Outcome::Fail }
        };
        PassesWith::new(FromFn(fails), FromFn(passes))
    }

    #[test]
    fn what_fails_in_both_builds_does_not_count() {
        let outcomes = [1, 4, 6].map(|n| both().ask(&n).expect("asked"));
        assert_eq!(outcomes, [Outcome::Pass, Outcome::Unresolved, Outcome::Fail]);
    }

    #[test]
    fn what_fails_by_the_quick_oracle_is_seen_to_fail_again() {
        let fails_from = |from: u32| FromFn(move |n: &u32| Outcome::fail_if(*n >= from));
        let mut both = PassesWith::again(fails_from(3), fails_from(5));
        let outcomes = [1, 4, 6].map(|n| both.ask(&n).expect("asked"));
        assert_eq!(outcomes, [Outcome::Pass, Outcome::Unresolved, Outcome::Fail]);
    }

    #[test]
    fn candidates_behind_one_that_is_refused_are_still_asked() {
        let outcomes = both().ask_until_fail(&[4, 1, 7, 8]).expect("asked");
        assert_eq!(outcomes, [Outcome::Unresolved, Outcome::Pass, Outcome::Fail]);
    }
}
