//! The search itself, which keeps and shows each new best.

use super::{FileContent, FilesJob};
use crate::app::changes::Described;
use crate::app::search_driver::{Follower, SearchDriver, Searched, check_store};
use crate::oracle::store::Key;
use crate::oracle::stored::StoredOracle;
use crate::reduce::{Candidate, Counts, Memory, Oracle, Problem, Stop};

/// What is shown and kept of candidates.
pub struct Shown<F, S> {
    /// The files that a candidate stands for, if they are to be kept.
    pub files: F,
    /// How many elements they have.
    pub size: S,
}

struct Kept<'k, A, F, S> {
    job: &'k FilesJob<'k, A>,
    shown: Shown<F, S>,
}

impl<A, C, F, S> Follower<C> for Kept<'_, A, F, S>
where
    F: Fn(&C) -> Option<Vec<FileContent>>,
    S: Fn(&C) -> usize,
{
    fn size(&self, candidate: &C) -> usize {
        (self.shown.size)(candidate)
    }

    fn keep(&self, best: &C, is_last: bool) {
        if let Some(files) = (self.shown.files)(best) {
            self.job.keep_best(|| files, is_last);
        }
    }

    /// What is told here can be gone on with.
    fn tells(&self, counts: Counts) -> bool {
        counts.accepted > 0
    }
}

/// Reduces `original` by `steps` within the limits of the job.
pub fn search<A, C, O, K>(
    job: &FilesJob<'_, A>,
    original: &C,
    mut oracle: StoredOracle<O, K>,
    shown: Shown<impl Fn(&C) -> Option<Vec<FileContent>>, impl Fn(&C) -> usize>,
    steps: impl FnOnce(&mut Problem<'_, C>) -> Result<(), Stop>,
) -> Searched<C>
where
    C: Candidate + Described,
    O: Oracle<C>,
    K: Fn(&C) -> Key,
{
    let driver = SearchDriver {
        console: job,
        started: job.started(),
        before: 0,
        interrupt: &job.interrupt_in_time(),
        most: job.config.control.max_candidates,
        memory: Memory::Remember,
        follower: &Kept { job, shown },
    };
    let mut found = driver.run(original, &mut oracle, steps);
    // Candidates whose outcomes the store knew were not run.
    found.counts.candidates = found.counts.candidates.saturating_sub(oracle.cached());
    found.counts.cached += oracle.cached();
    check_store(job, oracle.store());
    found
}
