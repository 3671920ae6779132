//! The result: a package of its own that the plain `cargo test` fails on.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};

use super::Kept;
use super::search::Found;
use super::subject::CodeSubject;
use crate::cli::config::Config;
use crate::cli::failure::Failure;
use crate::cli::plain_test::PlainTest;
use crate::cli::session::Session;
use crate::cli::start::Original;
use crate::disk::write_atomic;
use crate::emit::manifest::{KeptParts, pruned, with_members};
use crate::exec::Interrupt;
use crate::oracle::code::Place;
use crate::oracle::libtest::Verdict;
use crate::oracle::signature::Signature;
use crate::passes::{self, Sources};
use crate::project::{CrateKind, TargetKind};
use crate::report::{Artifacts, Status};

/// cargo itself needs some time before the test begins, and builds dependencies.
const CARGO_TIME: Duration = Duration::from_mins(5);

/// Writes the package and sees it fail; laid out by prettyplease and with only the dependencies that
/// are named, if it fails like that.
///
/// # Errors
/// When nothing can be written, or the plain test does not fail in the same way.
pub fn keep(
    session: &mut Session,
    config: &Config,
    subject: &CodeSubject,
    found: &Found,
    original: &Original,
    out: &Utf8Path,
) -> Result<Kept, Failure> {
    let pretty = found
        .best
        .rewrite(|_, text| passes::pretty(text).unwrap_or_else(|| text.to_owned()));
    let place = Place::new(
        original.rule.clone(),
        original.signature.clone(),
        &subject.sources,
    );
    if config.out.is_none() {
        clear(out)?;
    }
    let mut instead = String::new();
    for (sources, dependencies) in [
        (&pretty, Dependencies::Named),
        (&pretty, Dependencies::All),
        (&found.best, Dependencies::All),
    ] {
        let files = files(subject, sources, dependencies)?;
        write(out, &files)?;
        let test = PlainTest {
            config,
            manifest: &out.join("Cargo.toml"),
            target_dir: None,
            package: &subject.package,
            target: &subject.target,
            runner: subject.runner,
            test: &subject.test,
        };
        // The user may have stopped the search, but wants its result.
        let (verdict, said) = test.observe(CARGO_TIME, &Interrupt::new())?;
        session.count_build(verdict != Verdict::NotRun);
        match verdict {
            Verdict::Failed(shown) if place.is_same(&shown, sources) => {
                return Ok(kept(original, shown, out, &test));
            }
            Verdict::Failed(shown) => instead = format!("it fails with {shown}"),
            Verdict::Passed => "it passes".clone_into(&mut instead),
            Verdict::NotRun => instead = format!("it does not run\n{said}"),
        }
    }
    Err(Failure::new(
        Status::NotReproduced,
        format!("the plain `cargo test` does not confirm the reduction: {instead}"),
    )
    .hint(format!("the package is in `{out}`")))
}

fn kept(original: &Original, shown: Signature, out: &Utf8Path, test: &PlainTest<'_>) -> Kept {
    Kept {
        // Its place in the sources that the user knows.
        signature: Signature {
            location: original.signature.location.clone(),
            ..shown
        },
        artifacts: Artifacts {
            package: Some(out.to_string()),
            ..Artifacts::default()
        },
        command: test.shown(),
    }
}

/// Which dependencies the manifests keep.
#[derive(Clone, Copy, PartialEq)]
enum Dependencies {
    /// Those that the sources name.
    Named,
    /// All.
    All,
}

