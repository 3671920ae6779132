//! The sources and crates of a subject in one of the forms in which they are compiled.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use camino::Utf8PathBuf;

use crate::compile::{Crates, SubjectCrate};
use crate::project::Invocation;
use crate::rust::runs::Contrast;
use crate::rust::{
    AddedTest, CrateRoot, OriginalPlace, Part, Rows, SourceFile, Sources, State, failing_alone,
    flatten, function_of, function_text, with_nearest_assertions, with_tests_behind,
};
use crate::source::Crate;

/// The edition that code of all others can mostly be written in.
const SHARED_EDITION: &str = "2018";

/// The sources and crates of a subject.
#[derive(Clone)]
pub struct CodeShape {
    /// The crates, and how rustc is called for each.
    pub crates: Crates,
    /// The sources: the root of the test's crate first, paths relative to the copy.
    pub sources: Sources,
    /// The runs that have to pass with the same code, if the sources ask for their inputs.
    pub contrast: Option<Arc<Runs>>,
    /// The tests that have to pass along.
    pub companions: Arc<Companions>,
}

impl CodeShape {
    /// All of it as one file of one crate, or why it cannot be that.
    ///
    /// # Errors
    /// When the files or the calls of the compiler cannot be brought together.
    pub fn flattened(&self) -> Result<CodeShape, &'static str> {
        let tested = self.library();
        let roots = self.crates.all.iter().enumerate().map(|(place, krate)| {
            let has_tests = self.companions.of_library && Some(place) == tested;
            Some(CrateRoot { has_tests, ..crate_root(krate)? })
        });
        let roots: Vec<CrateRoot> = roots.collect::<Option<_>>().unwrap_or_default();
        let (tested, libraries) = roots.split_last().ok_or("a crate has no name")?;
        let crates = self.crates.merged().ok_or("several packages have build scripts")?;
        let sources = flatten(&self.sources, tested, libraries)
            .map_err(|_| "a file is not made of Rust's tokens")?;
        Ok(CodeShape { crates, sources, ..self.clone() })
    }

    /// The same as one file in its own edition and in that of 2018, the likelier one first: it may take what a later one
    /// rejects, where that of a library is an earlier one than that of the test; and in 2015 the file could not become
    /// a module, of several in one crate.
    pub fn in_editions(self, of: &CodeShape) -> Vec<CodeShape> {
        let own = self.crates.tested().map(|krate| edition(&krate.call));
        let oldest = of.crates.all.iter().map(|krate| edition(&krate.call)).min();
        let (Some(own), Some(oldest)) = (own, oldest) else { return vec![self] };
        let (is_older, is_newer) = (own < SHARED_EDITION, own > SHARED_EDITION);
        if !(is_older || is_newer && oldest <= SHARED_EDITION) {
            return vec![self];
        }
        let mut shared = self.clone();
        for krate in &mut shared.crates.all {
            krate.call = krate.call.in_edition(SHARED_EDITION);
        }
        if is_older { vec![shared, self] } else { vec![self, shared] }
    }

    /// The place of the library of the tested package, if the test stands outside of it.
    fn library(&self) -> Option<usize> {
        let (tested, others) = self.crates.all.split_last()?;
        let folder = |krate: &SubjectCrate| krate.call.env.get("CARGO_MANIFEST_DIR").cloned();
        others.iter().position(|krate| folder(krate) == folder(tested))
    }

    /// The same with the files of the library that only its own tests have, and `companions` among these; `None` if there
    /// is no such library.
    pub fn with_library_tests(&self, companions: Companions) -> Option<CodeShape> {
        let root = &self.crates.root;
        let file = self.crates.all[self.library()?].call.root_file()?;
        let path = root.join(file);
        let read = |path: &Path| fs::read_to_string(path);
        let krate = Crate::load(path.as_std_path(), root.as_std_path(), read).ok()?;
        let others = krate.files().iter().filter_map(|file| {
            let name = file.path.strip_prefix(root).ok()?.to_str()?;
            let is_new = self.sources.position(name).is_none();
            is_new.then(|| SourceFile::new(name, &*file.text))
        });
        let sources = self.sources.with(others);
        let companions = Arc::new(Companions { of_library: true, ..companions });
        Some(CodeShape { sources, companions, ..self.clone() })
    }

    /// The places of the files that only the crate of the test has, which is not the library that it tests.
    pub fn files_of_tests(&self) -> BTreeSet<usize> {
        let Some((tested, others)) = self.crates.all.split_last() else { return BTreeSet::new() };
        let is_own = |file: &&Utf8PathBuf| !others.iter().any(|krate| krate.files.contains(file));
        let own = tested.files.iter().filter(|_| !others.is_empty()).filter(is_own);
        own.filter_map(|file| self.sources.position(file.as_str())).collect()
    }

    /// Whether runs have to pass of which none comes to the place of the failure.
    pub fn misses_failure(&self) -> bool {
        self.contrast.as_ref().is_some_and(|runs| runs.beyond.is_some())
    }

    /// Whether it is one file of one crate.
    pub fn is_flat(&self) -> bool {
        self.sources.files.len() == 1 && self.crates.all.len() == 1
    }
}

fn crate_root(krate: &SubjectCrate) -> Option<CrateRoot> {
    Some(CrateRoot {
        name: krate.call.crate_name()?.to_owned(),
        file: krate.call.root_file()?.to_string(),
        is_2015: edition(&krate.call) == "2015",
        features: krate.call.features().map(str::to_owned).collect(),
        has_tests: false,
    })
}

