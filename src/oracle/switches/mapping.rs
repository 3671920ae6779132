//! From a place in the sources with switches back to the plain ones.

use super::build::Build;
use crate::oracle::signature::{Location, Signature};
use crate::rust::Sources;

/// The same failure, its place as the plain sources have it. A place outside of them stays.
pub fn plain_place(build: &Build, sources: &Sources, shown: &Signature) -> Signature {
    let mut mapped = shown.clone();
    if let Some(location) = &mut mapped.location
        && let Some(plain) = plain_location(build, sources, location)
    {
        *location = plain;
    }
    mapped
}

fn plain_location(build: &Build, sources: &Sources, location: &Location) -> Option<Location> {
    let file = build.files.iter().find(|file| file.path == location.file)?;
    let (from, to) = (&file.instrumented.text, &*sources.files[file.file].text);
    location.moved(from, to, |offset| file.instrumented.edits.to_old(offset))
}
