//! One possible edit of a source, and how several of them are applied together.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use super::Piece;
use super::scan::is_word;
use crate::reduce::RangeExt;
use crate::source::Edits;

/// A replacement of a part of the text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Change {
    /// The bytes replaced.
    pub range: Range<usize>,
    /// What stands there instead.
    pub text: String,
    /// The parts of `text`, in order, that are copies of bytes elsewhere: where each starts in `text`,
    /// and the bytes.
    pub copies: Vec<(usize, Range<usize>)>,
}

/// One possible edit of a source: changes that only make sense together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Reduction {
    /// The changes, in any order; an outer one wins over those inside it.
    pub changes: Vec<Change>,
}

impl From<&Edits> for Reduction {
    fn from(edits: &Edits) -> Self {
        let all = Self::default();
        edits.iter().fold(all, |all, edit| all.and_replace(edit.range.clone(), &*edit.text))
    }
}

impl Reduction {
    /// Removes `range`.
    pub fn remove(range: Range<usize>) -> Self {
        Self::default().and_remove(range)
    }

    /// Replaces `range` by `text`.
    pub fn replace(range: Range<usize>, text: impl Into<String>) -> Self {
        Self::default().and_replace(range, text)
    }

    /// Removes another range as well.
    #[must_use]
    pub fn and_remove(self, range: Range<usize>) -> Self {
        self.and_replace(range, "")
    }

    /// Replaces another range as well.
    #[must_use]
    pub fn and_replace(mut self, range: Range<usize>, text: impl Into<String>) -> Self {
        self.changes.push(Change { range, text: text.into(), copies: Vec::new() });
        self
    }

    /// Replaces another range by what stands at `from` in `source`, the text that is edited, with
    /// something before and after it.
    pub fn and_copy(
        mut self,
        range: Range<usize>,
        source: &str,
        from: Range<usize>,
        before: &str,
        after: &str,
    ) -> Self {
        self.changes.push(Change {
            range,
            text: format!("{before}{}{after}", &source[from.clone()]),
            copies: vec![(before.len(), from)],
        });
        self
    }

    /// Replaces another range by text with these parts copied from elsewhere: where each starts in the
    /// text, and the bytes.
    pub(crate) fn and_made(
        mut self,
        range: Range<usize>,
        text: String,
        copies: Vec<(usize, Range<usize>)>,
    ) -> Self {
        self.changes.push(Change { range, text, copies });
        self
    }

    /// Keeps of `outer` only `inner`: removes what stands before and after it.
    pub fn keep(outer: Range<usize>, inner: Range<usize>) -> Self {
        Self::default().and_keep(outer, inner)
    }

    /// Leaves `inner` of `outer`, too.
    #[must_use]
    pub fn and_keep(self, outer: Range<usize>, inner: Range<usize>) -> Self {
        self.and_remove(outer.start..inner.start).and_remove(inner.end..outer.end)
    }

    /// How many bytes it saves (negative if the text grows).
    pub fn saving(&self) -> isize {
        self.changes
            .iter()
            .map(|change| signed(change.range.len()) - signed(change.text.len()))
            .sum()
    }

    /// How many bytes it takes away; none if the text grows.
    pub(crate) fn weight(&self) -> usize {
        usize::try_from(self.saving()).unwrap_or(0)
    }

    /// Stands for this reduction of the pass `name` and what is around it in `text`, wherever that moves.
    pub(crate) fn digest(&self, name: &str, text: &str) -> u64 {
        const AROUND: usize = 24;
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        for change in &self.changes {
            let from = text.floor_char_boundary(change.range.start.saturating_sub(AROUND));
            let to = text.ceil_char_boundary((change.range.end + AROUND).min(text.len()));
            text[from..change.range.start].hash(&mut hasher);
            text[change.range.clone()].hash(&mut hasher);
            text[change.range.end..to].hash(&mut hasher);
            change.text.hash(&mut hasher);
        }
        hasher.finish()
    }

