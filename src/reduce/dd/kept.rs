//! Which elements of a sequence are kept.

use crate::reduce::RangeExt;
use std::ops::Range;

/// A subset of the places of a sequence: one bit an element, so that 10⁶ elements take 125 kB.
///
/// It is what an [`Argument`](crate::Argument) of your own is handed:
///
/// ```
/// fn shortened(words: &[&'static str], kept: &cargo_reduce::Kept) -> Vec<&'static str> {
///     kept.of(words)
/// }
/// assert_eq!(shortened(&["a", "b"], &cargo_reduce::Kept::none(2)), [""; 0]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Kept {
    words: Vec<u64>,
    total: usize,
    count: usize,
}

impl Kept {
    /// None of `total` elements.
    pub fn none(total: usize) -> Self {
        Kept { words: vec![0; total.div_ceil(64)], total, count: 0 }
    }

    /// All of `total` elements.
    pub fn all(total: usize) -> Self {
        let mut kept = Kept { words: vec![u64::MAX; total.div_ceil(64)], total, count: total };
        if let Some(last) = kept.words.last_mut().filter(|_| !total.is_multiple_of(64)) {
            *last = (1 << (total % 64)) - 1;
        }
        kept
    }

    /// All of `total` elements but those in the ranges `removed`.
    pub fn all_but(total: usize, removed: &[Range<usize>]) -> Self {
        let mut kept = Kept::all(total);
        for range in removed {
            for (idx, mask) in masks(range) {
                kept.words[idx] &= !mask;
            }
        }
        kept.recount();
        kept
    }

    /// What is kept of the places in `range`, which become the places from 0 on.
    #[must_use]
    pub fn slice(&self, range: Range<usize>) -> Self {
        if range == (0..self.total) {
            return self.clone();
        }
        let mut slice = Kept::none(range.len());
        for run in self.ranges() {
            let run = run.start.max(range.start)..run.end.min(range.end);
            if !run.is_empty() {
                for (idx, mask) in masks(&(run.counted_from(range.start))) {
                    slice.words[idx] |= mask;
                }
            }
        }
        slice.recount();
        slice
    }

    /// How many elements are kept.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether none is kept.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// How many elements the sequence has.
    pub fn total(&self) -> usize {
        self.total
    }

    /// Whether the element at `place` is kept; places beyond the sequence are not.
    pub fn contains(&self, place: usize) -> bool {
        self.words.get(place / 64).is_some_and(|word| word >> (place % 64) & 1 == 1)
    }

    /// Keeps the elements at `places`, none of which was kept.
    pub fn insert(&mut self, places: &[usize]) {
        for place in places {
            self.words[place / 64] |= 1 << (place % 64);
        }
        self.count += places.len();
    }

    /// Drops the elements at `places`, all of which were kept.
    pub fn remove(&mut self, places: &[usize]) {
        for place in places {
            self.words[place / 64] &= !(1 << (place % 64));
        }
        self.count -= places.len();
    }

    /// What is kept here and not in `other`, which is of the same sequence.
    #[must_use]
    pub fn minus(&self, other: &Kept) -> Kept {
        let mut kept = self.clone();
        for (mine, theirs) in kept.words.iter_mut().zip(&other.words) {
            *mine &= !theirs;
        }
        kept.recount();
        kept
    }

    /// The longest runs of kept places, in order.
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let mut place = 0;
        std::iter::from_fn(move || {
            let start = self.next_place(place, 0)?;
            place = self.next_place(start, u64::MAX).unwrap_or(self.total);
            Some(start..place)
        })
    }

    /// The kept places, in order.
    pub fn places(&self) -> impl Iterator<Item = usize> + '_ {
        self.ranges().flatten()
    }

    /// The kept elements of `sequence`.
    pub fn of<T: Clone>(&self, sequence: &[T]) -> Vec<T> {
        let mut elements = Vec::with_capacity(self.count);
        for range in self.ranges() {
            elements.extend_from_slice(&sequence[range]);
        }
        elements
    }

    fn recount(&mut self) {
        self.count = self.words.iter().map(|word| word.count_ones() as usize).sum();
    }

    /// The first place from `start` on that is kept, or with all bits set in `flip`, that is not.
    fn next_place(&self, start: usize, flip: u64) -> Option<usize> {
        let mut idx = start / 64;
        let mut word = (self.words.get(idx)? ^ flip) & (u64::MAX << (start % 64));
        while word == 0 {
            idx += 1;
            word = self.words.get(idx)? ^ flip;
        }
        let place = idx * 64 + word.trailing_zeros() as usize;
        (place < self.total).then_some(place)
    }
}

/// The words in which `range` (not empty) has bits, and these bits.
fn masks(range: &Range<usize>) -> impl Iterator<Item = (usize, u64)> + use<> {
    let Range { start, end } = *range;
    (start / 64..end.div_ceil(64)).map(move |idx| {
        let from_start = u64::MAX << start.saturating_sub(idx * 64);
        let to_end = u64::MAX >> ((idx + 1) * 64).saturating_sub(end);
        (idx, from_start & to_end)
    })
}

#[cfg(test)]
mod tests {
    use super::Kept;

    #[test]
    fn runs_across_word_borders_are_one_range() {
        for total in [0, 1, 63, 64, 65, 127, 128, 200] {
            assert_eq!(Kept::all(total).places().count(), total);
            assert_eq!(Kept::all(total).ranges().count(), usize::from(total > 0));
            assert_eq!(Kept::none(total).ranges().count(), 0);
        }
        let mut kept = Kept::all(200);
        kept.remove(&[0, 64, 199]);
        assert_eq!(kept.ranges().collect::<Vec<_>>(), [1..64, 65..199]);
        assert_eq!(kept.len(), 197);
    }

    #[test]
    fn removing_and_inserting_are_inverse() {
        let mut kept = Kept::all(100);
        kept.remove(&[3, 70]);
        assert!(!kept.contains(3) && !kept.contains(70) && !kept.contains(100));
        assert_eq!(Kept::all(100).minus(&kept).places().collect::<Vec<_>>(), [3, 70]);
        kept.insert(&[3, 70]);
        assert_eq!(kept, Kept::all(100));
    }

    #[test]
    fn a_slice_counts_its_places_from_its_start() {
        assert_eq!(
            Kept::all_but(130, &[0..64, 128..130]).places().collect::<Vec<_>>(),
            (64..128).collect::<Vec<_>>()
        );
        let kept = Kept::all_but(100, &[0..10, 64..70]);
        assert_eq!(kept.len(), 84);
        assert_eq!(kept.slice(60..72).places().collect::<Vec<_>>(), [0, 1, 2, 3, 10, 11]);
        assert_eq!(kept.slice(60..72).total(), 12);
    }

    #[test]
    fn elements_come_in_the_order_of_the_sequence() {
        let mut kept = Kept::none(6);
        kept.insert(&[5, 0, 3]);
        assert_eq!(kept.of(b"abcdef"), b"adf");
    }
}
