//! The files of the result.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use camino::{Utf8Path, Utf8PathBuf};

use super::subject::{CodeSubject, Shape};
use crate::cli::failure::Failure;
use crate::emit::flat_manifest::{FlatParts, flat};
use crate::emit::manifest::{KeptParts, pruned, with_members};
use crate::passes::Sources;
use crate::project::{CrateKind, TargetKind};

/// Which dependencies the manifests keep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Dependencies {
    /// Those that the sources name.
    Named,
    /// All.
    All,
}

/// Files by their paths in the folder of the result.
pub type Files = BTreeMap<Utf8PathBuf, Vec<u8>>;

/// The files of the package when sources stay where they are.
///
/// # Errors
/// When a file cannot be read.
pub fn kept_layout(
    subject: &CodeSubject,
    sources: &Sources,
    dependencies: Dependencies,
) -> Result<Files, Failure> {
    let root = subject.scratch.root();
    let mut files = Files::new();
    for file in &sources.files {
        files.insert(
            Utf8PathBuf::from(&*file.path),
            file.text.as_bytes().to_vec(),
        );
    }
    for path in &subject.original.crates.data {
        files.insert(path.clone(), read(&root.join(path))?);
    }
    let mut members = Vec::new();
    for package in packages(subject) {
        let manifest = package.folder.join("Cargo.toml");
        let text = String::from_utf8_lossy(&read(&root.join(&manifest))?).into_owned();
        let names_crate =
            |name: &str| dependencies == Dependencies::All || names(sources, &package.folder, name);
        let build_script = package.folder.join("build.rs");
        let has_build_script = root.join(&build_script).exists();
        if has_build_script {
            files.insert(build_script.clone(), read(&root.join(&build_script))?);
        }
        let kept = KeptParts {
            names_crate: &names_crate,
            has_library: package.has_library,
            target: target(subject).filter(|_| package.is_tested),
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
    files: &mut Files,
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
    let count = subject.original.crates.all.len();
    for (place, krate) in subject.original.crates.all.iter().enumerate() {
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

/// Where the one file of the result stands: where cargo looks for such a target.
#[must_use]
pub fn flat_path(subject: &CodeSubject) -> String {
    let name = subject.target.name.as_deref().unwrap_or_default();
    match subject.target.kind {
        TargetKind::Test => format!("tests/{name}.rs"),
        TargetKind::Bin => format!("src/bin/{name}.rs"),
        TargetKind::Example => format!("examples/{name}.rs"),
        TargetKind::Lib | TargetKind::Doc => "src/lib.rs".to_owned(),
    }
}

/// The files of the package when all code is in one file.
///
/// # Errors
/// When a file cannot be read.
pub fn flat_layout(
    subject: &CodeSubject,
    shape: &Shape,
    sources: &Sources,
    dependencies: Dependencies,
) -> Result<Files, Failure> {
    let root = subject.scratch.root();
    let text = |folder: &Utf8Path| -> Result<String, Failure> {
        let manifest = folder.join("Cargo.toml");
        Ok(String::from_utf8_lossy(&read(&root.join(manifest))?).into_owned())
    };
    let (tested, libraries): (Vec<Package>, Vec<Package>) =
        { packages(subject).into_iter() }.partition(|package| package.is_tested);
    let modules: BTreeSet<&str> = { subject.original.crates.all.iter() }
        .filter_map(|krate| krate.call.crate_name())
        .collect();
    let names_crate = |name: &str| {
        !modules.contains(name)
            && (dependencies == Dependencies::All || names(sources, Utf8Path::new(""), name))
    };
    let folder = tested
        .first()
        .map_or(Utf8Path::new(""), |package| &package.folder);
    let calls = shape.crates.all.iter().map(|krate| &krate.call);
    let features = calls
        .flat_map(|call| call.values("--cfg"))
        .filter_map(|cfg| {
            let name = cfg.strip_prefix("feature=\"")?.strip_suffix('"')?;
            Some(name.to_owned())
        });
    let libraries: Result<Vec<String>, Failure> = { libraries.iter() }
        .map(|package| text(&package.folder))
        .collect();
    let parts = FlatParts {
        tested: &text(folder)?,
        libraries: &libraries?,
        root: &text(Utf8Path::new(""))?,
        kept: KeptParts {
            names_crate: &names_crate,
            has_library: subject.target.kind == TargetKind::Lib,
            target: target(subject),
            has_build_script: false,
        },
        features: &features.collect(),
    };
    let manifest = flat(&parts).map_err(|error| unreadable(&folder.join("Cargo.toml"), &error))?;
    let mut files = Files::from([("Cargo.toml".into(), manifest.into_bytes())]);
    for file in &sources.files {
        files.insert(file.path.to_string().into(), file.text.as_bytes().to_vec());
    }
    if let Ok(lock) = fs::read(root.join("Cargo.lock")) {
        files.insert("Cargo.lock".into(), lock);
    }
    Ok(files)
}

/// The kind and the name of the target that holds the test, if that is not the library.
fn target(subject: &CodeSubject) -> Option<(&'static str, &str)> {
    let name = subject.target.name.as_deref()?;
    match subject.target.kind {
        TargetKind::Test => Some(("test", name)),
        TargetKind::Bin => Some(("bin", name)),
        TargetKind::Example => Some(("example", name)),
        TargetKind::Lib | TargetKind::Doc => None,
    }
}

fn read(path: &Utf8Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|error| Failure::error(format!("cannot read `{path}`: {error}")))
}

fn unreadable(path: &Utf8Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::error(format!("cannot read `{path}`: {error}"))
}
