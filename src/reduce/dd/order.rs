//! In which order the elements in question are split into subsets.

use super::Kept;
use super::hashed::HashedSet;

/// The order of the elements that distinguish the failing from the passing subset, in which dd cuts
/// them into subsets. It changes which candidates are tried, not what is guaranteed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Order {
    /// The order of the reference implementation, whose published sequences of calls it reproduces:
    /// it keeps its indices in hash tables, and walks these.
    #[default]
    Hashed,
    /// The order of the sequence, so that each subset is a run of neighbours.
    Ascending,
}

/// The passing and the failing subset, in the form that an [`Order`] needs.
pub(super) enum Ordered {
    Hashed {
        passing: HashedSet,
        failing: HashedSet,
    },
    Ascending,
}

impl Ordered {
    pub(super) fn new(order: Order, total: usize) -> Self {
        match order {
            Order::Hashed => Ordered::Hashed {
                passing: HashedSet::default(),
                failing: (0..total).collect(),
            },
            Order::Ascending => Ordered::Ascending,
        }
    }

    /// The places in `failing` and not in `passing`.
    pub(super) fn difference(&self, passing: &Kept, failing: &Kept) -> Vec<usize> {
        match self {
            Ordered::Hashed { passing, failing } => failing.minus(passing).iter().collect(),
            Ordered::Ascending => failing.minus(passing).places().collect(),
        }
    }

    /// The failing subset becomes the passing one and `places`.
    pub(super) fn reduce_to(&mut self, places: &[usize]) {
        if let Ordered::Hashed { passing, failing } = self {
            *failing = passing.plus(&places.iter().copied().collect());
        }
    }

    /// The failing subset loses `places`.
    pub(super) fn reduce_by(&mut self, places: &[usize]) {
        if let Ordered::Hashed { failing, .. } = self {
            *failing = failing.minus(&places.iter().copied().collect());
        }
    }

    /// The passing subset becomes the failing one without `places`.
    pub(super) fn increase_to(&mut self, places: &[usize]) {
        if let Ordered::Hashed { passing, failing } = self {
            *passing = failing.minus(&places.iter().copied().collect());
        }
    }

    /// The passing subset gains `places`.
    pub(super) fn increase_by(&mut self, places: &[usize]) {
        if let Ordered::Hashed { passing, .. } = self {
            *passing = passing.plus(&places.iter().copied().collect());
        }
    }
}
