//! Edits on one text: replacements and insertions by byte range, and where offsets go.

use std::ops::Range;

use super::FileIndex;
use crate::reduce::RangeExt;

/// One replacement; an insertion replaces an empty range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The byte range of the old text that is replaced.
    pub range: Range<usize>,
    /// What stands there instead.
    pub text: String,
    /// Where `text` starts in the new text.
    new_start: usize,
}

impl Edit {
    fn new_end(&self) -> usize {
        self.new_start + self.text.len()
    }

    fn is_insertion(&self) -> bool {
        self.range.is_empty()
    }
}

/// What changes in one of several files.
pub fn edits_of(all: &[(FileIndex, Edits)], file: FileIndex) -> Option<&Edits> {
    all.iter().find(|(edited, _)| *edited == file).map(|(_, edits)| edits)
}

/// Sorted, non-overlapping edits on one text.
///
/// Several insertions at one offset keep the order in which they were made, and stand before a
/// replacement that starts there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edits(Vec<Edit>);

impl Edits {
    /// Inserts `text` before the byte at `offset`, after what was inserted there earlier.
    ///
    /// # Panics
    /// When `offset` lies inside a range that is replaced already: a bug of the caller.
    pub fn insert(&mut self, offset: usize, text: impl Into<String>) {
        self.put(offset..offset, text.into());
    }

    /// Replaces the bytes of `range` (not empty) by `text`.
    ///
    /// # Panics
    /// When `range` overlaps a range that is replaced already: a bug of the caller.
    pub fn replace(&mut self, range: Range<usize>, text: impl Into<String>) {
        self.put(range, text.into());
    }

    /// Removes the bytes of `range`.
    ///
    /// # Panics
    /// When `range` overlaps a range that is replaced already: a bug of the caller.
    pub fn remove(&mut self, range: Range<usize>) {
        if !range.is_empty() {
            self.put(range, String::new());
        }
    }

    /// Replaces the bytes of `range` by `text`, whatever was changed inside of it; false, and nothing is done, where
    /// an earlier edit reaches out of it and is more than a removal.
    pub fn cover(&mut self, range: Range<usize>, text: impl Into<String>) -> bool {
        let touches = |edit: &Edit| edit.range.overlaps(&range);
        let mut covered = range.clone();
        for edit in self.0.iter().filter(|edit| touches(edit)) {
            let is_inside = range.covers(&edit.range);
            if !is_inside && !edit.text.is_empty() {
                return false;
            }
            covered.start = covered.start.min(edit.range.start);
            covered.end = covered.end.max(edit.range.end);
        }
        self.0.retain(|edit| !touches(edit));
        self.place_from(0);
        if !covered.is_empty() {
            self.put(covered, text.into());
        }
        true
    }

    /// Removes the bytes of `range` from the new text, whatever was changed in it.
    pub fn remove_new(&mut self, range: Range<usize>) {
        let Some(old) = self.to_old_range(range.clone()) else { return };
        let is_touched = |edit: &Edit| (edit.new_start..edit.new_end()).overlaps(&range);
        let mut left = String::new();
        for edit in self.0.iter().filter(|edit| is_touched(edit)) {
            let before = range.start.saturating_sub(edit.new_start);
            let behind = edit.new_end().saturating_sub(range.end);
            left.push_str(&edit.text[..before]);
            left.push_str(&edit.text[edit.text.len() - behind..]);
        }
        self.0.retain(|edit| !is_touched(edit));
        self.place_from(0);
        if !old.is_empty() || !left.is_empty() {
            self.put(old, left);
        }
    }

    /// Adds all edits of `other`, which must not overlap those of `self`.
    ///
    /// # Panics
    /// When they overlap: a bug of the caller.
    pub fn extend(&mut self, other: Edits) {
        for edit in other.0 {
            self.put(edit.range, edit.text);
        }
    }

