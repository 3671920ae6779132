//! Candidates that have to fail in one build and to pass in another one.

use std::collections::HashMap;
use std::hash::Hash;

use crate::reduce::{Acceptance, Answer, Oracle, Outcome, Until};

/// Asks two oracles: the first has to answer `Fail`, and the second `Pass`.
pub struct PassesWith<'a, C, A, B> {
    failing: A,
    passing: B,
    /// What the second one has to answer.
    wanted: Outcome,
    /// What a candidate that the second one refuses has to be instead, if anything is known of that.
    amend: Option<Box<AmendBy<'a, C>>>,
    /// Candidates that fail as something else.
    amended: HashMap<C, C>,
}

/// See [`PassesWith::amending`].
type AmendBy<'a, C> = dyn FnMut(&C) -> Answer<Option<C>> + 'a;

impl<'a, C: Clone + Eq + Hash, A: Oracle<C>, B: Oracle<C>> PassesWith<'a, C, A, B> {
    /// A candidate that fails by `failing` counts only if it passes by `passing`.
    pub fn new(failing: A, passing: B) -> Self {
        let wanted = Outcome::Pass;
        PassesWith { failing, passing, wanted, amend: None, amended: HashMap::new() }
    }

    /// A candidate that fails by `quick` counts only if it fails by `sure`, too.
    pub fn again(quick: A, sure: B) -> Self {
        PassesWith { wanted: Outcome::Fail, ..PassesWith::new(quick, sure) }
    }

    /// Where the second one refuses a candidate, what `amend` makes of it is asked in its place.
    pub fn amending(self, amend: impl FnMut(&C) -> Answer<Option<C>> + 'a) -> Self {
        PassesWith { amend: Some(Box::new(amend)), ..self }
    }

    fn checked(&mut self, candidate: &C, outcome: Outcome) -> Answer<Outcome> {
        if !outcome.is_fail() {
            return Ok(outcome);
        }
        let amended = match self.failing.accept(candidate)? {
            Acceptance::AsItIs => None,
            Acceptance::Amended(amended) => Some(amended),
            Acceptance::Refused => return Ok(Outcome::Unresolved),
        };
        if self.passing.ask(amended.as_ref().unwrap_or(candidate))? == self.wanted {
            self.amended.extend(amended.map(|amended| (candidate.clone(), amended)));
            return Ok(outcome);
        }
        let Some(amend) = &mut self.amend else { return Ok(Outcome::Unresolved) };
        if let Some(amended) = amend(candidate)?
            && self.failing.ask(&amended)?.is_fail()
            && self.passing.ask(&amended)? == self.wanted
        {
            self.amended.insert(candidate.clone(), amended);
            return Ok(outcome);
        }
        Ok(Outcome::Unresolved)
    }
}

impl<C: Clone + Eq + Hash, A: Oracle<C>, B: Oracle<C>> Oracle<C> for PassesWith<'_, C, A, B> {
    fn ask(&mut self, candidate: &C) -> Answer<Outcome> {
        self.amended.clear();
        let outcome = self.failing.ask(candidate)?;
        self.checked(candidate, outcome)
    }

    fn run(&mut self, candidates: &[C], until: Until) -> Answer<Vec<Outcome>> {
        self.amended.clear();
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

    fn accept(&mut self, candidate: &C) -> Answer<Acceptance<C>> {
        let amended = self.amended.remove(candidate);
        Ok(amended.map_or(Acceptance::AsItIs, Acceptance::Amended))
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
    fn what_is_amended_fails_in_place_of_what_is_refused() {
        // A pair of a number and its double, which the first build takes for its triple.
        let fails = |pair: &(u32, u32)| Outcome::fail_if(pair.0 * 3 != pair.1);
        let passes = |pair: &(u32, u32)| {
            if pair.0 * 2 == pair.1 { Outcome::Pass } else { Outcome::Fail }
        };
        let both = PassesWith::new(FromFn(fails), FromFn(passes))
            .amending(|pair: &(u32, u32)| Ok((pair.0 < 9).then_some((pair.0, pair.0 * 2))));
        let sure = PassesWith::new(FromFn(fails), FromFn(passes));
        let mut again = PassesWith::again(both, sure);
        let outcomes = again.ask_until_fail(&[(9, 8), (3, 8), (4, 8)]).expect("asked");
        assert_eq!(outcomes, [Outcome::Unresolved, Outcome::Fail]);
        assert_eq!(again.accept(&(3, 8)).expect("asked"), Acceptance::Amended((3, 6)));
        assert_eq!(again.ask(&(4, 8)).expect("asked"), Outcome::Fail);
        assert_eq!(again.accept(&(4, 8)).expect("asked"), Acceptance::AsItIs);
    }

    #[test]
    fn candidates_behind_one_that_is_refused_are_still_asked() {
        let outcomes = both().ask_until_fail(&[4, 1, 7, 8]).expect("asked");
        assert_eq!(outcomes, [Outcome::Unresolved, Outcome::Pass, Outcome::Fail]);
    }
}
