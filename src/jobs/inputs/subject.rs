//! The subject of an inputs job: the crate of the test, its function, its inputs.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::PathBuf;

use camino::{Utf8Path, Utf8PathBuf};

use super::numbers::Numbers;
use super::origin::Derived;
use crate::app::config::{Config, Goal};
use crate::app::failure::{Failure, Result};
use crate::app::find::{Chosen, ChosenDocTest};
use crate::app::session::Session;
use crate::oracle::runner::TestRunner;
use crate::oracle::signature::{Location, Match, Signature};
use crate::probe::wire::Wire;
use crate::project::{TargetKind, TestTarget, has_own_harness};
use crate::reduce::inputs::Inputs;

use crate::source::{
    Crate, Edits, Failing, FileIndex, FileRange, FoundInputs, LineColumn, Located, MacroTest,
    NotLocated, TestCode, edits_of, scan,
};

/// What is being reduced.
#[derive(Debug)]
pub struct Subject {
    /// The test, as what runs it calls it.
    pub test: String,
    /// What runs it.
    pub runner: TestRunner,
    /// The target that holds it.
    pub target: TestTarget,
    /// The crate it stands in.
    pub krate: Crate,
    /// Its function.
    pub located: Located,
    /// Its inputs.
    pub found: FoundInputs,
    /// Their numbers.
    pub numbers: Numbers,
    /// The folder relative to which rustc names files: the workspace's root.
    pub root: Utf8PathBuf,
    /// The edition of its package.
    pub edition: String,
    /// Files that it reads and that are not reduced.
    pub unreduced: Vec<PathBuf>,
    /// Where the test comes from, if it is none of the user's own functions.
    pub derived: Option<Derived>,
}

/// The crate of a test, and its function if there is one.
#[derive(Debug)]
pub struct Sources {
    /// The crate.
    pub krate: Crate,
    /// The function, or why there is none.
    pub located: Result<Located, NotLocated>,
}

impl Sources {
    /// Reads the sources of the test's crate.
    ///
    /// # Errors
    /// When a source cannot be read or parsed.
    pub fn load(chosen: &Chosen) -> Result<Self> {
        let root = chosen.binary.src_path.as_std_path();
        let krate =
            Crate::load(root, chosen.binary.cwd.as_std_path(), |path| fs::read_to_string(path))
                .map_err(|error| unreadable(&error.to_string()))?;
        let function = match chosen.runner {
            TestRunner::Own => "main",
            TestRunner::Libtest | TestRunner::Rustdoc => &chosen.test,
        };
        let located = match krate.find_test(function) {
            // A trial that the harness of the target's own makes, maybe of a file: `main` is what runs it.
            Err(NotLocated::Unknown { .. })
                if has_own_harness(&chosen.binary.manifest_path, &chosen.binary.choice) =>
            {
                krate.find_test("main").or(krate.find_test(function))
            }
            located => krate.unless_quickcheck(located),
        };
        Ok(Sources { krate, located })
    }

    /// The property test that has no function of its own.
    pub fn property(&self) -> Option<&NotLocated> {
        let why = self.located.as_ref().err()?;
        matches!(why, NotLocated::Proptest { .. } | NotLocated::Quickcheck { .. }).then_some(why)
    }

    /// The test written out as a plain one, if a macro of the crate's own makes it, or if it only calls such macros
    /// to compare values: with another version for a judge these stay as they are, but for snapshots.
    pub fn macro_test(&self, config: &Config, chosen: &Chosen) -> Option<MacroTest> {
        match &self.located {
            Err(why) if why.may_be_made() => self.krate.macro_test(&chosen.test),
            Ok(located) => self
                .krate
                .with_own_assertions(located, |path| fs::read_to_string(path).ok())
                .filter(|made| made.is_reworded || config.control.passes_with.is_none()),
            Err(_) => None,
        }
    }
}

/// A file of the user's before and after edits.
pub struct Edited<'a> {
    /// Where it stands.
    pub path: &'a Utf8Path,
    /// Its text as it is.
    pub before: &'a str,
    /// Its text with the edits.
    pub after: String,
}

impl Subject {
    /// The inputs of a test of the user's.
    ///
    /// # Errors
    /// When the test has no function, or no inputs.
    pub fn new(session: &Session, chosen: &Chosen, sources: Sources) -> Result<Self> {
        Self::without_inputs(session, chosen, sources)?.reading_inputs(&session.config, None)
    }

