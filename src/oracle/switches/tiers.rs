//! Running candidates of a build with switches.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::build::Build;
use super::candidate::{Layout, SwitchWire, Switching};
use super::job::{SwitchJob, Values};
use super::switch_matcher::SwitchMatcher;
use crate::disk::{DiskError, unless_gone, write_atomic};
use crate::exec::{Confined, Job};
use crate::oracle::in_process::InProcessOracle;
use crate::oracle::lanes::Lanes;
use crate::oracle::libtest::Verdict;
use crate::oracle::pool::Pool;
use crate::oracle::probed_test::ProbedTest;
use crate::oracle::process::ProcessOracle;
use crate::oracle::runner::TestRunner;
use crate::oracle::scratch_restorer::ScratchRestorer;
use crate::oracle::signature::{FailureKind, Signature};
use crate::probe::candidate_file::{CANDIDATE, CandidateFile, Refusal};
use crate::probe::runs::ONLY_PASSING;
use crate::probe::switches::{
    STACK, STEPS, STEPS_ALONG, SimpleValue, TRACE, Trace, VALUES, put_changes, put_values,
};
use crate::project::TestBinary;
use crate::reduce::Answer;

/// So often the loop has to show the failure before it is trusted.
const LOOKS: usize = 8;
/// So often a test is run whose failure the build does not show, to see what runs.
const COVERAGE_RUNS: usize = 8;
/// The first run may take so many times as long as a run of the original: switches slow it down, and tests that pass
/// along may be slower than the one that fails.
const FIRST_FACTOR: u32 = 20;
/// A candidate may take so many times as long as a run of the original.
const TIME_FACTOR: u32 = 2;
/// A candidate may pass so many times the places of the original, and some more.
const STEPS_FACTOR: u64 = 8;
const STEPS_MORE: u64 = 1 << 16;
/// A candidate may use so much stack even if the original uses none.
const STACK_LEAST: u64 = 1 << 20;

/// The process tier for switches.
pub type Processes<'a> = ProcessOracle<SwitchWire, SwitchMatcher<'a>>;
/// The in-process tier for switches.
pub type Loops<'a> = Lanes<SwitchWire, SwitchMatcher<'a>>;

/// How far a candidate may go before it is ended.
#[derive(Debug, Clone, Copy, Default)]
pub struct Limits {
    steps: Option<u64>,
    /// The steps of tests that have to pass along, where the test itself does not end.
    along: Option<u64>,
    stack: Option<u64>,
    /// What it may take at least.
    time: Duration,
}

impl Limits {
    /// Limits from a run of the original.
    pub fn of(original: &Trace) -> Self {
        Limits {
            steps: Some(steps_like(original)),
            along: None,
            stack: Some(STACK_LEAST.max(original.stack.saturating_mul(2))),
            time: original.took * TIME_FACTOR,
        }
    }

    /// Those of a test that hangs: it has none, but what has to pass along does not hang, as a run of that alone shows.
    pub fn of_hang(along: Option<&Trace>) -> Self {
        Limits { along: along.map(steps_like), ..Limits::default() }
    }

    fn set(self, mut job: Job) -> Job {
        let all = [(STEPS, self.steps), (STEPS_ALONG, self.along), (STACK, self.stack)];
        for (name, limit) in all {
            if let Some(limit) = limit {
                job = job.env(name, limit.to_string());
            }
        }
        job
    }
}

/// The steps of a candidate for a run that passes so many places.
fn steps_like(original: &Trace) -> u64 {
    original.steps.saturating_mul(STEPS_FACTOR).saturating_add(STEPS_MORE)
}

/// A build, ready to run.
#[derive(Clone, Copy)]
pub struct SwitchRunner<'a> {
    /// What is asked for.
    pub job: &'a SwitchJob<'a>,
    /// The build.
    pub build: &'a Build,
    /// Its binary.
    pub binary: &'a TestBinary,
}

