//! The files of the result.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};

use super::files::{Files, read, text};
use super::neighbours::{Neighbours, beside_sources};
use super::subject::{CodeSubject, packages};
use crate::app::failure::{Failure, Result};
use crate::emit::manifest::{KeptParts, as_member, pruned, with_members};
use crate::project::TargetKind;
use crate::rust::Sources;
use crate::source::scan::has_word;

/// What comes along with the sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extras {
    /// The dependencies that the sources name.
    Named,
    /// Build scripts and files that are no sources, too: a test may read them when it runs.
    Files,
    /// All dependencies and files, too.
    All,
}

/// The files of the package when sources stay where they are.
///
/// # Errors
/// When a file cannot be read.
pub fn kept_layout(subject: &CodeSubject, sources: &Sources, extras: Extras) -> Result<Files> {
    let root = subject.scratch.root();
    let packages = packages(subject);
    let mut files = Files::new();
    if extras >= Extras::Files {
        for package in &packages {
            let with_prose = extras == Extras::All;
            let beside = beside_sources(&subject.scratch, &package.folder, with_prose)?;
            files.extend(beside);
        }
    }
    files.extend(kept_sources(subject, sources, extras));
    for path in &subject.original.crates.data {
        if extras >= Extras::Files || is_named(sources, path) {
            files.insert(path.clone(), read(&root.join(path))?);
        }
    }
    let mut neighbours = Neighbours::new(subject, &packages);
    for package in &packages {
        let manifest = package.folder.join("Cargo.toml");
        let text = text(&root.join(&manifest))?;
        let names_crate =
            |name: &str| extras == Extras::All || names(sources, &package.folder, name);
        let kept = KeptParts {
            names_crate: &names_crate,
            has_library: package.has_library,
            target: target(subject).filter(|_| package.is_tested),
            has_build_script: extras >= Extras::Files,
        };
        let mut text =
            pruned(&text, &kept).map_err(|error| Failure::unreadable(&manifest, &error))?;
        if !package.folder.as_str().is_empty() {
            text = as_member(&text).map_err(|error| Failure::unreadable(&manifest, &error))?;
        }
        neighbours.add(&text, &package.folder)?;
        files.insert(manifest, text.into_bytes());
    }
    let members = packages.into_iter().map(|package| package.folder);
    let members: Vec<Utf8PathBuf> =
        members.chain(neighbours.folders).filter(|folder| !folder.as_str().is_empty()).collect();
    files.extend(neighbours.files);
    add_root(subject, &mut files, &members)?;
    Ok(files)
}

/// The sources; those with nothing left are only kept where they may be needed.
fn kept_sources<'s>(
    subject: &'s CodeSubject,
    sources: &'s Sources,
    extras: Extras,
) -> impl Iterator<Item = (Utf8PathBuf, Vec<u8>)> + 's {
    let is_root = |path: &str| {
        let mut crates = subject.original.crates.all.iter();
        crates.any(|krate| krate.call.root_file().is_some_and(|root| root == path))
    };
    let kept = sources.files.iter().filter(move |file| {
        extras >= Extras::Files || is_root(&file.path) || !file.text.trim().is_empty()
    });
    kept.map(|file| (file.path.to_string().into(), file.text.as_bytes().to_vec()))
}

/// Whether the sources have the name of that file.
pub fn is_named(sources: &Sources, path: &Utf8Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    sources.files.iter().any(|file| file.text.contains(name))
}

/// Adds the manifest of the workspace, and the versions of its dependencies.
fn add_root(subject: &CodeSubject, files: &mut Files, members: &[Utf8PathBuf]) -> Result<()> {
    let root = subject.scratch.root();
    let manifest = Utf8Path::new("Cargo.toml");
    let text = match files.get(manifest) {
        Some(text) => text.clone(),
        None => read(&root.join(manifest))?,
    };
    let members = members.iter().map(|member| member.as_str());
    let text = with_members(&String::from_utf8_lossy(&text), members)
        .map_err(|error| Failure::unreadable(&manifest, &error))?;
    files.insert(manifest.to_owned(), text.into_bytes());
    if let Ok(lock) = fs::read(root.join("Cargo.lock")) {
        files.insert("Cargo.lock".into(), lock);
    }
    Ok(())
}

/// Whether the sources below `folder` name that crate.
pub fn names(sources: &Sources, folder: &Utf8Path, name: &str) -> bool {
    sources
        .files
        .iter()
        .filter(|file| Utf8Path::new(&*file.path).starts_with(folder))
        .any(|file| has_word(&file.text, name))
}

/// The kind and the name of the target that holds the test, if that is not the library.
pub fn target(subject: &CodeSubject) -> Option<(&'static str, &str)> {
    let name = subject.target.name.as_deref()?;
    match subject.target.kind {
        TargetKind::Test => Some(("test", name)),
        TargetKind::Bin => Some(("bin", name)),
        TargetKind::Example => Some(("example", name)),
        TargetKind::Lib | TargetKind::Doc => None,
    }
}
