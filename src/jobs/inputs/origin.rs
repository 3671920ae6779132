//! Plain tests made of tests that have no plain function in the user's tree. They stand only in the
//! scratch copy; here is where they come from, and how places and edits go back.

use std::io;
use std::path::Path;

use camino::{Utf8Path, Utf8PathBuf};

use crate::app::failure::{Failure, Result};
use crate::app::find::ChosenDocTest;
use crate::oracle::signature::{FailureKind, Location, Signature};
use crate::source::{
    Crate, DocTest, DocTestError, DocTestFile, Edits, FileIndex, LineColumn, LineIndex, Located,
    MacroTest, NotLocated, PlainTest, reduced_name,
};

/// The folders in which rustdoc builds many doc tests as one program.
const BUNDLE: &str = "rustdoctest";

/// A plain test made of another one.
#[derive(Debug, Clone)]
pub struct Derived {
    /// The user's test.
    pub test: String,
    /// The plain test, as libtest calls it.
    pub plain: String,
    /// The file that holds it, where it would stand in the user's tree.
    pub path: Utf8PathBuf,
    /// The text of that file.
    pub text: String,
    origin: Origin,
}

#[derive(Debug, Clone)]
enum Origin {
    /// A file of its own, made of a doc test.
    DocTest(Box<Example>),
    /// A function put into the user's file behind the macro call that makes the test.
    Made {
        source: String,
        edits: Edits,
        place: usize,
        /// What made the values that were put in.
        values: Values,
    },
}

/// What made the values of a plain test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Values {
    /// The user.
    User,
    /// A generator that may leave some out.
    Strategy,
    /// A generator of all values of a type.
    Types,
}

/// A doc test in the user's file.
#[derive(Debug, Clone)]
struct Example {
    chosen: ChosenDocTest,
    source: String,
    doc: DocTest,
    file: DocTestFile,
}

impl Example {
    fn edits_of_source(&self, edits: &Edits) -> Edits {
        self.doc.edits_of_file(&self.file.edits_of_code(edits))
    }

    /// The byte of the user's file where the byte at `offset` of the test file comes from; for what was
    /// made up, where the code block opens.
    fn offset(&self, offset: usize) -> usize {
        let in_code = self.file.to_code(offset);
        in_code.map_or_else(
            || {
                let before = self.source.split_inclusive('\n').take(self.chosen.line - 1);
                before.map(str::len).sum()
            },
            |code| self.doc.to_file(code),
        )
    }
}

impl Derived {
    /// The code of a doc test as a test file.
    ///
    /// # Errors
    /// When its file cannot be read, or it does not fail by running.
    pub fn of_doc_test(chosen: &ChosenDocTest) -> Result<Self> {
        let source = std::fs::read_to_string(&chosen.source)
            .map_err(|error| Failure::unreadable(&chosen.source, &error))?;
        let (line, doc) = code_block(&source, chosen.line).map_err(|error| {
            Failure::error(format!("`{}`: {error}", chosen.test))
                .hint("a doc test that a macro generates or includes cannot be reduced")
        })?;
        let is_run = |word: &String| !matches!(word.as_str(), "compile_fail" | "no_run");
        if !doc.words.iter().all(is_run) {
            return Err(Failure::error(format!(
                "`{}` is marked `no_run` or `compile_fail`, so it has no inputs that a run could use",
                chosen.test
            )));
        }
        let name = reduced_name(&chosen.test).replacen("reduced_", "", 1);
        let file = doc.as_test(&name);
        let package = chosen.manifest_path.parent().unwrap_or(Utf8Path::new(""));
        Ok(Derived {
            test: chosen.test.clone(),
            path: package.join("tests").join(format!("{name}.rs")),
            plain: name,
            text: file.text.clone(),
            origin: Origin::DocTest(Box::new(Example {
                chosen: ChosenDocTest { line, ..chosen.clone() },
                source,
                doc,
                file,
            })),
        })
    }

    /// The property test that was not located, with the values that the run says it fails with.
    ///
    /// # Errors
    /// When the values were not printed, or cannot be written as literals.
    pub fn of_property(
        krate: &Crate,
        not_located: &NotLocated,
        test: &str,
        printed: &str,
    ) -> Result<Self> {
        let cannot = |why: &str| {
            Failure::error(format!(
                "the failing values of `{test}` cannot become a plain test: {why}"
            ))
            .hint("write a `#[test]` with these values by hand, and reduce that test")
        };
        let (values, printed) = match not_located {
            NotLocated::Quickcheck { .. } => (Values::Types, failing_arguments(printed)),
            _ => (Values::Strategy, failing_input(printed)),
        };
        let printed = printed.ok_or_else(|| cannot("the run printed no failing values"))?;
        let property = krate.property_test(not_located);
        let plain = krate.plain_property(not_located, printed).ok_or_else(|| {
            cannot(
                "its function is not written inside of the test itself, or a value was not printed",
            )
        })?;
        let first = property.as_ref().and_then(|property| property.arguments.first());
        let place = first.map_or_else(|| not_located.start(), |argument| argument.pattern.start);
        Self::of_made(krate, test, plain, place, values)
            .ok_or_else(|| cannot("its path is not UTF-8"))
    }