impl<'a> SwitchRunner<'a> {
    /// Runs the test with these states and tells which places ran, and the failure as the build shows
    /// it; `None` if it is not the failure that is looked for, or no place runs.
    ///
    /// # Errors
    /// When the test cannot be run.
    pub fn reproduce(&self, states: &[u8]) -> Answer<Option<(Trace, Signature)>> {
        let (verdict, trace) = self.traced(states)?;
        let Verdict::Failed(shown) = verdict else { return Ok(None) };
        let is_same = self.matcher(&shown).is_same(&shown);
        let Some(mut trace) = trace.filter(|_| is_same) else { return Ok(None) };
        match self.job.values {
            Values::All => {}
            Values::Agreed => {
                // What only failing runs reach may yield the bug itself.
                let passing = self.passing(states)?;
                trace.values.retain(|place, _| passing[*place]);
                trace.values_seen.retain(|seen| passing[seen.place] && !seen.varies);
            }
            Values::None => {
                trace.values.clear();
                trace.values_seen.clear();
            }
        }
        Ok(Some((trace, shown)))
    }

    /// Which places run in those of several runs that pass.
    fn passing(&self, states: &[u8]) -> Answer<Vec<bool>> {
        let passing = self.passing_trace(states)?;
        Ok(passing.map_or_else(|| vec![false; states.len()], |trace| trace.ran))
    }

    /// What those of several runs pass that pass, if there are any.
    ///
    /// # Errors
    /// When the test cannot be run.
    pub fn passing_trace(&self, states: &[u8]) -> Answer<Option<Trace>> {
        let only_passing = |job: Job| job.env(ONLY_PASSING, "1");
        match &self.build.passing {
            Some(test) => Ok(self.traced_in(states, test, &only_passing)?.1),
            None => Ok(None),
        }
    }

    /// The places of the `failing` run that no run reaches that passes.
    ///
    /// # Errors
    /// When the test cannot be run.
    pub fn only_failing(&self, states: &[u8], failing: &Trace) -> Answer<Vec<bool>> {
        let passing = self.passing(states)?;
        Ok(failing.ran.iter().zip(passing).map(|(failing, passing)| *failing && !passing).collect())
    }

    /// All places that ran in one of several runs, however these ended; `None` if no place runs.
    ///
    /// # Errors
    /// When the test cannot be run.
    pub fn coverage(&self) -> Answer<Option<Vec<bool>>> {
        let plain = vec![0; self.build.len()];
        let mut all: Option<Vec<bool>> = None;
        for _ in 0..COVERAGE_RUNS {
            let Some(trace) = self.traced(&plain)?.1 else { continue };
            let known = all.get_or_insert_with(|| vec![false; plain.len()]);
            for (known, ran) in known.iter_mut().zip(trace.ran) {
                *known |= ran;
            }
        }
        Ok(all)
    }

    /// Runs the test with these states: how it ended, and what it passed, if that was anything.
    pub(super) fn traced(&self, states: &[u8]) -> Answer<(Verdict, Option<Trace>)> {
        self.traced_in(states, &self.build.test, &|job| job)
    }

    /// The same for a run of that test in that environment.
    fn traced_in(
        &self,
        states: &[u8],
        test: &str,
        environment: &dyn Fn(Job) -> Job,
    ) -> Answer<(Verdict, Option<Trace>)> {
        let trace = self.job.open.join("trace");
        let hangs = self.job.matcher.expected().kind == FailureKind::Timeout;
        let is_first = states.iter().all(|state| *state == 0);
        let factor = if is_first && !hangs { FIRST_FACTOR } else { 2 };
        let mut changes = Vec::new();
        put_changes(&vec![0; states.len()], states, &mut changes);
        let candidate = CandidateFile::write(self.job.folder, &changes)?;
        // That of an earlier run would be taken for this one's if nothing that is told about runs.
        std::fs::remove_file(&trace).or_else(unless_gone)?;
        let tracing = |job: Job| {
            environment(job)
                .time(self.job.limit * factor)
                .env(TRACE, &trace)
                .env(CANDIDATE, candidate.path())
        };
        let finished =
            self.run_of(self.job.run.runner, test).map(tracing).run(self.job.interrupt)?;
        if let Some(Refusal::Trouble(why)) = candidate.refusal(&finished) {
            return Err(why.into());
        }
        let verdict = self.job.run.runner.interpret(&finished, test);
        match Trace::read(&trace, states.len()) {
            // Nothing that tells of itself has run.
            Err(error) if error.kind() == ErrorKind::NotFound => Ok((verdict, None)),
            read => Ok((verdict, Some(Trace { took: finished.wall, ..read? }))),
        }
    }

