//! Where the bytes of a candidate come from in the original files.
//!
//! A failure counts only at its original place, so each edit carries along where its text was written.

use std::ops::Range;
use std::sync::Arc;

/// A byte of an original file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OriginalPlace {
    /// The file, by its place in the original subject.
    pub file: usize,
    /// The byte.
    pub offset: usize,
}

/// Bytes in the original subject.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct OriginalRange {
    /// The file, by its place in the original subject.
    pub file: usize,
    /// The bytes.
    pub range: Range<usize>,
}

impl OriginalRange {
    /// Whether the place is one of them.
    pub fn contains(&self, place: OriginalPlace) -> bool {
        self.file == place.file && self.range.contains(&place.offset)
    }
}

/// A part of a new text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Text that was made up.
    Made(String),
    /// Bytes of a present file, by its place in the subject.
    Copied {
        /// The file.
        file: usize,
        /// Its bytes.
        range: Range<usize>,
    },
}

/// Bytes of a text that stood together in an original file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stretch {
    start: usize,
    len: usize,
    from: OriginalPlace,
}

/// Where the bytes of one text come from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Origins(Arc<[Stretch]>);

impl Origins {
    /// Of an original file.
    pub(crate) fn whole(file: usize, len: usize) -> Self {
        let from = OriginalPlace { file, offset: 0 };
        Origins(Arc::from([Stretch { start: 0, len, from }]))
    }

    /// Where a byte comes from; `None` if it was made up.
    pub(crate) fn of(&self, offset: usize) -> Option<OriginalPlace> {
        let place = self.0.partition_point(|stretch| stretch.start <= offset).checked_sub(1)?;
        let stretch = &self.0[place];
        let into = offset - stretch.start;
        (into < stretch.len)
            .then(|| OriginalPlace { offset: stretch.from.offset + into, ..stretch.from })
    }

    /// The bytes between the first and the last one that come from an original range, if any do. Of copies only the first one
    /// counts.
    pub(crate) fn place_of(&self, original: &OriginalRange) -> Option<Range<usize>> {
        let mut found: Option<(Range<usize>, usize)> = None;
        for stretch in self.0.iter().filter(|it| it.from.file == original.file) {
            let start = stretch.from.offset.max(original.range.start);
            let end = (stretch.from.offset + stretch.len).min(original.range.end);
            if start >= end {
                continue;
            }
            let moved = |offset: usize| stretch.start + (offset - stretch.from.offset);
            match &mut found {
                Some((_, last)) if start < *last => break,
                Some((range, last)) => (range.end, *last) = (moved(end), end),
                None => found = Some((moved(start)..moved(end), end)),
            }
        }
        found.map(|(range, _)| range)
    }

    /// Where these bytes of the original file stand, of which this is a changed version; `None` if one of their ends has gone.
    pub(crate) fn now(&self, original: &Range<usize>) -> Option<Range<usize>> {
        let at = |offset: usize| {
            let is_in = |it: &&Stretch| (it.from.offset..it.from.offset + it.len).contains(&offset);
            self.0.iter().find(is_in).map(|it| it.start + (offset - it.from.offset))
        };
        let end = || self.0.last().map(|last| last.start + last.len);
        let is_at_end = self.0.last().is_some_and(|it| it.from.offset + it.len == original.start);
        let start = at(original.start).or_else(|| end().filter(|_| is_at_end))?;
        match original.len() {
            0 => Some(start..start),
            _ => Some(start..at(original.end - 1)? + 1),
        }
    }

    /// The stretches within `range`, which is moved to `start`.
    fn moved(&self, range: &Range<usize>, start: usize, into: &mut Vec<Stretch>) {
        let first = self.0.partition_point(|stretch| stretch.start + stretch.len <= range.start);
        for stretch in &self.0[first..] {
            if stretch.start >= range.end {
                break;
            }
            let from = stretch.start.max(range.start);
            let end = (stretch.start + stretch.len).min(range.end);
            push(
                into,
                Stretch {
                    start: start + (from - range.start),
                    len: end - from,
                    from: OriginalPlace {
                        offset: stretch.from.offset + (from - stretch.start),
                        ..stretch.from
                    },
                },
            );
        }
    }
}

