//! How far a second look at a result goes.

use std::cell::Cell;
use std::time::{Duration, Instant};

use crate::reduce::Counts;

/// The candidates that are run again, until one of them fails: from then on it is a search like any other.
#[derive(Debug)]
pub struct SecondLook {
    most: u64,
    time: Duration,
    began: Instant,
    /// Candidates of the parts before this one.
    asked: Cell<u64>,
    has_found: Cell<bool>,
    is_cut: Cell<bool>,
}

impl SecondLook {
    /// A look that begins now; `bounds` are the number of candidates and the time, if there are any.
    pub fn new(bounds: Option<(u64, Duration)>) -> Self {
        let (most, time) = bounds.unwrap_or((u64::MAX, Duration::MAX));
        SecondLook {
            most,
            time,
            began: Instant::now(),
            asked: Cell::new(0),
            has_found: Cell::new(false),
            is_cut: Cell::new(false),
        }
    }

    /// Whether it ends here, with these counts of its present part.
    pub fn is_over(&self, counts: Counts) -> bool {
        self.has_found.set(self.has_found.get() || counts.accepted > 0);
        let asked = self.asked.get() + counts.candidates;
        let is_spent = asked >= self.most || self.began.elapsed() >= self.time;
        !self.has_found.get() && is_spent
    }

    /// A part of it has ended, before its time if it `is_cut`. Whether that was a search, and not only a look.
    pub fn part_is_over(&self, counts: Counts, is_cut: bool) -> bool {
        self.has_found.set(self.has_found.get() || counts.accepted > 0);
        self.asked.set(self.asked.get() + counts.candidates);
        self.is_cut.set(is_cut);
        self.has_found.get()
    }

    /// Whether it has ended before its time, and has found nothing.
    pub fn ended_early(&self) -> bool {
        self.is_cut.get() && !self.has_found.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(candidates: u64, accepted: u64) -> Counts {
        Counts { candidates, accepted, cached: 0 }
    }

    #[test]
    fn a_look_is_bounded_until_it_finds_something() {
        let look = SecondLook::new(Some((10, Duration::MAX)));
        assert!(!look.is_over(counts(9, 0)));
        assert!(look.is_over(counts(10, 0)));
        assert!(!look.part_is_over(counts(4, 0), false));
        assert!(look.is_over(counts(6, 0)));
        assert!(!look.is_over(counts(6, 1)));
        assert!(look.part_is_over(counts(600, 1), false));
        assert!(!look.is_over(counts(1000, 0)));
    }

    #[test]
    fn after_doubt_it_has_no_bounds() {
        let look = SecondLook::new(None);
        assert!(!look.is_over(counts(1 << 40, 0)));
    }
}
