//! The code that is suspicious: what only failing runs reach, and so no run that passes would miss.
//!
//! Abreu et al., "On the Accuracy of Spectrum-based Fault Localization" (2007): with one failing spectrum, such places are
//! those of the highest Ochiai coefficient, 1.

use std::ops::Range;

use super::build::Build;
use crate::reduce::RangeExt;
use crate::rust::{OriginalRange, Sources};

/// So many bytes, some twenty lines, may be suspicious. If it is more, the runs that pass do another thing, so it says nothing.
const MOST_BYTES: usize = 800;

/// What only failing runs reach, outside of what is above suspicion.
#[derive(Debug, Default)]
pub struct Suspects {
    /// The places, if they are few: those that are in no other.
    pub ranges: Vec<OriginalRange>,
    /// For each switch whether it is one of them, in one of them, or around one.
    pub touched: Vec<bool>,
}

impl Suspects {
    /// Those of the places that are `only_failing`, but for the ones in what is `above_suspicion`: files of `sources` and bytes
    /// in them.
    pub fn of(
        build: &Build,
        sources: &Sources,
        only_failing: &[bool],
        above_suspicion: &[(usize, Range<usize>)],
    ) -> Self {
        let outermost = outermost(build, only_failing, above_suspicion);
        let bytes: usize = outermost.iter().map(|(_, range)| range.len()).sum();
        if bytes > MOST_BYTES {
            return Suspects { ranges: Vec::new(), touched: vec![false; build.len()] };
        }
        let ranges =
            outermost.iter().filter_map(|(file, range)| sources.original_range(*file, range));
        let places = build.places_of_files();
        let touched = places.map(|(file, place)| {
            let affected = place.affected();
            outermost.iter().any(|(other, suspect)| *other == file && affected.overlaps(suspect))
        });
        Suspects { ranges: ranges.collect(), touched: touched.collect() }
    }
}

/// The places that are suspicious and in no other that is.
fn outermost(
    build: &Build,
    only_failing: &[bool],
    above_suspicion: &[(usize, Range<usize>)],
) -> Vec<(usize, Range<usize>)> {
    let is_in = |(file, place): &(usize, Range<usize>), around: &(usize, Range<usize>)| {
        around.0 == *file && around.1.covers(place)
    };
    let places = build.places_of_files().map(|(file, place)| (file, place.range.clone()));
    let mut outermost: Vec<(usize, Range<usize>)> = Vec::new();
    for (place, _) in places.zip(only_failing).filter(|(_, only)| **only) {
        let mut around = above_suspicion.iter().chain(&outermost);
        if !around.any(|around| is_in(&place, around)) {
            outermost.push(place);
        }
    }
    outermost
}