    /// What is left of the part of a text at `range`, and of all that changes with it; `None` if nothing changes there.
    pub(crate) fn text_over(&self, text: &str, range: &Range<usize>) -> Option<String> {
        let touching = self.changes.iter().filter(|change| change.range.overlaps(range));
        let (mut start, mut end) = (range.start, range.end);
        for change in touching.clone() {
            start = start.min(change.range.start);
            end = end.max(change.range.end);
        }
        let inside = touching.fold(Reduction::default(), |inside, change| {
            inside.and_replace(change.range.counted_from(start), &*change.text)
        });
        (!inside.changes.is_empty()).then(|| apply(&text[start..end], [&inside]))
    }

    /// The first byte that it touches.
    pub fn start(&self) -> usize {
        self.changes.iter().map(|change| change.range.start).min().unwrap_or(0)
    }
}

fn signed(length: usize) -> isize {
    isize::try_from(length).unwrap_or(isize::MAX)
}

/// Applies `reductions` together.
///
/// Of nested changes the outermost wins; removals that overlap are joined; of other changes that
/// overlap the first one wins. A line left blank goes, and words that would grow together are kept
/// apart by a space.
pub fn apply<'r>(text: &str, reductions: impl IntoIterator<Item = &'r Reduction>) -> String {
    let pieces = pieces(0, text, reductions);
    let parts = pieces.iter().map(|piece| match piece {
        Piece::Made(made) => made.as_str(),
        Piece::Copied { range, .. } => &text[range.clone()],
    });
    parts.collect()
}

/// The pieces of the text that [`apply`] makes of the text of `file`.
pub(crate) fn pieces<'r>(
    file: usize,
    text: &str,
    reductions: impl IntoIterator<Item = &'r Reduction>,
) -> Vec<Piece> {
    Pieces::new(file, text, reductions).made
}

/// What each part of the text that [`apply`] makes stands for: new bytes and old bytes.
pub(crate) fn parts<'r>(
    text: &str,
    reductions: impl IntoIterator<Item = &'r Reduction>,
) -> Vec<(Range<usize>, Range<usize>)> {
    Pieces::new(0, text, reductions).parts
}

/// A text that is put together, in which words do not grow together.
#[derive(Default)]
struct Pieces<'t> {
    file: usize,
    text: &'t str,
    made: Vec<Piece>,
    parts: Vec<(Range<usize>, Range<usize>)>,
    length: usize,
    ends_in_word: bool,
}

impl<'t> Pieces<'t> {
    fn new<'r>(
        file: usize,
        text: &'t str,
        reductions: impl IntoIterator<Item = &'r Reduction>,
    ) -> Self {
        let mut new = Pieces { file, text, ..Pieces::default() };
        let mut copied = 0;
        for change in resolve(text, reductions) {
            new.copy(copied..change.range.start);
            new.make(&change);
            copied = change.range.end;
        }
        new.copy(copied..text.len());
        new
    }

    fn copy(&mut self, range: Range<usize>) {
        self.keep_apart(&self.text[range.clone()]);
        let start = self.length;
        self.push_copy(range.clone());
        self.parts.push((start..self.length, range));
    }

    fn make(&mut self, change: &Change) {
        let start = self.length;
        self.keep_apart(&change.text);
        let mut made = 0;
        for (place, range) in &change.copies {
            self.push_made(&change.text[made..*place]);
            self.push_copy(range.clone());
            made = place + range.len();
        }
        self.push_made(&change.text[made..]);
        self.parts.push((start..self.length, change.range.clone()));
    }

    fn push_copy(&mut self, range: Range<usize>) {
        if !range.is_empty() {
            self.length += range.len();
            let file = self.file;
            self.made.push(Piece::Copied { file, range });
        }
    }

    fn push_made(&mut self, text: &str) {
        if !text.is_empty() {
            self.length += text.len();
            self.made.push(Piece::Made(text.to_owned()));
        }
    }

    fn keep_apart(&mut self, next: &str) {
        let grows_together = self.ends_in_word
            && next.starts_with(|symbol: char| is_word(symbol) || symbol == '\'' || symbol == '"');
        if grows_together {
            self.push_made(" ");
        }
        if !next.is_empty() {
            self.ends_in_word = next.ends_with(is_word);
        }
    }
}

