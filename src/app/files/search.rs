//! The search itself, which keeps and shows each new best.

use super::{FileContent, FilesJob};
use crate::app::changes::Described;
use crate::app::search_teller::SearchTeller;
use crate::oracle::store::Key;
use crate::oracle::stored::StoredOracle;
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
    /// As it is, with what `change` makes of the smallest candidate.
    pub fn map<D>(self, change: impl FnOnce(&C) -> D) -> ReducedFiles<D> {
        let ReducedFiles { best, counts, ended, known } = self;
        ReducedFiles { best: change(&best), counts, ended, known }
    }
}

/// Reduces `original` by `reduce` within the limits of the job. `show` says which files a candidate
/// stands for, if they are to be kept, and how many elements they have.
pub fn search<A, C: Candidate + Described, O: Oracle<C>, K: Fn(&C) -> Key>(
    job: &FilesJob<'_, A>,
    original: &C,
    mut oracle: StoredOracle<O, K>,
    show: impl Fn(&C) -> (Option<Vec<FileContent>>, usize),
    reduce: impl FnOnce(&mut Problem<'_, C>) -> Result<(), Stop>,
) -> ReducedFiles<C> {
    let elements = show(original).1;
    let teller = SearchTeller::begin(job, job.started(), original, elements, 0);
    let mut should_stop = job.stop_rule();
    let mut problem = Problem::new(original.clone(), &mut oracle, Memory::Remember)
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
    let mut counts = problem.counts();
    let (best, known) = problem.into_best_and_known();
    // Candidates whose outcomes the store knew were not run.
    counts.candidates = counts.candidates.saturating_sub(oracle.cached());
    counts.cached += oracle.cached();
    job.check_store(oracle.store());
    let found = ReducedFiles { best, counts, ended, known };
    if let (Some(files), _) = show(&found.best)
        && found.counts.accepted > 0
    {
        job.keep_best(|| files, true);
    }
    found
}