    fn values(&self) -> PathBuf {
        self.job.folder.join("values")
    }

    /// Lets candidates know these values, besides those they know already.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn keep_values(&self, values: &BTreeMap<usize, SimpleValue>) -> Result<(), DiskError> {
        let mut bytes = Vec::new();
        put_values(values, &mut bytes);
        write_atomic(&self.values(), &bytes)
    }

    fn run_of(&self, runner: TestRunner, test: &str) -> Confined {
        (self.job.run.confine)(runner.job(self.binary, test, self.job.run.args))
            .map(|job| job.env(VALUES, self.values()))
    }

    /// How long a candidate may take.
    fn limit(&self, limits: Limits) -> Duration {
        self.job.limit.max(limits.time)
    }

    fn matcher(&self, expected: &'a Signature) -> SwitchMatcher<'a> {
        SwitchMatcher {
            build: self.build,
            sources: self.job.sources,
            matcher: self.job.matcher,
            expected,
            root: self.binary.compiled_in.as_deref(),
        }
    }

    /// A new process for each candidate.
    pub fn processes(
        &self,
        expected: &'a Signature,
        plain: &Switching,
        limits: Limits,
    ) -> Processes<'a> {
        let job = self.run_of(self.job.run.runner, &self.build.test);
        let job = job.map(|job| limits.set(job).time(self.limit(limits)));
        let pool = Pool::new(self.job.workers, self.job.interrupt.clone());
        let probed = self.probed(job, expected, plain, self.job.folder);
        ProcessOracle::new(probed, &self.build.test, pool)
    }

    /// What `job` runs, told of candidates in that folder.
    fn probed(
        &self,
        job: Confined,
        expected: &'a Signature,
        plain: &Switching,
        folder: &Path,
    ) -> ProbedTest<SwitchWire, SwitchMatcher<'a>> {
        ProbedTest {
            job,
            wire: SwitchWire,
            original: plain.clone(),
            folder: folder.to_owned(),
            matcher: self.matcher(expected),
            restorer: ScratchRestorer::default(),
        }
    }

    /// Loops in processes, if the test can be called again and again and shows the failure then.
    ///
    /// # Errors
    /// When the user interrupts, or folders cannot be made.
    pub fn loops(
        &self,
        expected: &'a Signature,
        plain: &Switching,
        limits: Limits,
    ) -> Answer<Option<Loops<'a>>> {
        let is_wanted = self.job.is_looped && !expected.kind.spoils_its_process();
        let Some(probe) = self.build.probe.as_deref().filter(|_| is_wanted) else {
            return Ok(None);
        };
        let lane = |folder: &Path| {
            let job = self.run_of(TestRunner::Libtest, probe).map(|job| limits.set(job));
            let probed = self.probed(job, expected, plain, folder);
            let mut lane = InProcessOracle::new(probed, self.limit(limits), self.job.interrupt);
            lane.fresh = Some(self.processes(expected, plain, limits));
            lane
        };
        Lanes::repeating(lane, self.job.folder, self.job.workers, LOOKS)
    }
}

/// The candidate in which nothing is switched off.
pub fn plain(layout: &Layout, switches: usize) -> Switching {
    layout.candidate(Arc::from(vec![0; switches]))
}
