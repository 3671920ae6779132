//! The code of a doc test as a test file, wrapped as rustdoc does.

use super::DocTest;
use crate::source::Edits;

/// A test file made of a doc test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocTestFile {
    /// The text.
    pub text: String,
    pieces: Vec<Piece>,
}

/// A piece of the code in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Piece {
    text: usize,
    code: usize,
    len: usize,
}

impl DocTest {
    /// A file with one test, named `function`, that runs the code. Attributes of the crate stay at
    /// the top; code with a `main` of its own keeps it; code that ends in `(())` may use `?`.
    pub fn as_test(&self, function: &str) -> DocTestFile {
        let attributes = self.attributes_len();
        let body = &self.code[attributes..];
        let should_panic = if self.should_panic() { "#[should_panic]\n" } else { "" };
        let mut file = DocTestFile { text: "#![allow(unused)]\n".to_owned(), pieces: Vec::new() };
        file.piece(self, 0, attributes);
        let mut wrap = |before: &str, after: &str| {
            file.text.push_str("#[test]\n");
            file.text.push_str(should_panic);
            file.text.push_str("fn ");
            file.text.push_str(function);
            file.text.push_str(before);
            file.piece(self, attributes, self.code.len());
            file.text.push_str(after);
        };
        if has_main(body) {
            wrap("() { main(); }\n", "");
        } else if body.trim_end().ends_with("(())") {
            let inner = "fn example() -> core::result::Result<(), impl core::fmt::Debug>";
            wrap(&format!("() {{ {inner} {{\n"), "} example().unwrap() }\n");
        } else {
            wrap("() {\n", "}\n");
        }
        file
    }

    /// The length of the leading lines that are attributes of the crate.
    fn attributes_len(&self) -> usize {
        let lines = self.code.split_inclusive('\n');
        let leading = lines.take_while(|line| {
            let line = line.trim();
            line.is_empty() || line.starts_with("#![") || line.starts_with("//")
        });
        let leading: Vec<&str> = leading.collect();
        let last = leading.iter().rposition(|line| line.trim().starts_with("#!["));
        leading[..last.map_or(0, |last| last + 1)].iter().map(|line| line.len()).sum()
    }
}

/// Whether the code has a `main` at the start of a line.
fn has_main(code: &str) -> bool {
    code.lines().any(|line| {
        let line = line.strip_prefix("pub ").unwrap_or(line);
        line.starts_with("fn main(") || line.starts_with("fn main (")
    })
}

impl DocTestFile {
    fn piece(&mut self, test: &DocTest, start: usize, end: usize) {
        self.pieces.push(Piece { text: self.text.len(), code: start, len: end - start });
        self.text.push_str(&test.code[start..end]);
    }

    /// Where the byte at `offset` of the text stands in the code; `None` if it was made up.
    pub fn to_code(&self, offset: usize) -> Option<usize> {
        let piece = self
            .pieces
            .iter()
            .find(|piece| (piece.text..=piece.text + piece.len).contains(&offset))?;
        Some(piece.code + (offset - piece.text))
    }

    /// Edits of the text as edits of the code; those of made-up text are left out.
    pub fn edits_of_code(&self, edits: &Edits) -> Edits {
        let mut in_code = Edits::default();
        for edit in edits.iter() {
            let ends = (self.to_code(edit.range.start), self.to_code(edit.range.end));
            let (Some(start), Some(end)) = ends else { continue };
            if start == end {
                in_code.insert(start, edit.text.clone());
            } else {
                in_code.replace(start..end, edit.text.clone());
            }
        }
        in_code
    }
}
