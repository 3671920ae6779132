//! The oracles that ask the probe, by the tier that runs the candidates.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::{FLAKY_LOOKS, Runner};
use crate::app::failure::Result;
use crate::exec::{Confined, Job};
use crate::jobs::inputs::agreement::Observer;
use crate::jobs::inputs::run_folders::new_folder;
use crate::oracle::failure_matcher::InputMatcher;
use crate::oracle::in_process::InProcessOracle;
use crate::oracle::lanes::Lanes;
use crate::oracle::pool::Pool;
use crate::oracle::probed_test::ProbedTest;
use crate::oracle::process::ProcessOracle;
use crate::oracle::runner::TestRunner;
use crate::oracle::scratch_restorer::ScratchRestorer;
use crate::oracle::signature::{FailureKind, Signature};
use crate::probe::Entry;
use crate::source::Tier;

/// A candidate that sleeps for this long, and longer than the original takes, will never wake up.
const LEAST_SLEEP: Duration = Duration::from_millis(40);

impl Runner<'_> {
    /// A confined run of one test of the probe.
    pub(super) fn job(&self, runner: TestRunner, test: &str) -> Confined {
        self.confined(runner.job(&self.probe.binary, test, &self.session.config.test_args))
    }

    pub(super) fn confined(&self, job: Job) -> Confined {
        let root = self.scratch.root().as_std_path();
        self.folders.confine(&self.session.config, job, [root])
    }

    /// A confined run of the test with one candidate.
    pub(super) fn fresh_job(&self) -> Confined {
        let is_hang = self.failure.signature.kind == FailureKind::Timeout;
        let sleep = LEAST_SLEEP.max(self.failure.baseline.slowest * 4);
        let may_sleep = is_hang || self.session.config.control.timeout.is_some();
        let limited = |mut job: Job| {
            job.limits.time = Some(self.limit);
            job.limits.cpu = self.cpu;
            job.limits.sleep = (!may_sleep).then_some(sleep);
            job
        };
        self.job(self.subject.runner, &self.subject.test).map(limited)
    }

    /// Candidates at once: those that change files see each other where changes are not thrown away.
    fn workers(&self) -> usize {
        let reads_files = !self.subject.found.opened.roots.is_empty();
        if reads_files && !self.session.config.sandbox.discards() {
            1
        } else {
            self.session.config.workers
        }
    }

    /// Judges what the probe shows.
    pub(super) fn matcher(&self, expected: Signature) -> InputMatcher {
        let wanted = self.subject.located.facts.should_panic.as_ref();
        let wanted = wanted.map(|text| text.clone().unwrap_or_default());
        let mut matcher = InputMatcher::new(self.failure.rule.clone(), expected, self.original)
            .having_seen(&self.failure.seen);
        matcher.passing.clone_from(&self.passing);
        matcher.wanted_panic = wanted;
        matcher
    }

    pub(super) fn process(&self, expected: Signature) -> ProcessOracle {
        let test = &self.subject.test;
        let call = self.failure.call.as_ref().map(|call| call.in_probe.clone());
        let matcher = self.matcher(expected).called_at(call);
        let pool = Pool::new(self.workers(), self.session.interrupt.clone());
        ProcessOracle::new(self.probed(self.fresh_job(), &self.folder, matcher), test, pool)
    }

    /// What `job` runs, told of candidates in that folder.
    fn probed(&self, job: Confined, folder: &Path, matcher: InputMatcher) -> ProbedTest {
        let snapshot = Arc::clone(&self.snapshot);
        ProbedTest {
            job,
            wire: self.subject.wire(self.original),
            original: self.original.clone(),
            folder: folder.to_owned(),
            matcher,
            restorer: ScratchRestorer::by(move || Ok(snapshot.restore()?)),
        }
    }

    /// The fastest tier, when the test can be called again and again and shows the failure then.
    pub(super) fn in_process(
        &self,
        expected: &Signature,
        fresh: Option<&ProcessOracle>,
    ) -> Result<Option<Lanes>> {
        let Some(entry) = self.loop_entry(expected) else { return Ok(None) };
        let lane = |folder: &Path| self.lane(entry, folder, expected, fresh);
        Ok(Lanes::repeating(lane, &self.folder, self.workers(), FLAKY_LOOKS)?)
    }

    /// What shows the results of candidates: in a loop, if the test can be called again and again.
    pub(super) fn observer(
        &self,
        expected: &Signature,
        process: &ProcessOracle,
        is_looped: bool,
    ) -> Result<Observer> {
        // Where the failure is in the standard library, only a process of its own tells what has called it.
        let entry = self.loop_entry(expected).filter(|_| is_looped && self.failure.call.is_none());
        let Some(entry) = entry else { return Ok(Observer::Fresh(Box::new(process.clone()))) };
        let folder = new_folder(&self.folder, "agreement")?;
        Ok(Observer::InLoop(Box::new(self.lane(entry, &folder, expected, Some(process)))))
    }

    /// The test that calls the test again and again, if it may be called so.
    pub(super) fn loop_entry(&self, expected: &Signature) -> Option<&str> {
        let forced_off =
            matches!(self.session.config.control.tier, Some(Tier::Process | Tier::Rebuild));
        let is_refused =
            forced_off || expected.kind.spoils_its_process() || self.subject.found.is_made_once;
        match &self.probe.rewritten.entry {
            Entry::Test(entry) if !is_refused => Some(entry),
            _ => None,
        }
    }

    /// One loop, told of candidates in `folder`.
    pub(super) fn lane(
        &self,
        entry: &str,
        folder: &Path,
        expected: &Signature,
        fresh: Option<&ProcessOracle>,
    ) -> InProcessOracle {
        let job = self.job(TestRunner::Libtest, entry);
        let probed = self.probed(job, folder, self.matcher(expected.clone()));
        let mut oracle = InProcessOracle::new(probed, self.limit, &self.session.interrupt);
        oracle.patience.cpu = self.cpu;
        oracle.fresh = fresh.cloned();
        oracle
    }
}
