//! A text in the making, which remembers where its pieces come from.

use std::collections::BTreeMap;
use std::ops::Range;

use super::pieced::{Piece, Regression};
use crate::source::{Crate, Edits, FileIndex};

/// A text made of pieces of the original.
pub(super) struct Draft<'d> {
    krate: &'d Crate,
    edits: &'d BTreeMap<FileIndex, Edits>,
    pub text: String,
    pub pieces: Vec<Piece>,
}

impl<'d> Draft<'d> {
    pub(super) fn new(krate: &'d Crate, edits: &'d BTreeMap<FileIndex, Edits>) -> Self {
        Draft { krate, edits, text: String::new(), pieces: Vec::new() }
    }

    /// Adds the edited bytes of `range`.
    pub(super) fn piece(&mut self, file: FileIndex, range: &Range<usize>) {
        let edits = self.edits.get(&file).map(|edits| edits.within(range)).unwrap_or_default();
        let start = self.text.len();
        self.text.push_str(&edits.apply(self.krate.slice(file, range)));
        self.pieces.push(Piece { new: start..self.text.len(), file, start: range.start, edits });
    }

    /// Adds text of our own.
    pub(super) fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    pub(super) fn into_regression(self, function: String, test: String) -> Regression {
        Regression { function, test, text: self.text, pieces: self.pieces, ..Regression::default() }
    }
}
