//! The search itself, which keeps and shows each new best.

use super::{FileContent, FilesJob};
use crate::reduce::{Candidate, Counts, Memory, Oracle, Problem, Stop};

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
pub fn search<C: Candidate>(
    job: &FilesJob<'_>,
    original: C,
    oracle: &mut dyn Oracle<C>,
    show: impl Fn(&C) -> (Option<Vec<FileContent>>, usize),
    reduce: impl FnOnce(&mut Problem<'_, C>) -> Result<(), Stop>,
) -> ReducedFiles<C> {
    job.begin(show(&original).1);
    let mut problem = Problem::new(original, oracle, Memory::Remember)
        .stop_when(job.stop_rule())
        .on_accept(|best: &C, counts| {
            let (files, elements) = show(best);
            if let Some(files) = files {
                job.keep_best(|| files, false);
            }
            job.step(elements, counts);
            job.progress(elements, counts);
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