    /// A test that a macro of the crate's own makes; `None` if its file's path is not UTF-8.
    pub fn of_macro(krate: &Crate, test: &str, made: MacroTest) -> Option<Self> {
        Self::of_made(krate, test, made.plain, made.place, Values::User)
    }

    /// The same under its own name, where all calls in its file that make tests are written out.
    pub fn written_out(krate: &Crate, test: &str) -> Option<Self> {
        let (file, edits) = krate.tests_written_out(test)?;
        Self::with(krate, test, file, edits)
    }

    /// The test under its own name, where the calls in it of the crate's own macros that assert something are written out;
    /// `None` if it has no such.
    pub fn with_asserting_calls_written_out(krate: &Crate, located: &Located) -> Option<Self> {
        let edits = krate.asserting_calls_written_out(located)?;
        Self::with(krate, &located.test, located.file, edits)
    }

    /// The test under its own name, with these edits of a file of its crate; `None` if that one's path is not UTF-8.
    pub fn with(krate: &Crate, test: &str, file: FileIndex, edits: Edits) -> Option<Self> {
        let plain = PlainTest { edits, file, test: test.to_owned() };
        Self::of_made(krate, test, plain, 0, Values::User)
    }

    /// A plain test that stands behind the macro call; `place` is what the user knows it by.
    fn of_made(
        krate: &Crate,
        test: &str,
        plain: PlainTest,
        place: usize,
        values: Values,
    ) -> Option<Self> {
        let file = krate.file(plain.file);
        Some(Derived {
            test: test.to_owned(),
            plain: plain.test,
            path: Utf8PathBuf::from_path_buf(file.path.clone()).ok()?,
            text: plain.edits.apply(&file.text),
            origin: Origin::Made { source: file.text.clone(), edits: plain.edits, place, values },
        })
    }

    /// Why the plain test cannot be used.
    pub fn unusable(&self, why: &str) -> Failure {
        Failure::error(format!("`{}` cannot become a plain test: {why}", self.test))
            .hint("write it as a `#[test]` by hand, and reduce that test")
    }

    /// The text of a source, with the plain test in it.
    ///
    /// # Errors
    /// When the user's file cannot be read.
    pub fn read(&self, path: &Path) -> io::Result<String> {
        if path == self.path.as_std_path() {
            return Ok(self.text.clone());
        }
        std::fs::read_to_string(path)
    }

    /// The doc test, if it was made of one.
    pub fn doc_test(&self) -> Option<&ChosenDocTest> {
        match &self.origin {
            Origin::DocTest(example) => Some(&example.chosen),
            Origin::Made { .. } => None,
        }
    }

    /// Where the byte at `offset` of [`Derived::text`] comes from: the user's file, and the place there.
    pub fn place(&self, offset: usize) -> (&Utf8Path, LineColumn) {
        let (path, text, offset) = match &self.origin {
            Origin::DocTest(example) => {
                let Example { chosen, source, .. } = &**example;
                (&chosen.source, source, example.offset(offset))
            }
            Origin::Made { source, edits, place, .. } => {
                let original = edits.to_old(offset).filter(|_| !is_made(edits, offset));
                (&self.path, source, original.unwrap_or(*place))
            }
        };
        (path, LineIndex::new(text).as_panics_count(text, offset))
    }

    /// Whether it is a case of a property, which holds for all others, too.
    pub fn is_of_property(&self) -> bool {
        matches!(&self.origin, Origin::Made { values, .. } if *values != Values::User)
    }

    /// Whether it is a case of a property that holds for all values of its types.
    pub fn holds_for_all(&self) -> bool {
        matches!(self.origin, Origin::Made { values: Values::Types, .. })
    }

    /// Whether what stands there in [`Derived::text`] are values that a generator has made.
    pub fn is_generated(&self, path: &Utf8Path, offset: usize) -> bool {
        match &self.origin {
            Origin::Made { edits, .. } => {
                self.is_of_property() && self.path == path && is_made(edits, offset)
            }
            Origin::DocTest(_) => false,
        }
    }

    /// Where text that is put at `offset` of [`Derived::text`] goes in the user's file, with the text of
    /// that file; `None` if there is no such file.
    pub fn insertion(&self, offset: usize) -> Option<(&str, usize)> {
        match &self.origin {
            Origin::DocTest(_) => None,
            Origin::Made { source, edits, .. } => Some((source, edits.to_old(offset)?)),
        }
    }