/// Adds a stretch, joined with the last one where they stood together.
fn push(stretches: &mut Vec<Stretch>, next: Stretch) {
    if next.len == 0 {
        return;
    }
    if let Some(last) = stretches.last_mut() {
        let is_joined = last.start + last.len == next.start
            && last.from.file == next.from.file
            && last.from.offset + last.len == next.from.offset;
        if is_joined {
            last.len += next.len;
            return;
        }
    }
    stretches.push(next);
}

/// Puts a text together out of pieces of the present `texts`.
pub(crate) fn assemble(pieces: &[Piece], texts: &[(&str, &Origins)]) -> (String, Origins) {
    let mut new = String::new();
    let mut stretches = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Made(text) => new.push_str(text),
            Piece::Copied { file, range } => {
                let (text, origins) = texts[*file];
                origins.moved(range, new.len(), &mut stretches);
                new.push_str(&text[range.clone()]);
            }
        }
    }
    (new, Origins(stretches.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_of_an_original_range_is_found_where_it_stands_now() {
        let text = "let a = f(g(1), 2); b();";
        let whole = Origins::whole(3, text.len());
        let texts = [(text, &whole)];
        let copied = |range| Piece::Copied { file: 0, range };
        let made = |text: &str| Piece::Made(text.to_owned());
        let pieces = [made("{ "), copied(8..10), copied(14..19), made(" }"), copied(8..19)];
        let (new, origins) = assemble(&pieces, &texts);
        let place = |range| origins.place_of(&OriginalRange { file: 3, range }).map(|it| &new[it]);
        assert_eq!(place(8..18), Some("f(, 2)"));
        assert_eq!(place(10..14), Some("g(1)"));
        assert_eq!(place(20..24), None);
    }

    #[test]
    fn a_place_in_the_original_file_is_one_in_what_that_is_now() {
        let text = "fn f(u8); fn g();";
        let whole = Origins::whole(0, text.len());
        let pieces = [copied(0..5), Piece::Made("_: ".to_owned()), copied(5..17)];
        let (new, origins) = assemble(&pieces, &[(text, &whole)]);
        let now = |range| origins.now(&range);
        assert_eq!(now(10..14).map(|it| &new[it]), Some("fn g"));
        assert_eq!(now(3..7).map(|it| &new[it]), Some("f(_: u8"));
        assert_eq!([now(13..13), now(17..17), now(18..19)], [Some(16..16), Some(20..20), None]);
    }

    fn copied(range: Range<usize>) -> Piece {
        Piece::Copied { file: 0, range }
    }

    #[test]
    fn places_are_found_again_through_several_edits() {
        let first = Origins::whole(3, 10);
        let pieces = [copied(2..5), Piece::Made("xx".into()), copied(7..10)];
        let (text, once) = assemble(&pieces, &[("0123456789", &first)]);
        assert_eq!(text, "234xx789");
        let (text, twice) = assemble(&[copied(4..7), copied(0..1)], &[(&text, &once)]);
        assert_eq!(text, "x782");
        let origins: Vec<_> = (0..5).map(|byte| twice.of(byte)).collect();
        let at = |offset| Some(OriginalPlace { file: 3, offset });
        assert_eq!(origins, [None, at(7), at(8), at(2), None]);
    }

    #[test]
    fn neighbours_that_are_copied_one_by_one_stay_one_stretch() {
        let whole = Origins::whole(0, 4);
        let (_, origins) = assemble(&[copied(0..2), copied(2..4)], &[("abcd", &whole)]);
        assert_eq!(origins, whole);
    }
}
