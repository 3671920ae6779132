//! A newer version of the package that fails, which may not have the bug.

use std::collections::BTreeSet;

use super::start::Original;
use super::subject::Subject;
use crate::app::session::Session;

/// The package from elsewhere in whose code a test fails, or of whose results it says that they are wrong, with its newest
/// version, as `--passes-with` takes it; `None` where cargo knows of no newer one that can take its place, or it is not
/// clear which package it is.
pub fn newer(session: &Session, subject: &Subject, original: &Original) -> Option<String> {
    let foreign = session.workspace.foreign_dependencies(&subject.target.manifest_path);
    if foreign.is_empty() {
        return None;
    }
    let mut outsiders = session.workspace.outsiders().ok()?;
    let call = original.call.as_ref().map(|call| &call.in_sources.place);
    let places = [original.signature.location.as_ref(), call];
    let is_there = |folder: &camino::Utf8Path| {
        let mut places = places.iter().flatten();
        places.any(|place| camino::Utf8Path::new(&place.file).starts_with(folder))
    };
    if outsiders.iter().any(|package| is_there(&package.folder)) {
        outsiders.retain(|package| is_there(&package.folder));
    } else {
        outsiders.retain(|package| foreign.contains(&package.name) && subject.names(&package.name));
    }
    let newer =
        outsiders.iter().filter_map(|package| Some((&package.name, package.newer_version()?)));
    let newer: BTreeSet<String> =
        newer.map(|(name, version)| format!("{name}@{version}")).collect();
    let mut newer = newer.into_iter();
    newer.next().filter(|_| newer.next().is_none())
}

impl Subject {
    /// Whether the sources of the test's crate name this package.
    fn names(&self, package: &str) -> bool {
        let name = package.replace('-', "_");
        self.krate.files().iter().any(|file| file.text.contains(&name))
    }
}