    /// The user's file with edits of [`Derived::text`] carried over to it: its path, its text, and the new text.
    pub fn edited_source(&self, edits: &Edits) -> (&Utf8Path, &str, String) {
        match &self.origin {
            Origin::DocTest(example) => {
                let after = example.edits_of_source(edits).apply(&example.source);
                (&example.chosen.source, &example.source, after)
            }
            Origin::Made { source, .. } => (&self.path, source, edits.apply(&self.text)),
        }
    }

    /// The failure that rustdoc shows of the edited doc test, with its place as the plain test shows it.
    /// rustdoc puts the code into a file of its own that it calls as the user's, or as a bundle of many;
    /// its lines are not those of the comment. So a failure of the code's own, as `original` is, counts as
    /// in the same place there; the plain test tells places apart.
    pub fn as_plain(
        &self,
        shown: &Signature,
        original: &Signature,
        edits: &Edits,
        name_of: impl Fn(&Utf8Path) -> Utf8PathBuf,
    ) -> Signature {
        let mut mapped = shown.clone();
        if (shown.kind, original.kind) == (FailureKind::ShouldPanic, FailureKind::ShouldPanic) {
            // libtest says the same in other words, and names the function.
            return original.clone();
        }
        let (Origin::DocTest(example), Some(location)) = (&self.origin, &shown.location) else {
            return mapped;
        };
        let own = name_of(&self.path);
        let is_own = original.location.as_ref().is_some_and(|place| own == place.file.as_str());
        let in_source = name_of(&example.chosen.source) == location.file.as_str();
        if is_own && (in_source || location.file.contains(BUNDLE)) {
            mapped.location.clone_from(&original.location);
        } else if in_source {
            mapped.location = example.original_place(edits, location);
        }
        mapped
    }
}

impl Example {
    /// The place in the user's file of one in the edited file.
    fn original_place(&self, edits: &Edits, location: &Location) -> Option<Location> {
        let edits = self.edits_of_source(edits);
        location.moved(&edits.apply(&self.source), &self.source, |new| edits.to_old(new))
    }
}

/// Whether a byte of the edited text stands in what was put in.
fn is_made(edits: &Edits, offset: usize) -> bool {
    edits.iter().any(|edit| {
        let start = edits.to_new(edit.range.start) - edit.text.len();
        (start..start + edit.text.len()).contains(&offset)
    })
}

/// The code block that opens on that line, or on the next one: rustdoc drops the first line of a block
/// comment if it is empty, and does not count it.
fn code_block(source: &str, line: usize) -> Result<(usize, DocTest), DocTestError> {
    let find = |line| DocTest::find(source, line).map(|doc| (line, doc));
    find(line).or_else(|error| find(line + 1).map_err(|_| error))
}

/// What proptest prints between `minimal failing input:` and the counts that follow it.
fn failing_input(printed: &str) -> Option<&str> {
    let (_, rest) = printed.rsplit_once("minimal failing input: ")?;
    let end = rest.find("\n\tsuccesses: ")?;
    Some(rest[..end].trim())
}

/// What quickcheck prints in the brackets behind `Arguments:`.
fn failing_arguments(printed: &str) -> Option<&str> {
    let (_, rest) = printed.rsplit_once("[quickcheck] TEST FAILED")?;
    let (_, arguments) = rest.split_once("Arguments: (")?;
    arguments.lines().next()?.trim_end().strip_suffix(')')
}

/// What proptest or quickcheck says has failed: its words, without the values.
pub fn failed_property(message: &str) -> &str {
    if let Some(rest) = message.strip_prefix("[quickcheck] TEST FAILED") {
        return rest.split_once("\nError: ").map_or("assertion failed", |(_, error)| error);
    }
    let reason = message.strip_prefix("Test failed: ").unwrap_or(message);
    let end = reason.find("\nminimal failing input: ");
    reason[..end.unwrap_or(reason.len())].trim_end_matches(['.', '\n'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_values_of_a_failed_property_are_those_printed_last() {
        let printed = "Test failed: no.\nminimal failing input: a = [\n    1,\n], b = 2\n\tsuccesses: 3\n\
                       \tlocal rejects: 0\n";
        assert_eq!(failing_input(printed), Some("a = [\n    1,\n], b = 2"));
        assert_eq!(failed_property(printed), "no");
        assert_eq!(failing_input("panicked at x.rs:1:1"), None);
        let printed = "[quickcheck] TEST FAILED (runtime error). Arguments: ([1, 2], \"a)\")\nError: \"no\"\n";
        assert_eq!(failing_arguments(printed), Some("[1, 2], \"a)\""));
        assert_eq!(failed_property(printed), "\"no\"\n");
    }
}
