//! Suspicious code: what only failing runs reach stays as long as they do.

use std::cell::RefCell;

use crate::reduce::{Problem, Stop};
use crate::rust::{FixedRange, OriginalRange, Reduction, Sources, Stays};

/// What stands in front of a statement, to see whether it is reached.
const ENDS_HERE: &str = "::std::panic!(\"reached\"); ";

/// Places that only failing runs reach.
#[derive(Debug, Default)]
pub struct Suspects {
    ranges: RefCell<Vec<OriginalRange>>,
}

impl Suspects {
    /// These places.
    pub fn new(ranges: &[OriginalRange]) -> Self {
        Suspects { ranges: RefCell::new(ranges.to_vec()) }
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