/// The changes that take part, sorted and without overlap.
fn resolve<'r>(text: &str, reductions: impl IntoIterator<Item = &'r Reduction>) -> Vec<Change> {
    let mut changes: Vec<Change> = reductions
        .into_iter()
        .flat_map(|reduction| &reduction.changes)
        .filter(|change| !change.range.is_empty() || !change.text.is_empty())
        .cloned()
        .collect();
    changes.sort_by_key(|change| (change.range.start, std::cmp::Reverse(change.range.end)));
    let mut kept: Vec<Change> = Vec::with_capacity(changes.len());
    for change in changes {
        match kept.last_mut() {
            Some(last) if change.range.start < last.range.end => {
                if change.text.is_empty() && last.text.is_empty() {
                    last.range.end = last.range.end.max(change.range.end);
                }
            }
            _ => kept.push(change),
        }
    }
    widen_to_lines(text, kept)
}

/// Lets removals that leave a blank line take the line along. Only blanks around a removal are looked at: a line may be as
/// long as the file.
fn widen_to_lines(text: &str, mut changes: Vec<Change>) -> Vec<Change> {
    let is_blank = |symbol: char| symbol != '\n' && symbol.is_whitespace();
    for place in 0..changes.len() {
        if !changes[place].text.is_empty() {
            continue;
        }
        let Range { start, end } = changes[place].range.clone();
        let before = text[..start].trim_end_matches(is_blank);
        let after = text[end..].trim_start_matches(is_blank);
        let is_whole_line = (before.is_empty() || before.ends_with('\n'))
            && (after.is_empty() || after.starts_with('\n'));
        if !is_whole_line {
            continue;
        }
        let line_start = before.len();
        let line_end = text.len() - after.len() + usize::from(!after.is_empty());
        let is_free =
            place.checked_sub(1).is_none_or(|before| changes[before].range.end <= line_start)
                && changes.get(place + 1).is_none_or(|after| line_end <= after.range.start);
        if is_free {
            changes[place].range = line_start..line_end;
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outermost_of_nested_changes_wins() {
        let inner = Reduction::replace(4..5, "x");
        let outer = Reduction::remove(2..7);
        assert_eq!(apply("0123456789", [&inner, &outer]), "01 789");
    }

    #[test]
    fn many_removals_from_one_long_line_take_linear_time() {
        let text = ";,".repeat(200_000);
        let removals: Vec<Reduction> = (0..200_000)
            .map(|place| 2 * place)
            .map(|start| Reduction::remove(start..start + 1))
            .collect();
        assert!(apply(&text, &removals) == ",".repeat(200_000));
    }

    #[test]
    fn removals_that_overlap_are_joined() {
        let first = Reduction::remove(1..3);
        let second = Reduction::remove(2..5);
        assert_eq!(apply("(a,b,)", [&first, &second]), "()");
    }

    #[test]
    fn words_do_not_grow_together() {
        assert_eq!(apply("pub(crate)fn", [&Reduction::remove(3..10)]), "pub fn");
    }

    #[test]
    fn a_line_left_blank_goes_along() {
        assert_eq!(apply("a;\n  b;\nc;\n", [&Reduction::remove(5..7)]), "a;\nc;\n");
    }

    #[test]
    fn keeping_the_inner_part_removes_both_ends() {
        assert_eq!(apply("Box<u8>", [&Reduction::keep(0..7, 4..6)]), "u8");
    }
}
