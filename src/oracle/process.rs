//! The process tier: one run of the probe's binary for each candidate.

use super::failure_matcher::{FailureMatcher, InputMatcher};
use super::libtest::{Verdict, at_call, interpret};
use super::pool::Pool;
use super::pooled::{Pooled, Workers};
use super::probed_test::ProbedTest;
use crate::exec::{Confined, ExecError, Interrupt};
use crate::probe::candidate_file::{CANDIDATE, CandidateFile, Refusal};
use crate::probe::wire::{Encode, Wire};
use crate::project::ProjectError;
use crate::reduce::{Answer, Oracle, OracleError, Outcome, Until};

/// Runs each candidate in a process of its own; several at once.
#[derive(Debug, Clone)]
pub struct ProcessOracle<E: Encode = Wire, J = InputMatcher> {
    probed: ProbedTest<E, J>,
    test: String,
    pool: Pool,
}

impl<E: Encode, J: FailureMatcher<E::Candidate>> ProcessOracle<E, J> {
    /// What is probed is the test of that name.
    pub fn new(probed: ProbedTest<E, J>, test: &str, pool: Pool) -> Self {
        ProcessOracle { probed, test: test.to_owned(), pool }
    }

    /// Runs one candidate and tells what happened.
    ///
    /// # Errors
    /// When the process cannot be run.
    pub fn observe(&self, candidate: &E::Candidate) -> Answer<Verdict> {
        self.observe_until(candidate, self.pool.interrupt())
    }

    fn observe_until(&self, candidate: &E::Candidate, interrupt: &Interrupt) -> Answer<Verdict> {
        let ProbedTest { job, wire, original, folder, matcher, restorer } = &self.probed;
        let mut changes = Vec::new();
        wire.changes(original, candidate, &mut changes);
        let file = CandidateFile::write(folder, &changes)?;
        let job = job.clone().map(|job| job.env(CANDIDATE, file.path()));
        let look = |job: &Confined| {
            let finished = restorer.start(|| job.run(interrupt))?;
            let verdict = match file.refusal(&finished) {
                None => interpret(&finished, &self.test),
                Some(Refusal::NotRun) => Verdict::NotRun,
                Some(Refusal::Trouble(why)) => return Err(why.into()),
            };
            Ok((verdict, finished))
        };
        at_call(&job, look, |shown| matcher.callers(shown))
    }
}

impl<E: Encode, J: FailureMatcher<E::Candidate>> Pooled<E::Candidate> for ProcessOracle<E, J> {
    fn pool(&self) -> &Pool {
        &self.pool
    }

    fn judge(&self, candidate: &E::Candidate, interrupt: &Interrupt) -> Answer<Outcome> {
        Ok(self.probed.matcher.outcome(&self.observe_until(candidate, interrupt)?, candidate))
    }
}

impl<E: Encode, J: FailureMatcher<E::Candidate>> Oracle<E::Candidate> for ProcessOracle<E, J> {
    fn ask(&mut self, candidate: &E::Candidate) -> Answer<Outcome> {
        Workers(&*self).ask(candidate)
    }

    fn run(&mut self, candidates: &[E::Candidate], until: Until) -> Answer<Vec<Outcome>> {
        Workers(&*self).run(candidates, until)
    }

    fn batch(&self) -> usize {
        self.pool.batch()
    }
}

/// Whether an error only says that the user wants to stop.
pub fn is_interrupt(error: &OracleError) -> bool {
    // A build was interrupted, or a run.
    match (error.downcast_ref(), error.downcast_ref()) {
        (Some(ProjectError::Exec(error)), _) | (_, Some(error)) => ExecError::is_interrupt(error),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interrupts_of_builds_and_of_runs_are_told_from_trouble() {
        let error = |error: ExecError| OracleError::from(error);
        let built = |error: ExecError| OracleError::from(ProjectError::from(error));
        assert!(is_interrupt(&error(ExecError::Interrupted)));
        assert!(is_interrupt(&built(ExecError::Interrupted)));
        assert!(!is_interrupt(&built(ExecError::NoProtection { strict: false })));
        assert!(!is_interrupt(&"interrupted".into()));
    }
}