    /// A test of the user's, before its inputs are read.
    ///
    /// # Errors
    /// When the test has no function.
    pub fn without_inputs(session: &Session, chosen: &Chosen, sources: Sources) -> Result<Self> {
        let Sources { krate, located } = sources;
        let krate = krate.testing(tested_by(session, &chosen.target()));
        let located = located.map_err(|error| not_located(&krate, chosen, &error))?;
        let subject = Subject::of(session, chosen.target(), &chosen.test, krate, located);
        Ok(Subject { runner: chosen.runner, ..subject })
    }

    /// A test of a target, before its inputs are read.
    fn of(
        session: &Session,
        target: TestTarget,
        test: &str,
        krate: Crate,
        located: Located,
    ) -> Self {
        Subject {
            test: test.to_owned(),
            runner: TestRunner::Libtest,
            edition: session.workspace.edition(&target.package),
            target,
            krate,
            located,
            found: FoundInputs::default(),
            numbers: Numbers::default(),
            root: session.workspace.root().to_owned(),
            unreduced: Vec::new(),
            derived: None,
        }
    }

    /// The same with its inputs; with the failure and how closely it must be met, if the test is known to fail.
    ///
    /// # Errors
    /// When there are none.
    pub fn reading_inputs(
        self,
        config: &Config,
        failure: Option<(&Signature, &Match)>,
    ) -> Result<Self> {
        let listed = self.krate.inputs(&self.located, |path| fs::read(path));
        let found = self.found_with(config, failure, &listed);
        self.with_inputs(config, &listed, found)
    }

    /// Whether it is known by the failure that the test passes checks before it fails, of which there are several.
    pub fn passes_checks_before(&self, config: &Config, failure: (&Signature, &Match)) -> bool {
        let found = self.found_with(config, Some(failure), &self.found);
        let checks = found.passed.iter().filter_map(|id| found.inputs.get(*id));
        checks.map(|all| all.children().len()).sum::<usize>() > 1
    }

    /// Its inputs if the test is known to fail in this way; `listed` are those of which that is not known.
    fn found_with(
        &self,
        config: &Config,
        failure: Option<(&Signature, &Match)>,
        listed: &FoundInputs,
    ) -> FoundInputs {
        let read = |path: &std::path::Path| fs::read(path);
        let located = &self.located;
        // A difference is one of the inputs as they stand.
        let failure = failure.filter(|_| config.goal == Goal::Minimize);
        let failing = failure.map(|(failure, rule)| Failing {
            place: failure.location.as_ref().and_then(|place| self.offset_of(place)),
            expects_input: matches!(rule, Match::Difference),
            is_exact: matches!(rule, Match::Exact),
        });
        match (&config.control.passes_with, failing) {
            (None, None) => listed.clone(),
            // Whether an expected value is right, the other version knows.
            (version, failing) => {
                self.krate.inputs_where(located, failing, version.is_some(), read)
            }
        }
    }

    /// The inputs of a plain test made of another one; `target` is the one that holds it.
    ///
    /// # Errors
    /// When a source cannot be read or parsed, or there are no inputs.
    pub fn of_derived(session: &Session, target: TestTarget, derived: Derived) -> Result<Self> {
        Self::derived_without_inputs(session, target, derived)?
            .reading_inputs(&session.config, None)
    }

    /// The same before its inputs are read.
    ///
    /// # Errors
    /// When a source cannot be read or parsed.
    pub fn derived_without_inputs(
        session: &Session,
        target: TestTarget,
        derived: Derived,
    ) -> Result<Self> {
        let package = target.manifest_path.parent().unwrap_or(Utf8Path::new(""));
        let root = target.src_path.as_std_path();
        let krate = Crate::load(root, package.as_std_path(), |path| derived.read(path))
            .map_err(|error| derived.unusable(&error.to_string()))?
            .testing(tested_by(session, &target));
        let located = krate
            .find_test(&derived.plain)
            .map_err(|error| derived.unusable(&error.to_string()))?;
        let subject = Subject::of(session, target, &derived.plain, krate, located);
        Ok(Subject { derived: Some(derived), ..subject })
    }

    /// The same with these inputs, as far as the user wants them to be reduced; `listed` is what is found without a run.
    fn with_inputs(
        mut self,
        config: &Config,
        listed: &FoundInputs,
        found: FoundInputs,
    ) -> Result<Self> {
        let opened = std::mem::take(&mut self.found.opened);
        // The literals of a `main` that makes trials of files only find these.
        let is_of_files = self.is_trial() && !opened.files.is_empty();
        let found = if is_of_files { FoundInputs::default() } else { found };
        self.found = FoundInputs { opened, ..found };
        let subject = self.choosing(&config.choice, listed)?;
        if subject.found.boundary.is_empty() && subject.found.opened.files.is_empty() {
            subject.has_inputs()?;
        }
        Ok(subject)
    }

