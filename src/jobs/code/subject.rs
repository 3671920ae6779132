//! What `--code` reduces: the sources of the tested package and of the local packages it uses.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};

use super::adopt::{adopt, build_adopted};
use super::companions::Companions;
use super::contrast::Runs;
use super::data::share;
use crate::app::config::Config;
use crate::app::failure::Failure;
use crate::app::find::Chosen;
use crate::app::session::Session;
use crate::compile::{Crates, SubjectCrate};
use crate::jobs::inputs::other_version::unlocked;
use crate::oracle::runner::TestRunner;
use crate::oracle::signature::Signature;
use crate::project::{
    Built, CrateKind, Invocation, Scratch, TargetChoice, TestBinary, build_and_tell,
};
use crate::rust::{CrateRoot, Sameness, SourceFile, Sources, flatten, modern};
use crate::source::Crate;

/// What the variables start with in which cargo tells where programs are.
const PROGRAM: &str = "CARGO_BIN_EXE_";

/// The edition that code of all others can mostly be written in.
const SHARED_EDITION: &str = "2018";

/// What is being reduced.
pub struct CodeSubject {
    /// The test.
    pub test: String,
    /// What runs it.
    pub runner: TestRunner,
    /// The package that holds it.
    pub package: String,
    /// The target that holds it.
    pub target: TargetChoice,
    /// The copy.
    pub scratch: Scratch,
    /// The test's binary in the copy.
    pub binary: TestBinary,
    /// The sources as they are.
    pub original: CodeShape,
    /// The folders of packages from outside the workspace, and where they stand in the copy.
    adopted: Vec<(Utf8PathBuf, Utf8PathBuf)>,
}

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
    #[must_use]
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
    #[must_use]
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

    /// Whether it is one file of one crate.
    #[must_use]
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

impl CodeSubject {
    /// Builds the copy once and reads what is compiled.
    ///
    /// # Errors
    /// When the copy does not build, or a source cannot be read.
    pub fn new(
        session: &mut Session,
        config: &Config,
        scratch: &Scratch,
        chosen: &Chosen,
    ) -> Result<Self, Failure> {
        let adopted = adopt(session, config, scratch)?;
        let (built, calls) = build_adopted(session, config, scratch, chosen, &adopted)?;
        let choice = &chosen.binary.choice;
        let binary =
            built.binaries.into_iter().find(|binary| binary.choice == *choice).ok_or_else(
                || Failure::error("cargo built the copy, but reported no test binary"),
            )?;
        let crates = crates(scratch, calls, &binary)?;
        share(scratch, &crates)?;
        let sources = read(&crates)?;
        if let Some(program) = program_that_runs(&crates, &sources) {
            return Err(Failure::error(format!(
                "`{}` runs the program `{program}` as another process, which `--code` cannot look into",
                chosen.test
            ))
            .hint("write a test that calls the program's code directly, and reduce that test")
            .hint("or leave out `--code` to reduce the inputs of this test"));
        }
        Ok(CodeSubject {
            test: chosen.test.clone(),
            runner: chosen.runner,
            package: chosen.package.clone(),
            target: choice.clone(),
            scratch: scratch.clone(),
            binary,
            original: CodeShape { crates, sources, contrast: None, companions: Arc::default() },
            adopted: adopted.into_iter().map(|package| (package.from, package.folder)).collect(),
        })
    }

    /// A failure of the user's tree with its place in the copy.
    #[must_use]
    pub fn in_copy(&self, signature: &Signature) -> Signature {
        let mut moved = signature.clone();
        if let Some(location) = &mut moved.location {
            let file = self.adopted.iter().find_map(|(from, to)| {
                let inside = Utf8Path::new(&location.file).strip_prefix(from).ok()?;
                Some(to.join(inside))
            });
            if let Some(file) = file {
                location.file = file.into_string();
            }
        }
        moved
    }
}

