//! One run of the test in a binary.

use std::time::Duration;

use crate::exec::{Confined, Finished, Interrupt, Job};
use crate::oracle::libtest::{Callers, Verdict, innermost_call, telling_calls};
use crate::oracle::runner::TestRunner;
use crate::oracle::signature::{Location, Signature};
use crate::probe::bodies::turns_told;
use crate::project::TestBinary;
use crate::reduce::Answer;

/// So many candidates of one build are run at once: a run waits for its process to come and go more than it computes.
pub(super) const RUNS_AT_ONCE: usize = 2;

/// How the test is run.
#[derive(Clone)]
pub struct TestRun<'a> {
    /// Its name.
    pub test: &'a str,
    /// What runs it.
    pub runner: TestRunner,
    /// Further arguments for the binary.
    pub args: &'a [String],
    /// Tests that have to pass in the same build.
    pub also: &'a [String],
    /// Sets limits and confines a run.
    pub confine: &'a (dyn Fn(Job) -> Confined + Sync),
}

/// A run that has ended.
pub struct Ended {
    /// How the test ended.
    pub verdict: Verdict,
    /// Its process, without what the library of the build says of it.
    pub finished: Finished,
    /// How many turns it took, if that was asked.
    pub turns: Option<usize>,
}

/// How long one run may take, where it is not as long as any job may.
#[derive(Debug, Clone, Copy, Default)]
pub struct TimeLimit {
    /// By the clock.
    pub wall: Option<Duration>,
    /// How long it may compute.
    pub cpu: Option<Duration>,
}

impl TestRun<'_> {
    /// Runs the test of a binary.
    ///
    /// # Errors
    /// When it cannot be started or watched.
    pub fn run(&self, binary: &TestBinary, interrupt: &Interrupt) -> Answer<Ended> {
        self.run_within(TimeLimit::default(), binary, interrupt)
    }

    /// As [`TestRun::run`], with these limits of time.
    ///
    /// # Errors
    /// As there.
    pub(super) fn run_within(
        &self,
        limit: TimeLimit,
        binary: &TestBinary,
        interrupt: &Interrupt,
    ) -> Answer<Ended> {
        let job = (self.confine)(self.runner.job(binary, self.test, self.args));
        let within = |mut job: Job| {
            job.limits.time = limit.wall.or(job.limits.time);
            job.limits.cpu = limit.cpu.or(job.limits.cpu);
            job
        };
        let mut finished = job.map(within).run(interrupt)?;
        let told = turns_told(&finished.stderr.text());
        let turns = told.map(|(turns, rest)| {
            finished.stderr = (&*rest).into();
            turns
        });
        let verdict = self.runner.interpret(&finished, self.test);
        Ok(Ended { verdict, finished, turns })
    }

    /// Where the innermost call in the sources of the binary stands that leads to the panic `shown`, which a
    /// run has shown before; `None` where it does not come back or no call has a place.
    ///
    /// # Errors
    /// When the test cannot be started or watched.
    pub fn call_to(
        &self,
        shown: &Signature,
        binary: &TestBinary,
        interrupt: &Interrupt,
    ) -> Answer<Option<Location>> {
        let Some(root) = &binary.compiled_in else { return Ok(None) };
        let job = (self.confine)(self.runner.job(binary, self.test, self.args));
        let finished = job.map(telling_calls).run(interrupt)?;
        let verdict = self.runner.interpret(&finished, self.test);
        Ok(innermost_call(&verdict, &finished, shown, Callers::Below(root)))
    }
}
