//! Text that is put together of words of its own and of copies of the text that is edited.

use std::ops::Range;

use super::Reduction;

/// Such a text under way.
pub(crate) struct Patchwork<'t> {
    /// What is edited.
    source: &'t str,
    text: String,
    copies: Vec<(usize, Range<usize>)>,
}

impl<'t> Patchwork<'t> {
    /// Nothing yet of copies of `source`.
    pub(crate) fn of(source: &'t str) -> Self {
        Patchwork { source, text: String::new(), copies: Vec::new() }
    }

    /// Adds words of its own.
    pub(crate) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Adds a copy of these bytes.
    pub(crate) fn copy(&mut self, range: Range<usize>) {
        self.copies.push((self.text.len(), range.clone()));
        self.text.push_str(&self.source[range]);
    }

    /// What there is so far.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Puts words before all that there is.
    pub(crate) fn push_front(&mut self, text: &str) {
        self.text.insert_str(0, text);
        for (start, _) in &mut self.copies {
            *start += text.len();
        }
    }

    /// Puts it in the place of `range`, too.
    pub(crate) fn instead_of(self, range: Range<usize>, reduction: Reduction) -> Reduction {
        reduction.and_made(range, self.text, self.copies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::sources_of;

    #[test]
    fn copies_keep_where_they_come_from() {
        let source = "f(a(b)) + 1";
        let mut text = Patchwork::of(source);
        text.copy(2..6);
        text.push(";");
        text.push_front("let x = ");
        assert_eq!(text.text(), "let x = a(b);");
        let moved = text.instead_of(0..11, Reduction::default());
        let before = sources_of(source);
        let after = before.edit([(0, &moved)]);
        assert_eq!(after.files[0].text.trim(), "let x = a(b);");
        assert_eq!(after.origin(0, 10), before.origin(0, 4));
        assert_eq!(after.origin(0, 0), None);
    }
}
