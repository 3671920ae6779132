//! The rebuild tier: each candidate is written out and built, for values that are needed at compile
//! time, and wherever the user forces it.

use std::cell::Cell;
use std::time::Duration;

use super::config::Config;
use super::prober::build_target;
use super::subject::Subject;
use super::write_out::write_sources;
use crate::exec::{Interrupt, Job, run};
use crate::oracle::judge::{Judge, Judging};
use crate::oracle::libtest::Verdict;
use crate::project::{Scratch, TestBinary};
use crate::reduce::inputs::{Inputs, unmask};
use crate::reduce::{Oracle, OracleError, Outcome};
use crate::source::WriteBack;

/// Builds and runs candidates, one after the other, in the scratch copy.
pub struct RebuildOracle<'a> {
    /// How cargo is called.
    pub config: &'a Config,
    /// What is reduced.
    pub subject: &'a Subject,
    /// Where.
    pub scratch: &'a Scratch,
    /// The failure to be met, in the original sources.
    pub judge: Judge,
    /// What is hidden in candidates.
    pub base: &'a Inputs,
    /// The time one run may take.
    pub limit: Duration,
    /// Limits and confinement of a run.
    pub confine: &'a dyn Fn(Job) -> Job,
    /// Whether the user wants to stop.
    pub interrupt: &'a Interrupt,
    /// Builds that linked, and builds that the compiler rejected.
    pub counts: &'a Cell<(u64, u64)>,
}

impl Oracle<Inputs> for RebuildOracle<'_> {
    fn ask(&mut self, candidate: &Inputs) -> Result<Outcome, OracleError> {
        let whole = unmask(candidate, self.base);
        let WriteBack { edits, files } = self.subject.found.write_back(&self.subject.krate, &whole);
        write_sources(self.subject, self.scratch, &edits, &files)?;
        let built = build_target(self.config, self.subject, self.scratch, self.interrupt)?;
        let (builds, checks) = self.counts.get();
        let own = &self.subject.target.choice;
        let Some(binary) = built
            .binaries
            .iter()
            .find(|binary| built.success && binary.choice == *own)
        else {
            self.counts.set((builds, checks + 1));
            return Ok(Outcome::Unresolved);
        };
        self.counts.set((builds + 1, checks));
        let verdict = self.observe(binary)?;
        let mapped = match verdict {
            Verdict::Failed(shown) => Verdict::Failed(self.subject.mapped_back(&shown, &edits)),
            other => other,
        };
        Ok(self.judge.outcome(&mapped, &whole))
    }
}

impl RebuildOracle<'_> {
    fn observe(&self, binary: &TestBinary) -> Result<Verdict, OracleError> {
        let Subject { test, runner, .. } = self.subject;
        let job = (self.confine)(runner.job(binary, test, &self.config.test_args));
        Ok(runner.interpret(&run(&job.time(self.limit), self.interrupt)?, test))
    }
}