pub(super) fn edition(call: &Invocation) -> &str {
    call.values("--edition").next().unwrap_or("2015")
}

/// The number of the run that fails.
pub(super) const FAILING: usize = 0;

/// How much of what runs in the failing run others run together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// None of them comes to a statement around the place of the failure.
    Elsewhere,
    /// There is a place to which none of them comes.
    Some,
    /// All of it, as far as is known.
    All,
}

impl Reach {
    /// That of runs of which none comes near the failure, or which all miss something.
    pub fn of(are_elsewhere: bool, all_miss: bool) -> Self {
        match (are_elsewhere, all_miss) {
            (true, _) => Reach::Elsewhere,
            (false, true) => Reach::Some,
            (false, false) => Reach::All,
        }
    }
}

/// The runs of a test.
#[derive(Debug, Clone)]
pub struct Runs {
    /// Their inputs.
    pub contrast: Contrast,
    /// Those that have to pass.
    pub passing: Vec<usize>,
    /// Whether they expect what the code has computed for their inputs, not what the test expects of its own.
    pub are_recorded: bool,
    /// How much of what runs in the failing run those run.
    pub reach: Reach,
    /// If none of those comes to the place of the failure, the number of the mark around it to which others can come.
    pub beyond: Option<usize>,
    /// Whether the same places run in all of those, or nothing is compared with nothing in them, or no test of the result can
    /// show them.
    pub say_little: bool,
    /// The library that knows them, as `NAME=PATH`.
    pub library: String,
}

impl Runs {
    /// The inputs that differ between the failing run and these, as Rust source: those of the failing run, then of each of
    /// these.
    pub fn inputs_of(&self, runs: &[usize]) -> Vec<String> {
        let value = |values: &Vec<String>, run: usize| values.get(run).cloned().unwrap_or_default();
        let is_differing = |values: &&Vec<String>| {
            runs.iter().any(|run| value(values, *run) != value(values, FAILING))
        };
        let differing: Vec<_> = self.contrast.inputs.iter().filter(is_differing).collect();
        let of = |run: usize| {
            let texts = differing.iter().map(|values| value(values, run));
            texts.collect::<Vec<String>>().join(", ")
        };
        std::iter::once(FAILING).chain(runs.iter().copied()).map(of).collect()
    }
}

/// How much tests say of what the code has to do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Telling {
    /// Too little.
    #[default]
    Little,
    /// They run all that the failing one calls.
    OfCalled,
    /// They run all that runs in the failing one, or the user has named them.
    OfAll,
}

/// Tests that pass, and have to do so along with the one that fails.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Companions {
    /// Their names, in one crate if they are tests of the library.
    pub names: Vec<String>,
    /// How much they say of what the code has to do.
    pub telling: Telling,
    /// Whether they are tests of the library that the failing one uses.
    pub of_library: bool,
    /// What they keep beside the assertions that are most like what the failing test says, if these are their only ones.
    pub trimmed: Option<State>,
    /// Which rows they keep of their tables, by the functions of the tests.
    pub rows: Vec<(String, Vec<usize>)>,
    /// Those among them that are parts of the failing one.
    pub added: Vec<AddedTest>,
    /// What of the failing test fails alone: a row of its table, or the assertion.
    pub failing_alone: Option<Part>,
    /// How the failing test reads then, if they are like that.
    pub like: Option<String>,
}

/// So many assertions a test keeps that is trimmed.
const MOST_ASSERTIONS: usize = 3;

impl Companions {
    /// The same shape with only what fails in the test `failing`, at a place that `is_failure`, if it has that.
    pub fn with_failing_alone(
        &self,
        shape: &CodeShape,
        failing: &str,
        is_failure: impl Fn(OriginalPlace) -> bool,
    ) -> Option<CodeShape> {
        let (all, failing) = (&shape.sources, function_of(failing));
        let edit = match self.failing_alone? {
            Part::Row(row) => Rows::of(all, failing, is_failure)?.failing_alone(row),
            Part::Failing(state) => failing_alone(all, failing, is_failure, state)?.edit,
            Part::Passing => return None,
        };
        Some(CodeShape { sources: all.edit_all(&[edit]), ..shape.clone() })
    }

    /// Whether they say what the code has to do.
    pub fn are_telling(&self) -> bool {
        self.telling > Telling::Little
    }

    /// A shape of the subject with these tests as they have to pass beside `failing`, but for parts of that where the
    /// shape does not have it.
    pub fn beside(&self, shape: &CodeShape, failing: &str) -> CodeShape {
        let mut companions = self.clone();
        let failing = function_of(failing);
        let with_added = with_tests_behind(&shape.sources, failing, &self.added);
        if with_added.is_none() {
            let is_added = |name: &String| self.added.iter().any(|it| it.name == function_of(name));
            companions.names.retain(|name| !is_added(name));
        }
        let mut sources = with_added.unwrap_or_else(|| shape.sources.clone());
        for (test, rows) in &self.rows {
            let table = Rows::longest_in(&sources, test, rows.len());
            let edit = table.and_then(|table| table.with_only(rows));
            sources = sources.edit_all(edit.as_slice());
        }
        if let Some(state) = self.trimmed {
            let names: Vec<&str> = companions.names.iter().map(|test| function_of(test)).collect();
            let like = self.like.clone().unwrap_or_else(|| function_text(&sources, failing));
            sources = with_nearest_assertions(&sources, &names, &like, MOST_ASSERTIONS, state);
        }
        CodeShape { sources, companions: Arc::new(companions), ..shape.clone() }
    }
}
