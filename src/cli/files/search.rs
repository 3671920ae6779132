//! The search itself, which keeps and shows each new best.

use super::{FileContent, FilesJob};
use crate::reduce::{Candidate, Counts, Memory, Oracle, Problem, Stop};

/// What a search ended with.
#[derive(Debug)]
pub struct Found<C> {
    /// The smallest candidate that fails.
    pub best: C,
    /// What was asked.
    pub counts: Counts,
    /// Why it ended.
    pub ended: Result<(), Stop>,
}

/// Reduces `original` by `reduce` within the limits of the job. `show` says which files a candidate
/// stands for and how many elements they have.
pub fn search<C: Candidate>(
    job: &FilesJob<'_>,
    original: C,
    oracle: &mut dyn Oracle<C>,
    show: impl Fn(&C) -> (Vec<FileContent>, usize),
    reduce: impl FnOnce(&mut Problem<'_, C>) -> Result<(), Stop>,
) -> Found<C> {
    let mut problem = Problem::new(original, oracle, Memory::Remember)
        .stop_when(job.stop_rule())
        .on_accept(|best: &C, counts| {
            let (files, elements) = show(best);
            job.keep(&files);
            job.progress(elements, counts);
        });
    let ended = reduce(&mut problem);
    Found {
        counts: problem.counts(),
        best: problem.into_best(),
        ended,
    }
}
