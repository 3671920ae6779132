//! The files of the result when all code is in one file.

use std::collections::BTreeSet;

use camino::Utf8Path;

use super::data::place;
use super::files::{Files, read, text};
use super::layout::{Extras, is_named, names, target};
use super::neighbours::{Neighbours, beside_sources, has_script};
use super::shape::CodeShape;
use super::subject::{CodeSubject, Package, packages};
use crate::app::failure::{Failure, Result};
use crate::emit::cfg_build_script::cfg_build_script;
use crate::emit::flat_manifest::flat;
use crate::emit::local_paths::rebased;
use crate::emit::manifest::FlatParts;
use crate::emit::manifest::KeptParts;
use crate::project::{Invocation, TargetKind};
use crate::rust::Sources;

/// Where the one file of the result stands: where cargo looks for such a target.
pub fn flat_path(subject: &CodeSubject) -> String {
    let name = subject.target.name.as_deref().unwrap_or_default();
    match subject.target.kind {
        TargetKind::Test => format!("tests/{name}.rs"),
        TargetKind::Bin => format!("src/bin/{name}.rs"),
        TargetKind::Example => format!("examples/{name}.rs"),
        TargetKind::Lib | TargetKind::Doc => "src/lib.rs".to_owned(),
    }
}

/// The files of the package.
///
/// # Errors
/// When a file cannot be read.
pub fn flat_layout(
    subject: &CodeSubject,
    shape: &CodeShape,
    sources: &Sources,
    extras: Extras,
) -> Result<Files> {
    let (tested, libraries): (Vec<Package>, Vec<Package>) =
        packages(subject).into_iter().partition(|package| package.is_tested);
    let mut files = Files::new();
    if extras >= Extras::Files {
        // What the tested package has wins.
        for package in libraries.iter().chain(&tested) {
            files.extend(at_root(subject, package, extras)?);
        }
    }
    for path in &subject.original.crates.data {
        if is_named(sources, path) {
            let place = place(&subject.original.crates, path, sources);
            let bytes = read(&subject.scratch.root().join(path))?;
            files.insert(place.to_owned(), bytes);
        }
    }
    let manifest = manifest(subject, shape, sources, &tested, &libraries, extras)?;
    let mut neighbours = Neighbours::new(subject, &packages(subject));
    neighbours.add(&manifest, Utf8Path::new(""))?;
    files.extend(neighbours.files);
    files.insert("Cargo.toml".into(), manifest.into_bytes());
    for file in &sources.files {
        files.insert(file.path.to_string().into(), file.text.as_bytes().to_vec());
    }
    if extras == Extras::Named {
        let conditions: Vec<&str> = conditions_named(shape, sources).collect();
        if !conditions.is_empty() {
            files.insert("build.rs".into(), cfg_build_script(conditions).into_bytes());
        }
    }
    if let Ok(lock) = read(&subject.scratch.root().join("Cargo.lock")) {
        files.insert("Cargo.lock".into(), lock);
    }
    Ok(files)
}

/// What a package has beside its sources, when its folder is the root.
fn at_root(subject: &CodeSubject, package: &Package, extras: Extras) -> Result<Files> {
    let with_prose = extras == Extras::All;
    let files = beside_sources(&subject.scratch, &package.folder, with_prose)?;
    let moved = files.into_iter().filter_map(|(path, bytes)| {
        let path = path.strip_prefix(&package.folder).ok()?.to_owned();
        Some((path, bytes))
    });
    Ok(moved.collect())
}

fn manifest(
    subject: &CodeSubject,
    shape: &CodeShape,
    sources: &Sources,
    tested: &[Package],
    libraries: &[Package],
    extras: Extras,
) -> Result<String> {
    let root = subject.scratch.root();
    let of = |package: &Package| -> Result<String> {
        let manifest = package.folder.join("Cargo.toml");
        let text = text(&root.join(&manifest))?;
        rebased(&text, &package.folder).map_err(|error| Failure::unreadable(&manifest, &error))
    };
    let modules: BTreeSet<&str> =
        subject.original.crates.all.iter().filter_map(|krate| krate.call.crate_name()).collect();
    let used = used_crates(shape);
    let names_crate = |name: &str| {
        !modules.contains(name)
            && used.contains(name)
            && (extras == Extras::All || names(sources, Utf8Path::new(""), name))
    };
    let names_feature = |name: &str| {
        let quoted = format!("{name:?}");
        extras == Extras::All || sources.files.iter().any(|file| file.text.contains(&quoted))
    };
    let with_script = tested
        .iter()
        .chain(libraries)
        .find(|package| extras >= Extras::Files && has_script(subject, &package.folder));
    let script = with_script.map(of).transpose()?;
    let libraries: Result<Vec<String>> = libraries.iter().map(of).collect();
    let tested = tested.first().map(of).transpose()?.unwrap_or_default();
    let parts = FlatParts {
        tested: &tested,
        libraries: &libraries?,
        root: &text(&root.join("Cargo.toml"))?,
        kept: KeptParts {
            names_crate: &names_crate,
            has_library: subject.target.kind == TargetKind::Lib,
            target: target(subject),
            has_build_script: false,
        },
        script: script.as_deref(),
        features: &active_features(shape),
        names_feature: &names_feature,
        edition: shape.crates.tested().and_then(|krate| krate.call.values("--edition").next()),
    };
    flat(&parts).map_err(|error| Failure::unreadable(&"Cargo.toml", &error))
}

/// The names of the crates that the code was compiled with: none of those that are optional and were not
/// asked for.
fn used_crates(shape: &CodeShape) -> BTreeSet<&str> {
    let calls = shape.crates.all.iter().map(|krate| &krate.call);
    calls
        .flat_map(|call| call.values("--extern"))
        .map(|value| value.split_once('=').map_or(value, |(name, _)| name))
        .map(|name| name.rsplit_once(':').map_or(name, |(_, name)| name))
        .collect()
}

/// The features that the code was compiled with.
fn active_features(shape: &CodeShape) -> BTreeSet<String> {
    let calls = shape.crates.all.iter().map(|krate| &krate.call);
    let features = calls.flat_map(Invocation::features);
    features.map(str::to_owned).collect()
}

/// The conditions that hold besides features and that the sources name: those that build scripts set.
fn conditions_named<'s>(shape: &'s CodeShape, sources: &Sources) -> impl Iterator<Item = &'s str> {
    let calls = shape.crates.all.iter().map(|krate| &krate.call);
    let conditions: BTreeSet<&str> = calls.flat_map(|call| call.values("--cfg")).collect();
    conditions.into_iter().filter(|condition| {
        let name = condition.split('=').next().unwrap_or_default();
        name != "feature" && names(sources, Utf8Path::new(""), name)
    })
}