    /// The edits inside `range`, for the text of that range alone.
    pub fn within(&self, range: &Range<usize>) -> Edits {
        let inside = |edit: &&Edit| range.covers(&edit.range);
        let mut edits = Edits::default();
        for edit in self.0.iter().filter(inside) {
            let moved = edit.range.counted_from(range.start);
            edits.put(moved, edit.text.clone());
        }
        edits
    }

    /// What becomes of a range of the text.
    pub fn edited(&self, text: &str, range: &Range<usize>) -> String {
        self.within(range).apply(&text[range.clone()])
    }

    /// Whether one of them takes the place of all of `range`.
    pub fn covers(&self, range: &Range<usize>) -> bool {
        self.0.iter().any(|edit| edit.range.covers(range))
    }

    /// Whether one of them changes something of `range`.
    pub fn overlaps(&self, range: &Range<usize>) -> bool {
        self.0.iter().any(|edit| edit.range.overlaps(range))
    }

    /// Whether there is no edit.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The edits, in the order of the text.
    pub fn iter(&self) -> impl Iterator<Item = &Edit> {
        self.0.iter()
    }

    /// The new text.
    pub fn apply(&self, text: &str) -> String {
        let grown: usize = self.0.iter().map(|edit| edit.text.len()).sum();
        let mut new = String::with_capacity(text.len() + grown);
        let mut copied = 0;
        for edit in &self.0 {
            new.push_str(&text[copied..edit.range.start]);
            new.push_str(&edit.text);
            copied = edit.range.end;
        }
        new.push_str(&text[copied..]);
        new
    }

    /// Where the byte at `old` in the old text stands in the new one; a byte that is replaced goes to
    /// the start of its replacement.
    pub fn to_new(&self, old: usize) -> usize {
        let before = self.0.partition_point(|edit| {
            edit.range.start < old || (edit.range.start == old && edit.is_insertion())
        });
        match before.checked_sub(1).map(|index| &self.0[index]) {
            None => old,
            Some(edit) if old < edit.range.end => edit.new_start,
            Some(edit) => edit.new_end() + (old - edit.range.end),
        }
    }

    /// Where the byte at `new` in the new text came from; inside a replacement or insertion it is the
    /// start of the replaced range. `None` if the old text had no such place.
    pub fn to_old(&self, new: usize) -> Option<usize> {
        let before = self.0.partition_point(|edit| edit.new_start <= new);
        let Some(edit) = before.checked_sub(1).map(|index| &self.0[index]) else {
            return Some(new);
        };
        if new < edit.new_end() {
            return Some(edit.range.start);
        }
        edit.range.end.checked_add(new - edit.new_end())
    }

    /// The bytes of the old text that those of `new` came from; what was inserted or replaced counts as
    /// the range that it replaced.
    pub fn to_old_range(&self, new: Range<usize>) -> Option<Range<usize>> {
        let start = self.to_old(new.start)?;
        let last = new.end.checked_sub(1).unwrap_or(new.end).max(new.start);
        let before = self.0.partition_point(|edit| edit.new_start <= last);
        let end = match before.checked_sub(1).map(|index| &self.0[index]) {
            Some(edit) if last < edit.new_end() => edit.range.end,
            _ if new.is_empty() => start,
            _ => self.to_old(last)? + 1,
        };
        Some(start..end.max(start))
    }

    fn put(&mut self, range: Range<usize>, text: String) {
        let place = self.0.partition_point(|edit| {
            edit.range.start < range.start
                || (edit.range.start == range.start && edit.is_insertion())
        });
        let before = place.checked_sub(1).map(|index| &self.0[index]);
        let after = self.0.get(place);
        let is_free = before.is_none_or(|edit| edit.range.end <= range.start)
            && after.is_none_or(|edit| range.end <= edit.range.start);
        assert!(is_free, "the edit of {range:?} overlaps another one");
        self.0.insert(place, Edit { range, text, new_start: 0 });
        self.place_from(place);
    }

