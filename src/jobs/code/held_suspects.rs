//! Suspicious code: what only failing runs reach, and values that nobody uses though they must be used, stay as long as failing
//! runs reach them.

use std::cell::RefCell;

use crate::reduce::{Problem, Stop};
use crate::rust::{FixedRange, OriginalRange, Reduction, Sources, Stays};

/// What stands in front of a statement, to see whether it is reached.
const ENDS_HERE: &str = "::std::panic!(\"reached\"); ";

/// Places that only failing runs reach, or where the compiler warns.
#[derive(Debug, Default)]
pub struct HeldSuspects {
    ranges: RefCell<Vec<OriginalRange>>,
}

impl HeldSuspects {
    /// These places.
    pub fn new(ranges: &[OriginalRange]) -> Self {
        HeldSuspects { ranges: RefCell::new(ranges.to_vec()) }
    }

    /// What has to stay of them in these sources.
    pub fn fixed_in(&self, sources: &Sources) -> Vec<FixedRange> {
        let ranges = self.ranges.borrow();
        let places = ranges.iter().filter_map(|range| sources.place_of(range));
        places.map(|(file, range)| FixedRange { file, range, stays: Stays::Step }).collect()
    }

    /// Forgets those that the failing run no longer reaches: with a panic in front of them it still fails as before. Whether
    /// there were any.
    ///
    /// # Errors
    /// When the search must stop.
    pub fn forget_unreached(&self, problem: &mut Problem<'_, Sources>) -> Result<bool, Stop> {
        let best = problem.best().clone();
        let ranges = self.ranges.borrow().clone();
        let ended = ranges.iter().map(|range| match best.place_of(range) {
            Some((file, place)) => {
                best.edit([(file, &Reduction::replace(place.start..place.start, ENDS_HERE))])
            }
            None => best.clone(),
        });
        let ended: Vec<Sources> = ended.collect();
        let outcomes = problem.ask_all(&ended)?;
        let reached = ranges.iter().zip(&outcomes).filter(|(_, outcome)| !outcome.is_fail());
        let reached: Vec<OriginalRange> = reached.map(|(range, _)| range.clone()).collect();
        let has_forgotten = reached.len() < ranges.len();
        *self.ranges.borrow_mut() = reached;
        Ok(has_forgotten)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::{FromFn, Memory, Outcome};
    use crate::rust::testing::{range_of, sources_of};

    #[test]
    fn what_the_failing_run_no_longer_reaches_need_not_stay() {
        let text = "fn f(n: u8) { if n > 1 { g(n); } else { h(n); } }";
        let sources = sources_of(text);
        let original = |part| sources.original_range(0, &range_of(text, part)).unwrap();
        let suspects = HeldSuspects::new(&[original("g(n);"), original("h(n);")]);
        // It comes to `g` only.
        let mut oracle = FromFn(|candidate: &Sources| {
            let text = &candidate.files[0].text;
            if text.contains("{ ::std::panic!(\"reached\"); g(n);") {
                Outcome::Unresolved
            } else {
                Outcome::Fail
            }
        });
        let mut problem = Problem::new(sources.clone(), &mut oracle, Memory::Remember);
        assert!(suspects.forget_unreached(&mut problem).unwrap());
        assert!(!suspects.forget_unreached(&mut problem).unwrap());
        assert_eq!((problem.counts().candidates, problem.counts().cached), (2, 1));
        let fixed = suspects.fixed_in(&sources);
        assert_eq!(fixed.len(), 1);
        assert_eq!(
            (fixed[0].range.clone(), fixed[0].stays.clone()),
            (range_of(text, "g(n);"), Stays::Step)
        );
    }
}