    /// Whether it has no function of its own: the target's own harness makes it in `main`.
    pub fn is_trial(&self) -> bool {
        self.runner == TestRunner::Libtest
            && self.located.function == "main"
            && self.test != self.located.function
    }

    /// Whether there is anything to reduce.
    ///
    /// # Errors
    /// When there is nothing.
    pub fn has_inputs(&self) -> Result<()> {
        if !self.found.has_inputs() {
            return Err(self.nothing_to_reduce());
        }
        Ok(())
    }

    /// The name by which the user knows the test.
    pub fn users_test(&self) -> &str {
        self.derived.as_ref().map_or(&self.test, |derived| &derived.test)
    }

    /// The doc test that the test was made of, if it was made of one.
    pub fn doc_test(&self) -> Option<&ChosenDocTest> {
        self.derived.as_ref()?.doc_test()
    }

    /// The folder of the test's package.
    pub fn package_dir(&self) -> &Utf8Path {
        let manifest = &self.target.manifest_path;
        manifest.parent().unwrap_or(Utf8Path::new(""))
    }

    /// A place in the user's own files: the file as rustc names it.
    pub fn users_place(&self, file: FileIndex, offset: usize) -> (Utf8PathBuf, LineColumn) {
        match &self.derived {
            Some(derived) if derived.path == self.path(file) => {
                let (path, place) = derived.place(offset);
                (self.named(path), place)
            }
            _ => (self.name(file), self.as_panics_count(file, offset)),
        }
    }

    /// A failure with its place in the user's own files.
    pub fn as_the_user_sees(&self, signature: &Signature) -> Signature {
        let mut seen = signature.clone();
        if let Some((file, offset)) = self.failed_at(signature) {
            let (name, place) = self.users_place(file, offset);
            seen.location = Location::at(name, place);
        }
        seen
    }

    /// How candidates of `original` are told to the probe.
    pub fn wire(&self, original: &Inputs) -> Wire {
        let observed = self.found.observed.iter();
        Wire::new(original).observing(observed.map(|(root, observed)| (*root, observed.place)))
    }

    /// A file as rustc names it: relative to the workspace's root where it can be.
    pub fn name(&self, file: FileIndex) -> Utf8PathBuf {
        self.named(&self.path(file))
    }

    /// A path as rustc names it.
    pub fn named(&self, path: &Utf8Path) -> Utf8PathBuf {
        path.strip_prefix(&self.root).map_or_else(|_| path.to_owned(), Utf8Path::to_owned)
    }

    /// Where a file stands.
    pub fn path(&self, file: FileIndex) -> Utf8PathBuf {
        let path = &self.krate.file(file).path;
        Utf8PathBuf::from_path_buf(path.clone())
            .unwrap_or_else(|path| path.to_string_lossy().into_owned().into())
    }