    /// Works out where the edits from `first` on stand in the new text.
    fn place_from(&mut self, first: usize) {
        let (mut old, mut new) = match first.checked_sub(1).map(|index| &self.0[index]) {
            None => (0, 0),
            Some(edit) => (edit.range.end, edit.new_end()),
        };
        for edit in &mut self.0[first..] {
            edit.new_start = new + (edit.range.start - old);
            (old, new) = (edit.range.end, edit.new_start + edit.text.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn insertions_at_one_offset_keep_their_order_and_precede_a_replacement() {
        let mut edits = Edits::default();
        edits.replace(1..2, "B");
        edits.insert(1, "(");
        edits.insert(1, "[");
        edits.insert(2, ")");
        assert_eq!(edits.apply("abc"), "a([B)c");
    }

    #[test]
    fn a_replaced_byte_goes_to_the_start_of_its_replacement() {
        let mut edits = Edits::default();
        edits.replace(2..6, "x");
        assert_eq!(edits.to_new(4), 2);
        assert_eq!(edits.to_new(6), 3);
        assert_eq!(edits.to_old(2), Some(2));
        assert_eq!(edits.to_old(3), Some(6));
    }

    #[test]
    fn what_is_removed_from_the_new_text_may_begin_and_end_in_what_was_changed() {
        let edits = || {
            let mut edits = Edits::default();
            edits.remove(0..1);
            edits.replace(2..4, "xyz");
            edits.remove(5..6);
            edits.insert(7, "end");
            edits
        };
        let new = edits().apply("0123456789");
        assert_eq!(new, "1xyz46end789");
        for start in 0..new.len() {
            for end in start + 1..=new.len() {
                let mut removed = edits();
                removed.remove_new(start..end);
                let expected = format!("{}{}", &new[..start], &new[end..]);
                assert_eq!(removed.apply("0123456789"), expected, "{start}..{end}");
            }
        }
    }

    #[test]
    fn ranges_map_back_to_what_they_came_from() {
        let mut edits = Edits::default();
        edits.insert(2, "f(");
        edits.insert(4, ")");
        assert_eq!(edits.apply("a 12 b"), "a f(12) b");
        assert_eq!(edits.to_old_range(2..7), Some(2..4));
        assert_eq!(edits.to_old_range(4..6), Some(2..4));
        assert_eq!(edits.to_old_range(2..3), Some(2..2));
        assert_eq!(edits.to_old_range(0..9), Some(0..6));
    }

    #[test]
    fn what_is_covered_takes_the_edits_in_it_along() {
        let mut edits = Edits::default();
        edits.replace(2..3, "x");
        edits.remove(5..8);
        edits.insert(9, "end");
        assert!(edits.cover(1..6, "-"));
        assert_eq!(edits.apply("0123456789"), "0-8end9");
        assert!(!edits.cover(0..2, ""), "what replaces would be lost");
        assert_eq!(edits.to_old(2), Some(8));
    }

    #[test]
    #[should_panic(expected = "overlaps")]
    fn overlapping_edits_are_refused() {
        let mut edits = Edits::default();
        edits.replace(2..6, "x");
        edits.replace(5..7, "y");
    }

    proptest! {
        #[test]
        fn bytes_that_stay_map_to_themselves_and_back(
            text in "[a-z]{1,40}",
            cuts in proptest::collection::btree_set(0usize..40, 0..8),
            replacement in "[A-Z]{0,5}",
        ) {
            let mut edits = Edits::default();
            let mut replaced = Vec::new();
            let cuts: Vec<usize> = cuts.into_iter().filter(|cut| *cut <= text.len()).collect();
            for pair in cuts.chunks(2).rev() {
                let end = *pair.last().unwrap_or(&pair[0]);
                edits.replace(pair[0]..end, replacement.clone());
                replaced.push(pair[0]..end);
            }
            let new = edits.apply(&text);
            for old in (0..text.len()).filter(|old| !replaced.iter().any(|range| range.contains(old))) {
                let there = edits.to_new(old);
                prop_assert_eq!(text.as_bytes()[old], new.as_bytes()[there]);
                prop_assert_eq!(edits.to_old(there), Some(old));
            }
        }
    }
}