/// Builds the copy as it is.
///
/// # Errors
/// When cargo cannot be run.
pub(super) fn build(
    session: &mut Session,
    config: &Config,
    scratch: &Scratch,
    chosen: &Chosen,
) -> Result<(Built, Vec<Invocation>), Failure> {
    // What is fresh would not be built again, and its call not be told.
    for root in session.workspace.root_files() {
        if let Some(copy) = scratch.path_of(root) {
            scratch.touch(&copy)?;
        }
    }
    let manifest = scratch
        .path_of(&chosen.binary.manifest_path)
        .ok_or_else(|| Failure::error("the package lies outside its workspace"))?;
    let (built, calls) = build_and_tell(
        &manifest,
        &scratch.target_dir(),
        &unlocked(config).cargo,
        &chosen.package,
        &chosen.binary.choice,
        &session.interrupt,
    )?;
    session.count_build(built.success);
    Ok((built, calls))
}

/// The libraries of the workspace that were compiled for the test, and the test itself.
fn crates(
    scratch: &Scratch,
    calls: Vec<Invocation>,
    binary: &TestBinary,
) -> Result<Crates, Failure> {
    let root = scratch.root();
    let (mut libraries, mut tested) = (Vec::new(), None);
    let mut data = BTreeSet::new();
    for call in calls {
        let file = call.root_file().map(|file| root.join(file));
        let Some(file) = file.filter(|file| is_own(file, scratch)) else {
            continue;
        };
        let kind = call.kind();
        if kind == CrateKind::Other {
            continue;
        }
        let read = call.sources().map_err(|error| {
            Failure::error(format!(
                "cannot find out which source files belong to `{file}`: {error}"
            ))
        })?;
        let own = read.into_iter().filter(|path| is_own(&root.join(path), scratch));
        let (files, others): (Vec<Utf8PathBuf>, Vec<Utf8PathBuf>) =
            own.partition(|path| path.extension() == Some("rs"));
        // Sources that are named by absolute paths are not read from where candidates are.
        let files = files.into_iter().filter(|path| path.is_relative()).collect();
        let others = others.iter().map(|path| in_root(root, path).to_owned());
        data.extend(others);
        let krate = SubjectCrate { call, files };
        match kind {
            CrateKind::Test if file == binary.src_path => tested = Some(krate),
            CrateKind::Library => libraries.push(krate),
            CrateKind::Test | CrateKind::Other => {}
        }
    }
    let tested = tested.ok_or_else(|| {
        Failure::error("cargo did not report how it calls the compiler for this test")
            .hint("a rustc wrapper that hides the command line may be the cause")
    })?;
    libraries.push(tested);
    Ok(Crates { all: libraries, root: root.to_owned(), data: data.into_iter().collect() })
}

/// The program of the package that the test runs, if it does: cargo tells it where that is.
fn program_that_runs(crates: &Crates, sources: &Sources) -> Option<String> {
    let env = &crates.tested()?.call.env;
    let mut told = env.keys().filter_map(|name| name.strip_prefix(PROGRAM));
    let is_asked = sources
        .files
        .iter()
        .any(|file| file.text.contains(PROGRAM) || file.text.contains("cargo_bin"));
    told.next().filter(|_| is_asked).map(str::to_owned)
}

/// A path as seen from the root of the copy; procedural macros name what they read by absolute paths.
fn in_root<'p>(root: &Utf8Path, path: &'p Utf8Path) -> &'p Utf8Path {
    path.strip_prefix(root).unwrap_or(path)
}

fn is_own(path: &Utf8Path, scratch: &Scratch) -> bool {
    path.starts_with(scratch.root()) && !path.starts_with(scratch.target_dir())
}

fn read(crates: &Crates) -> Result<Sources, Failure> {
    let mut seen = BTreeSet::new();
    let mut files = Vec::new();
    // The root of the test's crate comes first.
    for path in crates.all.iter().rev().flat_map(|krate| &krate.files) {
        if !seen.insert(path) {
            continue;
        }
        let text = fs::read_to_string(crates.root.join(path))
            .map_err(|error| Failure::error(format!("cannot read `{path}`: {error}")))?;
        files.push(SourceFile::new(path.as_str(), text));
    }
    let sources = Sources::new(files, Sameness::Tokens);
    let edits = sources.files.iter().enumerate();
    let edits: Vec<_> =
        edits.filter_map(|(place, file)| Some((place, modern(&file.text)?))).collect();
    Ok(sources.edit_all(&edits))
}
