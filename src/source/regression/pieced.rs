//! A test as it is put together, and where its pieces come from.

use std::ops::Range;
use std::path::PathBuf;

use super::formatted::Formatted;
use crate::reduce::RangeExt;
use crate::source::scan::is_word;
use crate::source::{Edits, FileIndex, beside};

/// A test made of pieces of the original sources.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Regression {
    /// The name of the new test function.
    pub function: String,
    /// The name that the test harness gives it.
    pub test: String,
    /// Its source: a whole file, or what is inserted.
    pub text: String,
    /// Where to insert it; `None` if it is a file of its own.
    pub insert_at: Option<(FileIndex, usize)>,
    /// Files that it reads and that must be written.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// The names of further functions, which test instances of a pattern.
    pub more: Vec<String>,
    /// Whether imports and loops are gone from it that are most likely needless.
    pub is_tidied: bool,
    pub(super) pieces: Vec<Piece>,
    /// Where the next test is put in; at the end if nothing is said.
    pub(super) tests_end: Option<usize>,
    /// Where the pieces stand if the text was formatted.
    pub(super) formatted: Option<Formatted>,
}

/// A piece of the original in the new text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) new: Range<usize>,
    pub(super) file: FileIndex,
    pub(super) start: usize,
    pub(super) edits: Edits,
}

impl Regression {
    /// Adds the text of another test behind those that there are; returns the name that the test harness
    /// gives it.
    pub(super) fn append(&mut self, other: Regression) -> String {
        let end = self.text.trim_end_matches('\n').len();
        let at = self.tests_end.unwrap_or(end);
        let length = other.text.len();
        self.text.insert_str(at, &other.text);
        for piece in &mut self.pieces {
            if piece.new.start >= at {
                piece.new = piece.new.offset_by(length);
            }
        }
        let pieces =
            other.pieces.into_iter().map(|piece| Piece { new: piece.new.offset_by(at), ..piece });
        self.pieces.extend(pieces);
        self.tests_end = Some(at + length);
        let test = beside(&self.test, &other.function);
        self.more.push(other.function);
        test
    }

    /// Takes the text as a formatter has left it, if it has changed nothing but blanks, commas and braces. No test can
    /// be added to it any more. Whether it has.
    pub fn reformat(&mut self, text: String) -> bool {
        let Some(formatted) = Formatted::new(&self.text, &text) else { return false };
        self.formatted = Some(formatted);
        self.text = text;
        true
    }

    /// Where the piece of the original that begins with `start`, or right before, ends.
    pub(super) fn end_of(&self, file: FileIndex, start: usize) -> Option<usize> {
        let before = self.pieces.iter().filter(|piece| piece.file == file && piece.start <= start);
        let piece = before.max_by_key(|piece| piece.start)?;
        Some(piece.new.end)
    }

    /// Where the byte at `offset` of [`Regression::text`] comes from; `None` for what was made up.
    pub fn origin(&self, offset: usize) -> Option<(FileIndex, usize)> {
        let offset = match &self.formatted {
            Some(formatted) => formatted.before(offset)?,
            None => offset,
        };
        let piece = self.pieces.iter().find(|piece| piece.new.contains(&offset))?;
        Some((piece.file, piece.start + piece.edits.to_old(offset - piece.new.start)?))
    }
}

/// A name for files and functions, made from a test's name: `reduced_` and what of the last part is
/// allowed in an identifier.
pub fn reduced_name(test: &str) -> String {
    let is_doc_test = test.contains(' ');
    let last = if is_doc_test { test } else { test.rsplit("::").next().unwrap_or(test) };
    let last = last.strip_prefix("r#").unwrap_or(last);
    let words: Vec<&str> = last.split(|c| !is_word(c)).collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    format!("reduced_{}", words.join("_"))
}
