//! How ranges of bytes, or of elements, lie to each other.

use std::ops::Range;

/// What is asked of ranges.
pub trait RangeExt {
    /// Whether all of `other` lies in it.
    fn covers(&self, other: &Self) -> bool;

    /// Whether they have something in common.
    fn overlaps(&self, other: &Self) -> bool;

    /// The range as it is counted where its own beginning stands at `base`.
    #[must_use]
    fn offset_by(&self, base: usize) -> Self;

    /// The range as it is counted from `base` on.
    #[must_use]
    fn counted_from(&self, base: usize) -> Self;
}

impl RangeExt for Range<usize> {
    fn covers(&self, other: &Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.start < other.end && other.start < self.end
    }

    fn offset_by(&self, base: usize) -> Self {
        base + self.start..base + self.end
    }

    fn counted_from(&self, base: usize) -> Self {
        self.start - base..self.end - base
    }
}
