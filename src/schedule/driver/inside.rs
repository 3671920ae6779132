//! What is tried many at once because it changes only the inside of functions.

use std::ops::Range;

use super::{Patch, Schedule};
use crate::reduce::{Approach, Result};
use crate::rust::alternatives::bodies;
use crate::rust::{Reduction, Sources};

/// One of so many parts of a source is much: when it is gone, something else is unused.
const PART: usize = 16;
/// Where a build of candidates takes away less than this part of a source, the others wait until it is smaller.
const LITTLE: usize = 100;
/// How many bytes of functions are compiled for the candidates that are tried at once: of a large function only a few, since
/// what one of them takes away need not be compiled for the next ones.
const MOST_TEXT: usize = 2 << 20;
/// The name of the search.
const INSIDE: &str = "inside functions";

impl Schedule<'_, '_> {
    /// Tries the reductions of all passes that change only the inside of functions, each on its own, as
    /// many as possible in one build, the most promising ones first, until there are no more or they bring little. What is unused then
    /// goes as soon as a part is gone.
    pub(super) fn reduce_functions(&mut self) -> Result<()> {
        loop {
            let tokens = self.problem.best().tokens();
            self.turn(INSIDE, Self::reduce_some_functions)?;
            if !self.is_part_gone(tokens) {
                return Ok(());
            }
            self.turn("unused code", Self::delete_unused)?;
        }
    }

    /// As above, until a part of the source is gone.
    fn reduce_some_functions(&mut self) -> Result<()> {
        let tokens = self.problem.best().tokens();
        let passes = self.open_passes();
        while !self.is_part_gone(tokens) {
            let before = self.problem.best().tokens();
            let patches = self.patches_of(&passes)?;
            let is_tried = self.try_inside_functions(&patches)?;
            if !is_tried || (before - self.problem.best().tokens()) * LITTLE < before {
                break;
            }
        }
        Ok(())
    }

    /// Tries the most promising of `patches` that change only the inside of functions, as many as possible in one build;
    /// `false` where there are none, or no more of them can be built at once than of others.
    pub(super) fn try_inside_functions(&mut self, patches: &[Patch]) -> Result<bool> {
        let Some(bodies) = self.bodies() else { return Ok(false) };
        let is_inside = |patch: &&Patch| bodies.hold(patch.file, &patch.reduction);
        let patches: Vec<Patch> = patches.iter().filter(is_inside).cloned().collect();
        let most = self.problem.batch_of_variants();
        // A body that does not parse costs nothing: no other is compiled with it.
        let mut patches = self.most_promising(INSIDE, patches, most, |_| true)?;
        let mut compiled = 0;
        let together = patches.iter().position(|patch| {
            compiled += bodies.around(patch.file, &patch.reduction).unwrap_or_default();
            compiled > MOST_TEXT
        });
        patches.truncate(together.map_or(patches.len(), |many| many.max(1)));
        if patches.is_empty() {
            return Ok(false);
        }
        self.search_where(INSIDE, &patches, Approach::Variants, |_| true)?;
        Ok(true)
    }

    fn is_part_gone(&self, before: usize) -> bool {
        (before - self.problem.best().tokens()) * PART > before
    }

    /// The inside of functions of the best, if more candidates that change nothing else can be built at once than others.
    pub(super) fn bodies(&self) -> Option<Bodies> {
        let are_many = self.problem.batch_of_variants() > self.problem.batch();
        are_many.then(|| Bodies::of(self.problem.best()))
    }
}

/// The inside of the functions of each file.
pub(super) struct Bodies(Vec<Vec<Range<usize>>>);

impl Bodies {
    fn of(sources: &Sources) -> Self {
        let files = sources.files.iter();
        Bodies(files.map(|file| bodies(&file.text).unwrap_or_default()).collect())
    }

    /// Whether an edit of a file changes nothing else.
    pub(super) fn hold(&self, file: usize, edit: &Reduction) -> bool {
        self.around(file, edit).is_some()
    }

    /// The length of the largest function in which an edit of a file changes something, if it changes nothing else.
    fn around(&self, file: usize, edit: &Reduction) -> Option<usize> {
        let bodies = &self.0[file];
        let mut lengths = edit.changes.iter().map(|change| {
            let after = bodies.partition_point(|body| body.end < change.range.end);
            let body = bodies.get(after).filter(|body| body.start <= change.range.start)?;
            Some(body.len())
        });
        lengths.try_fold(0, |most, length| Some(most.max(length?)))
    }
}
