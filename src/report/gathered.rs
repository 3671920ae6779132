//! What became of each test, gathered from events for reports that tell of one test as a whole.

use std::collections::HashMap;
use std::fmt::Write;

use super::phrases::counted;
use super::{Event, ReducedFile, ReducedInput, Summary};
use crate::oracle::signature::{Location, Signature};

/// What became of a test, or of files.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TestResult {
    /// The test; empty where the job has ended before one was found.
    pub test: String,
    pub package: String,
    /// How it failed at first.
    pub signature: Option<Signature>,
    pub inputs: Vec<InputResult>,
    pub files: Vec<ReducedFile>,
    pub summary: Summary,
}

/// An input that was made smaller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct InputResult {
    /// The file and line where it stands.
    pub place: Option<String>,
    pub reduced: ReducedInput,
}

/// What was told of the test under way.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    /// The name of the test that has its turn, if there are several.
    name: String,
    failure: Option<(String, String, Signature)>,
    places: HashMap<usize, String>,
    inputs: Vec<InputResult>,
    files: Vec<ReducedFile>,
}

impl Gathered {
    /// Notes an event; the one that ends a job gives what became of it.
    pub(super) fn take(&mut self, event: &Event) -> Option<TestResult> {
        match event {
            Event::Test { name, .. } => self.name.clone_from(name),
            Event::Failure { test, package, signature } => {
                let failure = Some((test.clone(), package.clone(), signature.clone()));
                *self = Gathered { failure, ..Gathered::default() };
            }
            Event::Input(input) => {
                self.places.insert(input.id, format!("{}:{}", input.file, input.line));
            }
            Event::Reduced(reduced) if reduced.text != reduced.original => {
                let place = self.places.get(&reduced.id).cloned();
                self.inputs.push(InputResult { place, reduced: reduced.clone() });
            }
            Event::File(file) => self.files.push(file.clone()),
            Event::Summary(summary) => {
                let Gathered { name, failure, inputs, files, .. } = std::mem::take(self);
                let (test, package, signature) = match failure {
                    Some((test, package, signature)) => (test, package, Some(signature)),
                    None => (name, String::new(), None),
                };
                let summary = summary.clone();
                return Some(TestResult { test, package, signature, inputs, files, summary });
            }
            _ => {}
        }
        None
    }
}

impl TestResult {
    /// What the test is called.
    pub(super) fn name(&self) -> &str {
        if self.test.is_empty() { "cargo reduce" } else { &self.test }
    }

    /// It in one line: `it fails with 11 elements instead of 11222`.
    pub(super) fn headline(&self) -> String {
        let all = || self.inputs.iter().map(|input| &input.reduced);
        let sum = |size: fn(&ReducedInput) -> usize| all().map(size).sum::<usize>();
        let (before, after) = (sum(|it| it.elements_before), sum(|it| it.elements_after));
        let name = self.name();
        if let Some(error) = &self.summary.error {
            return format!("{name} was not reduced: {error}");
        }
        match self.files.as_slice() {
            [] if before > after => {
                let after = counted(after as u64, "element");
                format!("{name} fails with {after} instead of {before}")
            }
            [] if self.inputs.is_empty() => format!("{name} fails, and no smaller input does"),
            [] => format!("{name} fails with simpler inputs"),
            files => {
                let sum = |lines: fn(&ReducedFile) -> u64| files.iter().map(lines).sum::<u64>();
                let (before, after) = (sum(|it| it.lines_before), sum(|it| it.lines_after));
                format!("{name} fails with {} instead of {before}", counted(after, "line"))
            }
        }
    }

    /// The failure, as it was seen last.
    pub(super) fn failure(&self) -> Option<&Signature> {
        self.summary.signature.as_ref().or(self.signature.as_ref())
    }

    /// The failure, and what each input was reduced to.
    pub(super) fn text(&self) -> String {
        let mut all = self.failure().map(|signature| format!("{signature}\n")).unwrap_or_default();
        for input in &self.inputs {
            let text = &*input.reduced.text;
            let text = if text.is_empty() { "nothing" } else { text };
            let place = input.place.as_deref().unwrap_or("an input");
            let _ = writeln!(all, "{place} was reduced to {text}");
        }
        if let Some(doubt) = &self.summary.doubt {
            let _ = writeln!(all, "in doubt: {doubt}");
        }
        if let Some(path) = &self.summary.artifacts.regression_test {
            let _ = writeln!(all, "the regression test is {path}");
        }
        all
    }

    /// Where it fails in a file of the user, if that is known.
    pub(super) fn place(&self) -> Option<&Location> {
        let location = self.signature.as_ref()?.location.as_ref()?;
        (!location.file.starts_with('/')).then_some(location)
    }
}