    /// A file of the user's with these edits.
    pub fn edited(&self, file: FileIndex, edits: &Edits) -> Edited<'_> {
        let (path, before, after) = match &self.derived {
            Some(derived) if derived.path == self.path(file) => derived.edited_source(edits),
            _ => {
                let krate = self.krate.file(file);
                let path = Utf8Path::from_path(&krate.path).unwrap_or(Utf8Path::new(""));
                (path, krate.text.as_str(), edits.apply(&krate.text))
            }
        };
        Edited { path, before, after }
    }

    /// The same failure with its place mapped back from an edited copy of the sources to the original.
    pub fn mapped_back(&self, signature: &Signature, edited: &[(FileIndex, Edits)]) -> Signature {
        let mut mapped = signature.clone();
        if let Some(location) = &mut mapped.location {
            let place = edited.iter().find(|(file, _)| self.name(*file) == location.file.as_str());
            let original = place.and_then(|(file, edits)| {
                let text = &self.krate.file(*file).text;
                location.moved(&edits.apply(text), text, |new| edits.to_old(new))
            });
            if let Some(original) = original {
                *location = original;
            }
        }
        mapped
    }

    /// A byte of an original file as rustc names it.
    pub fn location(&self, file: FileIndex, offset: usize) -> Option<Location> {
        Location::of_offset(self.name(file), &self.krate.file(file).text, offset)
    }

    /// Which of its code is that of tests.
    pub fn test_code(&self) -> TestCode {
        match self.target.choice.kind {
            TargetKind::Lib | TargetKind::Bin => TestCode::Marked,
            _ => TestCode::Crate,
        }
    }

    /// The byte of a source that rustc names so.
    pub fn offset_of(&self, location: &Location) -> Option<(FileIndex, usize)> {
        let mut files = self.krate.file_indices();
        let file = files.find(|file| self.name(*file) == location.file.as_str())?;
        Some((file, location.offset_in(&self.krate.file(file).text)?))
    }

    /// The byte at which a failure is told to be.
    pub fn failed_at(&self, signature: &Signature) -> Option<(FileIndex, usize)> {
        self.offset_of(signature.location.as_ref()?)
    }

    fn as_panics_count(&self, file: FileIndex, offset: usize) -> LineColumn {
        let source = self.krate.file(file);
        source.lines.as_panics_count(&source.text, offset)
    }

    /// The assertions of the tests as an edited copy of the sources places them.
    pub fn expectations(&self, edited: &[(FileIndex, Edits)]) -> Vec<Location> {
        self.located_in(edited, self.krate.assertions(self.test_code()))
    }

    /// As [`Subject::expectations`], of those to which a run may get that goes on where the failing one ends.
    pub fn later_expectations(
        &self,
        edited: &[(FileIndex, Edits)],
        failure: &Signature,
    ) -> Vec<Location> {
        let end = self.failed_at(failure);
        let checks = self.found.passed.iter().filter_map(|id| self.found.inputs.get(*id));
        let passed: Vec<_> = checks
            .flat_map(|checks| checks.children())
            .map(|check| self.found.place(check.id))
            .collect();
        let mut all = self.krate.assertions(self.test_code());
        all.retain(|(file, span)| {
            let is_passed = passed
                .iter()
                .any(|place| place.file == *file && place.range().contains(&span.start));
            // One around the place compares what is computed there.
            let is_before = end.is_some_and(|(other, offset)| {
                other == *file && (span.start == offset || span.end <= offset)
            });
            !is_passed && !is_before
        });
        self.located_in(edited, all)
    }

    fn located_in(
        &self,
        edited: &[(FileIndex, Edits)],
        assertions: Vec<FileRange>,
    ) -> Vec<Location> {
        let none = Edits::default();
        let mut texts = HashMap::new();
        let located = assertions.into_iter().filter_map(|(file, span)| {
            let edits = edits_of(edited, file).unwrap_or(&none);
            let text =
                texts.entry(file).or_insert_with(|| edits.apply(&self.krate.file(file).text));
            Location::of_offset(self.name(file), text, edits.to_new(span.start))
        });
        located.collect()
    }

    /// The texts in the function of the test: what it looks for in its inputs, maybe.
    pub fn looked_for(&self) -> Vec<String> {
        let Located { file, span, .. } = &self.located;
        let written = &self.krate.file(*file).text[span.clone()];
        scan::tokens(written).filter_map(|token| scan::unquoted(token.text, '"')).collect()
    }

    fn nothing_to_reduce(&self) -> Failure {
        let (file, place) = self.users_place(self.located.file, self.located.span.start);
        let mut failure = Failure::error(format!(
            "nothing to reduce in `{}` ({file}:{}): the test uses no literal, sequence or file that can be an input",
            self.users_test(),
            place.line,
        ));
        for skipped in self.found.skipped.iter().take(3) {
            let (file, place) = self.users_place(skipped.file, skipped.span.start);
            let line = place.line;
            failure = failure.hint(format!("not reduced: {file}:{line}: {}", skipped.why));
        }
        for file in self.unreduced_files().iter().take(3) {
            failure =
                failure.hint(format!("the test reads `{file}`, but that file cannot be reduced"));
        }
        failure
    }
}

/// The names of the crates that the tests of a target are for: the package's own, and what it depends on for more than
/// its tests.
fn tested_by(session: &Session, target: &TestTarget) -> BTreeSet<String> {
    session.workspace.tested_crates(&target.manifest_path).collect()
}

fn unreadable(error: &str) -> Failure {
    Failure::error(format!("cannot read the sources of the test's crate: {error}"))
        .hint("sources must be UTF-8 and parse as Rust")
}

fn not_located(krate: &Crate, chosen: &Chosen, error: &NotLocated) -> Failure {
    let mut failure = match chosen.runner {
        TestRunner::Own => Failure::error(format!(
            "`{}` sets `harness = false`, but its sources have no `main` function",
            chosen.test
        )),
        TestRunner::Libtest | TestRunner::Rustdoc => Failure::error(error.to_string()),
    };
    if let NotLocated::Macro { name, .. } = error {
        failure = failure.hint(format!(
            "write this case of `{name}!` as a plain `#[test]` function, and reduce that test"
        ));
    } else if has_own_harness(&chosen.binary.manifest_path, &chosen.binary.choice) {
        failure = failure.hint("or let a command of yours decide what counts as failing: `cargo reduce --oracle 'CMD' FILE`");
    }
    for trouble in krate.troubles() {
        failure = failure.hint(format!("cannot read a source file: {trouble}"));
    }
    failure
}
