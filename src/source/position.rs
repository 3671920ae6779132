//! Lines and columns, as rustc prints them, and byte offsets.

use std::ops::Range;

use unicode_width::UnicodeWidthChar;

/// A place as rustc prints it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineColumn {
    /// The line, from 1.
    pub line: usize,
    /// The column in chars, from 1.
    pub column: usize,
}

/// How wide rustc takes a char to be where it tells the column of a panic.
fn width(char: char) -> usize {
    match char {
        '\t' => 4,
        _ => char.width().unwrap_or(1),
    }
}

impl std::fmt::Display for LineColumn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// The lines of a text with their ends, each with its first byte.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        start += line.len();
        (start - line.len(), line)
    })
}

/// Where the line begins in which a byte of a text stands.
pub(super) fn start_of_line(text: &str, offset: usize) -> usize {
    text[..offset].rfind('\n').map_or(0, |end| end + 1)
}

/// What stands before a byte in its line, if that is nothing but blanks.
pub(super) fn blanks_before(text: &str, offset: usize) -> Option<&str> {
    Some(&text[start_of_line(text, offset)..offset]).filter(|before| before.trim().is_empty())
}

/// The line starts of one text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineIndex {
    starts: Vec<usize>,
    len: usize,
}

impl LineIndex {
    /// Finds the line starts of `text`.
    pub fn new(text: &str) -> Self {
        let after_breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        LineIndex { starts: std::iter::once(0).chain(after_breaks).collect(), len: text.len() }
    }

    /// The line and column of a byte offset; an offset inside a char counts as that char's, one
    /// beyond the end as the end.
    pub fn line_column(&self, text: &str, offset: usize) -> LineColumn {
        let offset = offset.min(self.len);
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = self.starts[line - 1];
        let column = text[start..].char_indices().take_while(|(at, _)| start + at < offset).count();
        let is_inside_char = !text.is_char_boundary(offset);
        LineColumn { line, column: column + usize::from(!is_inside_char) }
    }

    /// The bytes of the line of a place, its end among them.
    fn line(&self, place: LineColumn) -> Option<Range<usize>> {
        let start = *self.starts.get(place.line.checked_sub(1)?)?;
        Some(start..self.starts.get(place.line).copied().unwrap_or(self.len))
    }

    /// The byte offset of a line and column; `None` if the text has no such place.
    pub fn offset(&self, text: &str, place: LineColumn) -> Option<usize> {
        let Range { start, end } = self.line(place)?;
        let line = &text[start..end];
        let skipped = place.column.checked_sub(1)?;
        let in_line = line.char_indices().map(|(at, _)| at).chain([line.len()]).nth(skipped)?;
        Some(start + in_line)
    }

    /// The place of a byte offset as a panic tells it: its column is one of a terminal, in which a tab is four
    /// wide, and some chars are two or none.
    pub fn as_panics_count(&self, text: &str, offset: usize) -> LineColumn {
        let LineColumn { line, column } = self.line_column(text, offset);
        let before = text[self.starts[line - 1]..].chars().take(column - 1);
        LineColumn { line, column: before.map(width).sum::<usize>() + 1 }
    }

    /// The byte offset of a place that a panic tells; `None` if the text has no such place.
    pub fn offset_of_panic(&self, text: &str, place: LineColumn) -> Option<usize> {
        let Range { start, end } = self.line(place)?;
        let wanted = place.column.checked_sub(1)?;
        let mut before = 0;
        for (at, char) in text[start..end].char_indices() {
            if before + width(char) > wanted {
                return Some(start + at);
            }
            before += width(char);
        }
        (before == wanted).then_some(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_char_boundary_maps_there_and_back() {
        let text = "a\n\u{feff}é\r\n\n  ü=1\nlast";
        let lines = LineIndex::new(text);
        for (offset, _) in text.char_indices() {
            let place = lines.line_column(text, offset);
            assert_eq!(lines.offset(text, place), Some(offset), "{place}");
        }
        assert_eq!(lines.line_column(text, text.len()), LineColumn { line: 5, column: 5 });
    }

    #[test]
    fn an_offset_inside_a_char_counts_as_that_char() {
        let text = "éx";
        let lines = LineIndex::new(text);
        assert_eq!(lines.line_column(text, 1), LineColumn { line: 1, column: 1 });
    }

    #[test]
    fn panics_tell_the_columns_of_a_terminal() {
        // As rustc 1.95 told them.
        let text = "\t\tlet _ = &s[1..];\n#[test] fn u() { \"ＨＨ\".parse::<u8>().unwrap(); }\n\
                    #[test] fn w() { let _ = \"e\u{301}\"; Err::<u8,&str>(\"e\").unwrap(); }";
        let lines = LineIndex::new(text);
        for (line, column, what) in [(1, 19, "[1"), (2, 39, "unwrap"), (3, 51, "unwrap")] {
            let place = LineColumn { line, column };
            let offset = lines.offset_of_panic(text, place).unwrap();
            assert!(text[offset..].starts_with(what), "{}", &text[offset..]);
            assert_eq!(lines.as_panics_count(text, offset), place);
        }
        let beyond = LineColumn { line: 3, column: 99 };
        assert_eq!(lines.offset_of_panic(text, beyond), None);
    }

    #[test]
    fn places_outside_the_text_are_none() {
        let lines = LineIndex::new("ab\n");
        assert_eq!(lines.offset("ab\n", LineColumn { line: 9, column: 1 }), None);
        assert_eq!(lines.offset("ab\n", LineColumn { line: 1, column: 9 }), None);
        assert_eq!(lines.offset("ab\n", LineColumn { line: 0, column: 1 }), None);
    }
}
