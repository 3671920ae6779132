//! The examples in documentation, which rustdoc runs as tests.

mod block;
mod wrap;

use super::Edits;

pub use wrap::DocTestFile;

/// What rustdoc's name of a doc test says: `src/lib.rs - item (line 27)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocTestName<'n> {
    /// The path of the file as rustdoc shows it.
    pub path: &'n str,
    /// The path of the documented item; empty for the crate itself.
    pub item: &'n str,
    /// The line of the opening fence, from 1.
    pub line: usize,
}

impl<'n> DocTestName<'n> {
    /// Takes a name apart; `None` if it is not the name of a doc test.
    pub fn parse(name: &'n str) -> Option<Self> {
        let (path, rest) = name.split_once(" - ")?;
        let (item, rest) = rest.split_once("(line ")?;
        let (line, _) = rest.split_once(')')?;
        Some(DocTestName { path, item: item.trim(), line: line.parse().ok()? })
    }
}

/// A code block in documentation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocTest {
    /// The code as rustdoc compiles it: without comment marks and with its hidden lines.
    pub code: String,
    /// The words after the opening fence.
    pub words: Vec<String>,
    /// Where each line of the code starts, in the code and in the file.
    lines: Vec<Line>,
    /// What stands before each line of the code in the file.
    prefix: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Line {
    code: usize,
    file: usize,
}

/// Why a code block was not found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DocTestError {
    /// There is no opening fence.
    #[error("line {0} opens no code block")]
    NoFence(usize),
    /// The text does not stand in a comment.
    #[error("the code block at line {0} does not stand in a doc comment")]
    NoComment(usize),
}

impl DocTest {
    /// Whether rustdoc expects a panic.
    pub fn should_panic(&self) -> bool {
        self.words.iter().any(|word| word == "should_panic")
    }

    /// Where the byte at `offset` of the code stands in the file.
    pub fn to_file(&self, offset: usize) -> usize {
        let after = self.lines.partition_point(|line| line.code <= offset);
        let line = after.checked_sub(1).map(|index| self.lines[index]);
        line.map_or(offset, |line| line.file + (offset - line.code))
    }

    /// Edits of the code as edits of the file: new lines get the marks of the comment.
    pub fn edits_of_file(&self, edits: &Edits) -> Edits {
        let mut in_file = Edits::default();
        let line_break = format!("\n{}", self.prefix);
        for edit in edits.iter() {
            let range = self.to_file(edit.range.start)..self.to_file(edit.range.end);
            in_file.replace(range, edit.text.replace('\n', &line_break));
        }
        in_file
    }
}

#[cfg(test)]
mod tests;
