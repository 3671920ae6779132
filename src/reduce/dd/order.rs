//! In which order the elements in question are split into subsets.

use super::hashed::HashedSet;

/// The passing and the failing subset, walked in the order of the reference implementation, whose
/// published sequences of calls [`dd()`](super::dd()) reproduces: it keeps its indices in hash tables.
pub(super) struct Ordered {
    passing: HashedSet,
    failing: HashedSet,
}

impl Ordered {
    /// Nothing passes, and all of `total` elements fail.
    pub(super) fn new(total: usize) -> Self {
        Ordered { passing: HashedSet::default(), failing: (0..total).collect() }
    }

    /// The places in the failing and not in the passing subset.
    pub(super) fn difference(&self) -> Vec<usize> {
        self.failing.minus(&self.passing).iter().collect()
    }

    /// The failing subset becomes the passing one and `places`.
    pub(super) fn reduce_to(&mut self, places: &[usize]) {
        self.failing = self.passing.plus(&set(places));
    }

    /// The failing subset loses `places`.
    pub(super) fn reduce_by(&mut self, places: &[usize]) {
        self.failing = self.failing.minus(&set(places));
    }

    /// The passing subset becomes the failing one without `places`.
    pub(super) fn increase_to(&mut self, places: &[usize]) {
        self.passing = self.failing.minus(&set(places));
    }

    /// The passing subset gains `places`.
    pub(super) fn increase_by(&mut self, places: &[usize]) {
        self.passing = self.passing.plus(&set(places));
    }
}

fn set(places: &[usize]) -> HashedSet {
    places.iter().copied().collect()
}
