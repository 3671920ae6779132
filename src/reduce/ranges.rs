//! How ranges of bytes, or of elements, lie to each other.

use std::cmp::Reverse;
use std::ops::Range;

/// Leaves those whose ranges begin within none of the others, in their order.
pub fn keep_outermost<T>(all: &mut Vec<T>, range: impl Fn(&T) -> &Range<usize>) {
    all.sort_by_key(|one| (range(one).start, Reverse(range(one).end)));
    let mut end = 0;
    all.retain(|one| {
        let is_outer = range(one).start >= end;
        end = if is_outer { range(one).end } else { end };
        is_outer
    });
}

/// Those of `sorted` that overlap `range`; none of them may overlap another one.
pub fn touched<'s>(
    sorted: &'s [Range<usize>],
    range: &Range<usize>,
) -> impl Iterator<Item = &'s Range<usize>> {
    let end = range.end;
    let first = sorted.partition_point(|one| one.end <= range.start);
    sorted[first..].iter().take_while(move |one| one.start < end)
}

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