/// The files of the package, relative to its folder.
fn files(
    subject: &CodeSubject,
    sources: &Sources,
    dependencies: Dependencies,
) -> Result<BTreeMap<Utf8PathBuf, Vec<u8>>, Failure> {
    let root = subject.scratch.root();
    let mut files = BTreeMap::new();
    for file in &sources.files {
        files.insert(
            Utf8PathBuf::from(&*file.path),
            file.text.as_bytes().to_vec(),
        );
    }
    for path in &subject.crates.data {
        files.insert(path.clone(), read(&root.join(path))?);
    }
    let mut members = Vec::new();
    for package in packages(subject) {
        let manifest = package.folder.join("Cargo.toml");
        let text = String::from_utf8_lossy(&read(&root.join(&manifest))?).into_owned();
        let names_crate =
            |name: &str| dependencies == Dependencies::All || names(sources, &package.folder, name);
        let target = match (subject.target.kind, &subject.target.name) {
            (TargetKind::Test, Some(name)) => Some(("test", name.as_str())),
            (TargetKind::Bin, Some(name)) => Some(("bin", name.as_str())),
            (TargetKind::Example, Some(name)) => Some(("example", name.as_str())),
            _ => None,
        };
        let build_script = package.folder.join("build.rs");
        let has_build_script = root.join(&build_script).exists();
        if has_build_script {
            files.insert(build_script.clone(), read(&root.join(&build_script))?);
        }
        let kept = KeptParts {
            names_crate: &names_crate,
            has_library: package.has_library,
            target: target.filter(|_| package.is_tested),
            has_build_script,
        };
        let text = pruned(&text, &kept).map_err(|error| unreadable(&manifest, &error))?;
        files.insert(manifest, text.into_bytes());
        if !package.folder.as_str().is_empty() {
            members.push(package.folder);
        }
    }
    add_root(subject, &mut files, &members)?;
    Ok(files)
}

/// Adds the manifest of the workspace, and the versions of its dependencies.
fn add_root(
    subject: &CodeSubject,
    files: &mut BTreeMap<Utf8PathBuf, Vec<u8>>,
    members: &[Utf8PathBuf],
) -> Result<(), Failure> {
    let root = subject.scratch.root();
    let manifest = Utf8Path::new("Cargo.toml");
    let text = match files.get(manifest) {
        Some(text) => text.clone(),
        None => read(&root.join(manifest))?,
    };
    let members = members.iter().map(|member| member.as_str());
    let text = with_members(&String::from_utf8_lossy(&text), members)
        .map_err(|error| unreadable(manifest, &error))?;
    files.insert(manifest.to_owned(), text.into_bytes());
    if let Ok(lock) = fs::read(root.join("Cargo.lock")) {
        files.insert("Cargo.lock".into(), lock);
    }
    Ok(())
}

/// A package some of whose sources are part of the subject.
struct Package {
    /// Relative to the root of the copy.
    folder: Utf8PathBuf,
    has_library: bool,
    is_tested: bool,
}

fn packages(subject: &CodeSubject) -> Vec<Package> {
    let mut packages: Vec<Package> = Vec::new();
    let count = subject.crates.all.len();
    for (place, krate) in subject.crates.all.iter().enumerate() {
        let Some(folder) = { krate.call.env.get("CARGO_MANIFEST_DIR") }.and_then(|folder| {
            Utf8Path::new(folder)
                .strip_prefix(subject.scratch.root())
                .ok()
        }) else {
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
            None => packages.push(Package {
                folder: folder.to_owned(),
                has_library,
                is_tested,
            }),
        }
    }
    packages
}

/// Whether the sources below `folder` name that crate.
fn names(sources: &Sources, folder: &Utf8Path, name: &str) -> bool {
    let is_word = |symbol: char| symbol.is_alphanumeric() || symbol == '_';
    { sources.files.iter() }
        .filter(|file| Utf8Path::new(&*file.path).starts_with(folder))
        .any(|file| {
            file.text
                .split(|symbol| !is_word(symbol))
                .any(|word| word == name)
        })
}

/// Removes an earlier result from the folder, which is ours, but for what was built there.
fn clear(out: &Utf8Path) -> Result<(), Failure> {
    let cannot = |error: std::io::Error| Failure::error(format!("cannot clear `{out}`: {error}"));
    for entry in out.read_dir_utf8().map_err(cannot)? {
        let entry = entry.map_err(cannot)?;
        let kind = entry.file_type().map_err(cannot)?;
        if !kind.is_dir() {
            fs::remove_file(entry.path()).map_err(cannot)?;
        } else if entry.file_name() != "target" {
            fs::remove_dir_all(entry.path()).map_err(cannot)?;
        }
    }
    Ok(())
}

/// Writes the files.
fn write(out: &Utf8Path, files: &BTreeMap<Utf8PathBuf, Vec<u8>>) -> Result<(), Failure> {
    for (path, bytes) in files {
        write_atomic(out.join(path).as_std_path(), bytes)?;
    }
    Ok(())
}

fn read(path: &Utf8Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|error| Failure::error(format!("cannot read `{path}`: {error}")))
}

fn unreadable(path: &Utf8Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::error(format!("cannot read `{path}`: {error}"))
}
