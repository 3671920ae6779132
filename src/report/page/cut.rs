//! Long texts without their middle.

use std::ops::Range;

use crate::report::visible::visible;

/// A text of which the middle may be left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cut {
    /// The bytes that are shown first.
    pub head: Range<usize>,
    /// The bytes that are shown last; none where the text is whole.
    pub tail: Range<usize>,
}

impl Cut {
    /// All of a text of up to `most` bytes; of a longer one three quarters of that from its start, the rest from its
    /// end, by whole lines where these are short.
    pub(super) fn of(text: &str, most: usize) -> Cut {
        if text.len() <= most {
            return Cut { head: 0..text.len(), tail: text.len()..text.len() };
        }
        let head = floor(text, most / 4 * 3);
        let tail = ceil(text, text.len() - most / 4);
        let head = text[..head].rfind('\n').map_or(head, |at| at + 1).max(head - head / 4);
        let head = floor(text, head);
        let line = text[tail..].find('\n').map_or(tail, |at| tail + at + 1);
        let tail = if line < tail + most / 16 { line } else { tail };
        Cut { head: 0..head, tail: tail..text.len() }
    }

    /// The bytes that are left out.
    pub(super) fn middle(&self) -> Range<usize> {
        self.head.end..self.tail.start
    }
}

/// A name or a sentence in which all is visible, without its middle if it is longer than anybody reads.
pub(super) fn label(text: &str) -> String {
    const LONGEST: usize = 2_000;
    shortened(text, LONGEST)
}

/// The name of a test or a place in which all is visible, without its middle if it is no more than noise.
pub(super) fn name(text: &str) -> String {
    const LONGEST: usize = 200;
    shortened(text, LONGEST)
}

fn shortened(text: &str, most: usize) -> String {
    let cut = Cut::of(text, most);
    match cut.middle().len() {
        0 => visible(text),
        _ => format!("{} … {}", visible(&text[cut.head]), visible(&text[cut.tail])),
    }
}

fn floor(text: &str, at: usize) -> usize {
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

fn ceil(text: &str, at: usize) -> usize {
    (at..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_lose_their_middle() {
        assert_eq!(label("a\0"), "a\\u{0}");
        assert!(label(&"é".repeat(5_000)).len() < 2_100);
    }

    #[test]
    fn short_texts_are_whole_and_long_ones_lose_their_middle() {
        let whole = Cut::of("abc", 3);
        assert_eq!((whole.head.clone(), whole.middle().len()), (0..3, 0));
        let text = "é".repeat(1000);
        let cut = Cut::of(&text, 101);
        assert!(text.is_char_boundary(cut.head.end) && text.is_char_boundary(cut.tail.start));
        assert!(cut.head.len() + cut.tail.len() <= 101, "{cut:?}");
        assert!(cut.head.len() > 50, "{cut:?}");
    }

    #[test]
    fn lines_stay_whole_if_they_are_short() {
        let text = "0123456789\n".repeat(100);
        let cut = Cut::of(&text, 400);
        assert!(text[cut.head].ends_with('\n'));
        assert!(text[cut.tail].starts_with('0'));
    }
}
