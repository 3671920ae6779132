//! The process tier: one run of the probe's binary for each candidate.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::judge::Judge;
use super::libtest::{Verdict, interpret};
use crate::exec::{ExecError, Interrupt, Job, run};
use crate::probe::wire::Wire;
use crate::reduce::inputs::Inputs;
use crate::reduce::{Oracle, OracleError, Outcome};

/// The environment variable in which the runtime finds the candidate.
const CANDIDATE: &str = "CARGO_REDUCE_CANDIDATE";

/// Runs each candidate in a process of its own; several at once.
#[derive(Debug, Clone)]
pub struct ProcessOracle {
    job: Job,
    test: String,
    wire: Wire,
    original: Inputs,
    folder: PathBuf,
    judge: Judge,
    workers: usize,
    interrupt: Interrupt,
}

impl ProcessOracle {
    /// `job` runs the test of that name in the probe's binary; `folder` is where candidates are put
    /// for it.
    #[must_use]
    pub fn new(
        (job, test): (Job, &str),
        original: &Inputs,
        folder: &Path,
        judge: Judge,
        workers: usize,
        interrupt: &Interrupt,
    ) -> Self {
        ProcessOracle {
            job,
            test: test.to_owned(),
            wire: Wire::new(original),
            original: original.clone(),
            folder: folder.to_owned(),
            judge,
            workers: workers.max(1),
            interrupt: interrupt.clone(),
        }
    }

    /// Runs one candidate and tells what happened.
    ///
    /// # Errors
    /// When the process cannot be run.
    pub fn observe(&self, candidate: &Inputs) -> Result<Verdict, OracleError> {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let mut changes = Vec::new();
        self.wire.changes(&self.original, candidate, &mut changes);
        let file = self.folder.join(format!(
            "candidate-{}",
            NEXT.fetch_add(1, Ordering::Relaxed)
        ));
        std::fs::write(&file, &changes)?;
        let finished = run(&self.job.clone().env(CANDIDATE, &file), &self.interrupt);
        std::fs::remove_file(&file)?;
        Ok(interpret(&finished?, &self.test))
    }

    fn ask_shared(&self, candidate: &Inputs) -> Result<Outcome, OracleError> {
        Ok(self.judge.outcome(&self.observe(candidate)?, candidate))
    }
}

impl Oracle<Inputs> for ProcessOracle {
    fn ask(&mut self, candidate: &Inputs) -> Result<Outcome, OracleError> {
        self.ask_shared(candidate)
    }

    fn ask_until_fail(&mut self, candidates: &[Inputs]) -> Result<Vec<Outcome>, OracleError> {
        let mut outcomes = Vec::with_capacity(candidates.len());
        for group in candidates.chunks(self.workers) {
            let this = &*self;
            let answers: Vec<Result<Outcome, OracleError>> = std::thread::scope(|scope| {
                let threads: Vec<_> = group
                    .iter()
                    .map(|candidate| scope.spawn(move || this.ask_shared(candidate)))
                    .collect();
                threads
                    .into_iter()
                    .map(|thread| {
                        thread
                            .join()
                            .unwrap_or_else(|_| Err("a worker panicked".into()))
                    })
                    .collect()
            });
            for answer in answers {
                let outcome = answer?;
                outcomes.push(outcome);
                if outcome.is_fail() {
                    return Ok(outcomes);
                }
            }
        }
        Ok(outcomes)
    }

    fn batch(&self) -> usize {
        self.workers * 4
    }
}

/// Whether an error only says that the user wants to stop.
#[must_use]
pub fn is_interrupt(error: &OracleError) -> bool {
    error
        .downcast_ref::<ExecError>()
        .is_some_and(ExecError::is_interrupt)
}
