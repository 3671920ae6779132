//! From the compiler's errors to the places that must be taken back.

use std::collections::BTreeSet;
use std::ops::Range;

use super::place::{SwitchKind, SwitchPlaces};
use super::{Instrumented, Mode};
use crate::reduce::RangeExt;

/// An error of the compiler in one instrumented text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InstrumentedError {
    /// Where the error is, in bytes of the instrumented text.
    pub primary: Vec<Range<usize>>,
    /// All places that its notes point at, those of the error among them.
    pub all: Vec<Range<usize>>,
}

/// How far to look for what is to blame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// The pieces that the error points at, else the innermost place around it.
    Near,
    /// Every place in the function of the error.
    Function,
}

impl Instrumented {
    /// The places to take back for `compile_error`. Empty only if nothing around the error, and in no function behind
    /// it, is instrumented.
    pub fn blame(
        &self,
        places: &SwitchPlaces,
        modes: &[Mode],
        compile_error: &InstrumentedError,
        reach: Reach,
    ) -> BTreeSet<usize> {
        if reach == Reach::Near {
            for ranges in [&compile_error.primary, &compile_error.all] {
                let near = self.pointed_at(ranges);
                if !near.is_empty() {
                    return near;
                }
            }
        }
        let plain: Vec<Range<usize>> = compile_error
            .primary
            .iter()
            .filter_map(|range| self.edits.to_old_range(range.clone()))
            .collect();
        let is_around = |index: &usize, range: &Range<usize>| {
            let place = &places.places[*index].range;
            place.covers(range)
        };
        let live = |index: &usize| modes[*index] != Mode::Plain;
        let indices = || 0..places.places.len();
        let mut blamed = BTreeSet::new();
        for range in &plain {
            let mut around = indices().filter(|index| is_around(index, range));
            if reach == Reach::Near {
                // The value of a call may borrow from what a wrapped call would drop too early, so
                // those around the error go together.
                let values = around.clone().filter(live);
                let is_value = |index: &usize| places.places[*index].kind == SwitchKind::Value;
                blamed.extend(values.filter(is_value));
                blamed.extend(around.rfind(live));
                continue;
            }
            let is_function =
                |index: &usize| matches!(places.places[*index].kind, SwitchKind::Function(_));
            // An error in a signature is one of the function whose body follows.
            let follows = |index: &usize| range.end <= places.places[*index].range.start;
            let next = || indices().filter(is_function).find(follows);
            let Some(function) = around.rfind(is_function).or_else(next) else { continue };
            let whole = places.places[function].range.clone();
            let inside = |index: &usize| {
                let place = &places.places[*index].range;
                whole.covers(place)
            };
            blamed.extend(indices().filter(inside).filter(live));
        }
        blamed
    }

    /// The places of the pieces that overlap these bytes of the instrumented text, the places being
    /// as small as can be: a range that holds whole pieces points at none of them.
    fn pointed_at(&self, ranges: &[Range<usize>]) -> BTreeSet<usize> {
        let mut places = BTreeSet::new();
        for range in ranges {
            let from = self.pieces.partition_point(|piece| piece.range.end <= range.start);
            let overlapping = self.pieces[from..]
                .iter()
                .take_while(|piece| piece.range.start < range.end)
                .filter(|piece| piece.range.covers(range));
            places.extend(overlapping.flat_map(|piece| piece.places.iter().copied()));
        }
        places
    }
}
