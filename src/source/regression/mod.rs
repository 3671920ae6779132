//! The reduced test as a test of its own: a new file, or a function beside the original.

mod beside;
mod draft;
mod file;
mod imports;
mod instances;
mod needed;

pub use file::NewFile;
pub use instances::{Instances, InstancesTest, NoInstancesTest};

use std::ops::Range;
use std::path::PathBuf;

use super::{Crate, Edits, FileIndex};

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
    pieces: Vec<Piece>,
}

/// A piece of the original in the new text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Piece {
    new: Range<usize>,
    file: FileIndex,
    start: usize,
    edits: Edits,
}

impl Regression {
    /// Adds the text of another test; returns the name that the test harness gives it.
    fn append(&mut self, other: Regression) -> String {
        let start = self.text.trim_end_matches('\n').len();
        self.text.truncate(start);
        self.text.push_str(&other.text);
        if self.insert_at.is_none() {
            self.text.push('\n');
        }
        self.pieces
            .extend(other.pieces.into_iter().map(|piece| Piece {
                new: piece.new.start + start..piece.new.end + start,
                ..piece
            }));
        let module = self.test.rsplit_once("::").map_or("", |(module, _)| module);
        let separator = if module.is_empty() { "" } else { "::" };
        let test = format!("{module}{separator}{}", other.function);
        self.more.push(other.function);
        test
    }

    /// Where the byte at `offset` of [`Regression::text`] comes from; `None` for what was made up.
    #[must_use]
    pub fn origin(&self, offset: usize) -> Option<(FileIndex, usize)> {
        let piece = self
            .pieces
            .iter()
            .find(|piece| piece.new.contains(&offset))?;
        Some((
            piece.file,
            piece.start + piece.edits.to_old(offset - piece.new.start)?,
        ))
    }
}

impl Crate {
    /// The text of an item's bytes.
    fn slice(&self, file: FileIndex, range: &Range<usize>) -> &str {
        &self.file(file).text[range.clone()]
    }
}

/// A name for files and functions, made from a test's name: `reduced_` and what of the last part is
/// allowed in an identifier.
///
/// ```
/// assert_eq!(cargo_reduce::source::reduced_name("tests::r#try"), "reduced_try");
/// assert_eq!(cargo_reduce::source::reduced_name("src/lib.rs - render (line 27)"), "reduced_src_lib_rs_render_line_27");
/// ```
#[must_use]
pub fn reduced_name(test: &str) -> String {
    let is_doc_test = test.contains(' ');
    let last = if is_doc_test {
        test
    } else {
        test.rsplit("::").next().unwrap_or(test)
    };
    let last = last.strip_prefix("r#").unwrap_or(last);
    let words: Vec<&str> = last
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    format!("reduced_{}", words.join("_"))
}

#[cfg(test)]
mod tests;
