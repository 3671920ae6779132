//! The search itself, which keeps and shows each new best.

use super::{FileContent, FilesJob};
use crate::app::changes::Described;
use crate::app::search_teller::SearchTeller;
use crate::reduce::{Candidate, Counts, KnownOutcomes, Memory, Oracle, Problem, Stop};

/// What a search ended with.
#[derive(Debug)]
pub struct ReducedFiles<C> {
    /// The smallest candidate that fails.
    pub best: C,
    /// What was asked.
    pub counts: Counts,
    /// Why it ended.
    pub ended: Result<(), Stop>,
    /// What became of each candidate.
    pub known: KnownOutcomes,
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
pub fn search<A, C: Candidate + Described>(
    job: &FilesJob<'_, A>,
    original: &C,
    oracle: &mut dyn Oracle<C>,
    show: impl Fn(&C) -> (Option<Vec<FileContent>>, usize),
    reduce: impl FnOnce(&mut Problem<'_, C>) -> Result<(), Stop>,
) -> ReducedFiles<C> {
    let elements = show(original).1;
    let teller = SearchTeller::begin(job, job.started(), original, elements, 0);
    let mut should_stop = job.stop_rule();
    let mut problem = Problem::new(original.clone(), oracle, Memory::Remember)
        .stop_when(|counts| {
            // What is told here can be gone on with.
            if counts.accepted > 0 {
                teller.asked(counts.candidates);
            }
            should_stop(counts)
        })
        .on_accept(|best: &C, counts| {
            let (files, elements) = show(best);
            if let Some(files) = files {
                job.keep_best(|| files, false);
            }
            teller.accepted(best, elements, counts.candidates);
        })
        .on_outcome(|candidate: &C, outcome| teller.tried(candidate, outcome));
    let ended = reduce(&mut problem);
    let counts = problem.counts();
    let (best, known) = problem.into_best_and_known();
    let found = ReducedFiles { best, counts, ended, known };
    if let (Some(files), _) = show(&found.best)
        && found.counts.accepted > 0
    {
        job.keep_best(|| files, true);
    }
    found
}
