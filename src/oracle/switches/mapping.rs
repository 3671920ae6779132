//! From a place in the sources with switches back to the plain ones.

use super::build::Build;
use crate::oracle::signature::{Location, Signature};
use crate::passes::Sources;
use crate::source::{LineColumn, LineIndex};

/// The same failure, its place as the plain sources have it. A place outside of them stays.
#[must_use]
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
    let file = { build.files.iter() }.find(|file| file.path == location.file)?;
    let place = LineColumn {
        line: location.line as usize,
        column: location.column as usize,
    };
    let text = &file.instrumented.text;
    let offset = LineIndex::new(text).offset(text, place)?;
    let text = &sources.files[file.file].text;
    let plain = file.instrumented.edits.to_old(offset)?;
    let place = LineIndex::new(text).line_column(text, plain);
    let (line, column) = (
        u32::try_from(place.line).ok()?,
        u32::try_from(place.column).ok()?,
    );
    Some(Location::new(location.file.clone(), line, column))
}
