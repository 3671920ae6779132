//! The search itself, which keeps and shows each new best.

use std::cell::{Cell, RefCell};

use super::{FileContent, FilesJob};
use crate::app::changes::Described;
use crate::reduce::{Candidate, Counts, Memory, Oracle, Problem, Stop};
use crate::report::{Detail, Event};

/// What a search ended with.
#[derive(Debug)]
pub struct ReducedFiles<C> {
    /// The smallest candidate that fails.
    pub best: C,
    /// What was asked.
    pub counts: Counts,
    /// Why it ended.
    pub ended: Result<(), Stop>,
}

impl<C> ReducedFiles<C> {
    /// Counts candidates that were not run, since the store knew their outcomes.
    pub fn count_stored(&mut self, stored: u64) {
        self.counts.candidates = self.counts.candidates.saturating_sub(stored);
        self.counts.cached += stored;
    }
}

/// Reduces `original` by `reduce` within the limits of the job. `show` says which files a candidate
/// stands for, if they are to be kept, and how many elements they have.
pub fn search<C: Candidate + Described>(
    job: &FilesJob<'_>,
    original: C,
    oracle: &mut dyn Oracle<C>,
    show: impl Fn(&C) -> (Option<Vec<FileContent>>, usize),
    reduce: impl FnOnce(&mut Problem<'_, C>) -> Result<(), Stop>,
) -> ReducedFiles<C> {
    job.begin(show(&original).1);
    let detail = job.detail();
    let now = RefCell::new(original.clone());
    let elements = Cell::new(show(&original).1);
    let mut should_stop = job.stop_rule();
    let mut problem = Problem::new(original, oracle, Memory::Remember)
        .stop_when(|counts| {
            job.progress(elements.get(), counts, || now.borrow().excerpt());
            should_stop(counts)
        })
        .on_accept(|best: &C, counts| {
            let (files, size) = show(best);
            elements.set(size);
            if let Some(files) = files {
                job.keep_best(|| files, false);
            }
            let last = now.replace(best.clone());
            let what = (detail >= Detail::Steps).then(|| best.change_of(&last));
            job.step(size, counts, what);
        })
        .on_outcome(|candidate: &C, outcome| {
            if detail >= Detail::Candidates {
                job.tell(&Event::Tried { outcome, what: candidate.change_of(&now.borrow()) });
            }
        });
    let ended = reduce(&mut problem);
    let found = ReducedFiles { counts: problem.counts(), best: problem.into_best(), ended };
    if let (Some(files), _) = show(&found.best)
        && found.counts.accepted > 0
    {
        job.keep_best(|| files, true);
    }
    found
}
