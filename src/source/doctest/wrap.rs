//! The code of a doc test as a test file, wrapped as rustdoc does.

use super::DocTest;
use crate::source::Edits;

/// What stands above all of it.
const HEADER: &str = "#![allow(unused)]\n";

/// A test file made of a doc test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocTestFile {
    /// The text.
    pub text: String,
    /// What was put around the code.
    wrapping: Edits,
}

impl DocTest {
    /// A file with one test, named `function`, that runs the code. Attributes of the crate stay at
    /// the top; code with a `main` of its own keeps it; code that ends in `(())` may use `?`.
    pub fn as_test(&self, function: &str) -> DocTestFile {
        let attributes = self.attributes_len();
        let body = &self.code[attributes..];
        let should_panic = if self.should_panic() { "#[should_panic]\n" } else { "" };
        let (before, after) = if has_main(body) {
            ("() { main(); }\n".to_owned(), "")
        } else if body.trim_end().ends_with("(())") {
            let inner = "fn example() -> core::result::Result<(), impl core::fmt::Debug>";
            (format!("() {{ {inner} {{\n"), "} example().unwrap() }\n")
        } else {
            ("() {\n".to_owned(), "}\n")
        };
        let mut wrapping = Edits::default();
        wrapping.insert(0, HEADER);
        wrapping.insert(attributes, format!("#[test]\n{should_panic}fn {function}{before}"));
        wrapping.insert(self.code.len(), after);
        DocTestFile { text: wrapping.apply(&self.code), wrapping }
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
    /// Where the byte at `offset` of the text, or the end of what stands before it, is in the code; `None` if it was made up.
    pub fn to_code(&self, offset: usize) -> Option<usize> {
        let of_byte = |offset: usize| {
            let code = self.wrapping.to_old(offset)?;
            (self.wrapping.to_new(code) == offset).then_some(code)
        };
        let behind = |offset: usize| Some(of_byte(offset.checked_sub(1)?)? + 1);
        // Between the header and the test there may be no code.
        let first = || (offset == HEADER.len()).then_some(0);
        of_byte(offset).or_else(|| behind(offset)).or_else(first)
    }

    /// Edits of the text as edits of the code; those of made-up text are left out.
    pub fn edits_of_code(&self, edits: &Edits) -> Edits {
        let mut in_code = Edits::default();
        for edit in edits.iter() {
            let ends = (self.to_code(edit.range.start), self.to_code(edit.range.end));
            let (Some(start), Some(end)) = ends else { continue };
            in_code.replace(start..end, edit.text.clone());
        }
        in_code
    }
}
