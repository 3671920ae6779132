//! What `--code` reduces: the sources of the tested package and of the local packages it uses.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};

use super::adopt::{adopt, build_adopted};
use super::data::share;
use super::shape::CodeShape;
use crate::app::failure::{Failure, Result};
use crate::app::find::Chosen;
use crate::app::session::Session;
use crate::compile::{Crates, Libraries, Pace, SubjectCrate};
use crate::jobs::inputs::origin::Derived;
use crate::oracle::runner::TestRunner;
use crate::oracle::signature::Signature;
use crate::project::{CrateKind, Invocation, Scratch, TargetChoice, TargetKind, TestBinary};
use crate::rust::{Sameness, SourceFile, Sources, modern};

/// What the variables start with in which cargo tells where programs are.
const PROGRAM: &str = "CARGO_BIN_EXE_";

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
    /// The file of the test in which tests are written out, if a macro makes them.
    pub written_out: Option<Derived>,
    /// How long the compiler takes.
    pub pace: Pace,
    /// The libraries that were compiled for it.
    pub libraries: Libraries,
    /// The folders of packages from outside the workspace, and where they stand in the copy.
    adopted: Vec<(Utf8PathBuf, Utf8PathBuf)>,
}

impl CodeSubject {
    /// The number of a file of the user's among `sources` of the copy.
    pub fn position(&self, sources: &Sources, file: &Utf8Path) -> Option<usize> {
        let copy = self.scratch.path_of(file)?;
        sources.position(copy.strip_prefix(self.scratch.root()).ok()?.as_str())
    }

    /// Builds the copy once and reads what is compiled.
    ///
    /// # Errors
    /// When the copy does not build, or a source cannot be read.
    pub fn new(session: &Session, scratch: &Scratch, chosen: &Chosen) -> Result<Self> {
        let adopted = adopt(session, scratch)?;
        let (built, calls) = build_adopted(session, scratch, chosen, &adopted)?;
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
            written_out: None,
            pace: Pace::default(),
            libraries: Libraries::default(),
            adopted: adopted.into_iter().map(|package| (package.from, package.folder)).collect(),
        })
    }

    /// A failure of the user's tree with its place in the copy.
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

/// The libraries of the workspace that were compiled for the test, and the test itself.
fn crates(scratch: &Scratch, calls: Vec<Invocation>, binary: &TestBinary) -> Result<Crates> {
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
    let mut programs = env.keys().filter_map(|name| name.strip_prefix(PROGRAM));
    let is_asked = sources
        .files
        .iter()
        .any(|file| file.text.contains(PROGRAM) || file.text.contains("cargo_bin"));
    programs.next().filter(|_| is_asked).map(str::to_owned)
}

/// A path as seen from the root of the copy; procedural macros name what they read by absolute paths.
fn in_root<'p>(root: &Utf8Path, path: &'p Utf8Path) -> &'p Utf8Path {
    path.strip_prefix(root).unwrap_or(path)
}

fn is_own(path: &Utf8Path, scratch: &Scratch) -> bool {
    path.starts_with(scratch.root()) && !path.starts_with(scratch.target_dir())
}

fn read(crates: &Crates) -> Result<Sources> {
    let mut seen = BTreeSet::new();
    let mut files = Vec::new();
    // The root of the test's crate comes first.
    for path in crates.all.iter().rev().flat_map(|krate| &krate.files) {
        if !seen.insert(path) {
            continue;
        }
        let text = fs::read_to_string(crates.root.join(path))
            .map_err(|error| Failure::unreadable(&path, &error))?;
        files.push(SourceFile::new(path.as_str(), text));
    }
    let sources = Sources::new(files, Sameness::Tokens);
    let edits = sources.files.iter().enumerate();
    let edits: Vec<_> =
        edits.filter_map(|(place, file)| Some((place, modern(&file.text)?))).collect();
    Ok(sources.edit_all(&edits))
}

/// A package some of whose sources are part of the subject.
pub struct Package {
    /// Relative to the root of the copy.
    pub folder: Utf8PathBuf,
    /// Whether it has a library.
    pub has_library: bool,
    /// Whether it holds the test.
    pub is_tested: bool,
}

/// The packages of the subject.
pub fn packages(subject: &CodeSubject) -> Vec<Package> {
    let mut packages: Vec<Package> = Vec::new();
    let count = subject.original.crates.all.len();
    for (place, krate) in subject.original.crates.all.iter().enumerate() {
        let Some(folder) = krate
            .call
            .env
            .get("CARGO_MANIFEST_DIR")
            .and_then(|folder| Utf8Path::new(folder).strip_prefix(subject.scratch.root()).ok())
        else {
            continue;
        };
        let is_tested = place + 1 == count;
        let has_library = krate.call.kind() == CrateKind::Library
            || is_tested && subject.target.kind == TargetKind::Lib;
        match packages.iter_mut().find(|known| known.folder == folder) {
            Some(known) => {
                known.has_library |= has_library;
                known.is_tested |= is_tested;
            }
            None => packages.push(Package { folder: folder.to_owned(), has_library, is_tested }),
        }
    }
    packages
}
