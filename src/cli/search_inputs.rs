//! The search for smaller inputs: which tier runs the candidates, with which limits.

mod passing;

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::args::TierArg;
use super::best_inputs::BestInputs;
use super::config::{Config, Goal};
use super::failure::Failure;
use super::flaky_search::{plan, search_flaky};
use super::generalize::grammars::{NamedGrammar, Texts};
use super::limits::{cpu_limit, time_limit};
use super::not_reproduced::{not_reproduced, refused_by_sandbox};
use super::other_version::{OtherProbe, unlocked};
use super::prober::Probe;
use super::rebuild::{Confine, RebuildOracle, has_more_to_lose};
use super::run_folders::{RunFolders, new_folder};
use super::search::{InputSearch, ReducedInputs, or_best, trouble};
use super::second_look::search_twice;
use super::session::Session;
use super::start::{Original, Start};
use super::store_at::StoreAt;
use super::subject::Subject;
use crate::exec::{Confined, Interrupt, Job, Mode, Policy, Sandbox};
use crate::oracle::baseline::Baseline;
use crate::oracle::doubt::Doubt;
use crate::oracle::failure_matcher::InputMatcher;
use crate::oracle::in_process::InProcessOracle;
use crate::oracle::lanes::Lanes;
use crate::oracle::libtest::Verdict;
use crate::oracle::passes_with::PassesWith;
use crate::oracle::process::{ProcessOracle, is_interrupt};
use crate::oracle::repeated::RepeatedOracle;
use crate::oracle::runner::TestRunner;
use crate::oracle::scratch_restorer::ScratchRestorer;
use crate::oracle::signature::{FailureKind, Location, Signature};
use crate::probe::Entry;
use crate::project::{Scratch, Snapshot};
use crate::reduce::inputs::{Inputs, NodeId, mask, unmask};
use crate::report::Tier;
use passing::Passing;

/// A candidate that sleeps for this long, and longer than the original takes, will never wake up.
const LEAST_SLEEP: Duration = Duration::from_millis(40);
/// Rebuilding goes on for this long unless the user says otherwise.
const REBUILD_TIME: Duration = Duration::from_mins(1);
/// How often a flaky failure is looked for at most.
const FLAKY_LOOKS: usize = 60;

/// Searches with the probe, then by rebuilding for what the probe cannot change.
///
/// # Errors
/// When the probe does not show the failure, or candidates cannot be run.
pub fn search(
    session: &mut Session,
    config: &Config,
    start: &Start,
    grammar: Option<&NamedGrammar>,
) -> Result<ReducedInputs, Failure> {
    let Start { subject, probe, .. } = start;
    let folders = RunFolders::new(config)?.telling(&start.crossing)?;
    let forced = config.control.tier == Some(TierArg::Rebuild);
    let is_in = |probe: &Probe, id: NodeId| probe.rewritten.probed.contains(&id);
    let other = start.other.as_ref();
    let is_in_other = |id: NodeId| other.is_none_or(|other| is_in(&other.probe, id));
    let is_probed = |id: NodeId| !forced && is_in(probe, id) && is_in_other(id);
    let original = mask(&subject.found.inputs, is_probed);
    let texts = Texts::wanted(&config.texts, &original, grammar)?;
    let snapshot = Snapshot::take(&start.scratch, &probe.binary.executable)?;
    let given = Given {
        best: &BestInputs::of(start),
        original: &original,
        texts: &texts,
        folders: &folders,
        snapshot: &snapshot,
    };
    let runner = Runner::new(session, config, start, given);
    let mut found = ReducedInputs::new(subject.found.inputs.clone(), false);
    if forced {
        subject.tell(session, |_| Tier::Rebuild);
    } else {
        let fast = runner.search(session, &is_probed)?;
        snapshot.restore()?;
        found = ReducedInputs {
            best: unmask(&fast.best, &subject.found.inputs),
            ..fast
        };
    }
    let slow = mask(&found.best, |id| !is_probed(id));
    // A pattern was found beside the other inputs as they are.
    let is_done = found.interrupted || config.texts.pattern.is_some();
    if is_done || config.goal != Goal::Minimize || !has_more_to_lose(&slow) {
        return Ok(found);
    }
    let slower = runner.search_by_rebuild(session, &found.best, &slow);
    snapshot.restore_lost()?;
    or_best(session, (found, &subject.found.inputs), slower)
}

/// What is needed to run candidates.
#[derive(Clone)]
struct Runner<'a> {
    config: &'a Config,
    subject: &'a Subject,
    best: &'a BestInputs<'a>,
    scratch: &'a Scratch,
    probe: &'a Probe,
    /// Where candidates have to pass.
    other: Option<&'a OtherProbe>,
    failure: &'a Original,
    /// What the probe can change, unchanged.
    original: &'a Inputs,
    texts: &'a Texts,
    folders: &'a RunFolders,
    /// What candidates may take away.
    snapshot: Arc<Snapshot>,
    /// A folder of ours in it.
    folder: PathBuf,
    interrupt: Interrupt,
    /// A failure at one of these places of the rewritten sources counts as passing.
    passing: Vec<Location>,
    /// How long a candidate may compute.
    cpu: Option<Duration>,
}

/// What a runner works with, besides what is reduced.
#[derive(Clone, Copy)]
struct Given<'a> {
    best: &'a BestInputs<'a>,
    original: &'a Inputs,
    texts: &'a Texts,
    folders: &'a RunFolders,
    snapshot: &'a Arc<Snapshot>,
}

impl<'a> Runner<'a> {
    fn new(session: &Session, config: &'a Config, start: &'a Start, given: Given<'a>) -> Self {
        let failure = &start.original;
        Runner {
            config,
            subject: &start.subject,
            best: given.best,
            scratch: &start.scratch,
            probe: &start.probe,
            other: start.other.as_ref(),
            failure,
            original: given.original,
            texts: given.texts,
            folders: given.folders,
            snapshot: Arc::clone(given.snapshot),
            folder: given.folders.folder().to_owned(),
            interrupt: session.interrupt.clone(),
            passing: Vec::new(),
            cpu: cpu_limit(config, &failure.signature, &failure.baseline),
        }
    }
}

impl Runner<'_> {
    /// Searches with the probe.
    fn search(
        &self,
        session: &mut Session,
        is_probed: &dyn Fn(NodeId) -> bool,
    ) -> Result<ReducedInputs, Failure> {
        let Original {
            signature,
            baseline,
            ..
        } = self.failure;
        let limit = self.limit();
        let plan = plan(self.config, baseline)?;
        let expected = self.reproduce(signature, limit, baseline)?;
        let process = self.process(expected.clone(), limit);
        let is_stable = !plan.is_repeated();
        let fresh = is_stable.then(|| process.clone());
        let looped = self.in_process(&expected, limit, fresh.as_ref())?;
        let tier = if looped.is_some() {
            Tier::InProcess
        } else {
            Tier::Process
        };
        self.subject.tell(
            session,
            |id| if is_probed(id) { tier } else { Tier::Rebuild },
        );
        let mut search = InputSearch::new(self.config, self.original, self.texts);
        search.best = Some((self.best, &self.subject.found.inputs));
        let doubt =
            { looped.as_ref() }.map_or_else(Doubt::default, |looped| looped.doubt().clone());
        if let Some(other) = self.other {
            let Passing {
                looped: fast,
                fresh,
            } = self.passing(other, &expected, limit)?;
            return match looped {
                Some(oracle) => search_twice(
                    (session, &search),
                    (&mut PassesWith::new(oracle, fast), &doubt),
                    &mut PassesWith::new(process, fresh),
                ),
                None => search.run(session, &mut PassesWith::new(process, fresh)),
            };
        }
        let found = match looped {
            Some(mut oracle) if is_stable => {
                search_twice((session, &search), (&mut oracle, &doubt), &mut { process })
            }
            None if is_stable => search.run_stored(
                session,
                process,
                &self.store((tier, &expected), self.original),
            ),
            looped => search_flaky(session, &search, looped, process, plan),
        }?;
        if found.interrupted || self.config.texts.pattern.is_none() {
            return Ok(found);
        }
        let mut oracle = self.instances_oracle(&expected, (tier, limit), plan)?;
        search.generalize(session, &mut *oracle, found)
    }

    fn store(&self, (tier, expected): (Tier, &Signature), original: &Inputs) -> StoreAt {
        StoreAt::new(
            (self.config, self.best.results),
            (self.subject, self.failure),
            (tier, expected, &self.probe.binary),
            original,
        )
    }

    /// Searches on from `best` by a build for each candidate; `open` is what can be changed.
    fn search_by_rebuild(
        &self,
        session: &mut Session,
        best: &Inputs,
        open: &Inputs,
    ) -> Result<ReducedInputs, Failure> {
        session.stage(
            "Rebuilding",
            "for each candidate of values that are needed at compile time",
        );
        let counts = Cell::new((0, 0));
        let plan = plan(self.config, &self.failure.baseline)?;
        let unlocked = unlocked(self.config);
        let confine = |job| self.confined(job);
        let at = (best, &confine as &Confine<'_>, &counts);
        let oracle = self.rebuild(self.config, self.scratch, at);
        let no_texts = Texts::default();
        let mut search = InputSearch::new(self.config, open, &no_texts);
        let is_free = self.config.control.tier.is_none();
        search.limit = search.limit.or(is_free.then_some(REBUILD_TIME));
        search.best = Some((self.best, best));
        let found = if let Some(other) = self.other {
            let passing = self.rebuild(&unlocked, &other.scratch, at);
            search.run(session, &mut PassesWith::new(oracle, passing))?
        } else if plan.is_repeated() {
            search.run(session, &mut RepeatedOracle::new(oracle, plan))?
        } else {
            let at = self.store((Tier::Rebuild, &self.failure.signature), open);
            search.run_stored(session, oracle, &at.beside(best))?
        };
        let (builds, checks) = counts.get();
        session.count_builds(builds, checks);
        Ok(ReducedInputs {
            best: unmask(&found.best, best),
            ..found
        })
    }

    /// Builds each candidate in `scratch`; what is hidden in it is that of `base`.
    fn rebuild<'r>(
        &'r self,
        config: &'r Config,
        scratch: &'r Scratch,
        (base, confine, counts): (&'r Inputs, &'r Confine<'r>, &'r Cell<(u64, u64)>),
    ) -> RebuildOracle<'r> {
        RebuildOracle {
            config,
            subject: self.subject,
            scratch,
            snapshot: &self.snapshot,
            matcher: self.failure.matcher(self.subject),
            found: self.subject.found.clone(),
            base,
            limit: self.limit(),
            confine,
            interrupt: &self.interrupt,
            counts,
        }
    }

    /// The failure as the probe shows it with the inputs unchanged.
    fn reproduce(
        &self,
        signature: &Signature,
        limit: Duration,
        baseline: &Baseline,
    ) -> Result<Signature, Failure> {
        let process = self.process(signature.clone(), limit);
        let looks = if baseline.is_stable() { 1 } else { FLAKY_LOOKS };
        let mut last = Verdict::NotRun;
        for _ in 0..looks {
            last = process
                .observe(self.original)
                .map_err(|error| trouble(&error))?;
            match &last {
                Verdict::Failed(shown) if self.is_same(shown) => {
                    let mut shown = shown.clone();
                    if self.failure.call.is_some() {
                        shown.location.clone_from(&signature.location);
                    }
                    return Ok(shown);
                }
                _ => {}
            }
        }
        if self.config.sandbox.policy().mode != Mode::Off && self.shows_outside(limit)? {
            return Err(refused_by_sandbox(self.config, signature, &last));
        }
        Err(not_reproduced(signature, &last))
    }

    /// Whether the probe shows the failure outside of the sandbox, with the inputs unchanged: then it does there what
    /// the user's own test does each time.
    fn shows_outside(&self, limit: Duration) -> Result<bool, Failure> {
        let off = Policy {
            mode: Mode::Off,
            ..Policy::default()
        };
        let config = Config {
            sandbox: Sandbox::new(off)?,
            ..self.config.clone()
        };
        let runner = Runner {
            config: &config,
            ..self.clone()
        };
        let process = runner.process(self.failure.signature.clone(), limit);
        let shown = { process.observe(self.original) }.map_err(|error| trouble(&error))?;
        Ok(matches!(shown, Verdict::Failed(shown) if self.is_same(&shown)))
    }

    /// A confined run of one test of the probe.
    fn job(&self, runner: TestRunner, test: &str) -> Confined {
        self.confined(runner.job(&self.probe.binary, test, &self.config.test_args))
    }

    fn confined(&self, job: Job) -> Confined {
        let root = self.scratch.root().as_std_path();
        self.folders.confine(self.config, job, [root])
    }

    /// A confined run of the test with one candidate.
    fn fresh_job(&self, limit: Duration) -> Confined {
        let is_hang = self.failure.signature.kind == FailureKind::Timeout;
        let sleep = LEAST_SLEEP.max(self.failure.baseline.slowest * 4);
        let may_sleep = is_hang || self.config.control.timeout.is_some();
        let limited = |mut job: Job| {
            job.limits.time = Some(limit);
            job.limits.cpu = self.cpu;
            job.limits.sleep = (!may_sleep).then_some(sleep);
            job
        };
        self.job(self.subject.runner, &self.subject.test)
            .map(limited)
    }

    /// Judges what the probe shows.
    fn matcher(&self, expected: Signature) -> InputMatcher {
        let wanted = self.subject.located.facts.should_panic.as_ref();
        let wanted = wanted.map(|text| text.clone().unwrap_or_default());
        InputMatcher::new(self.failure.rule.clone(), expected, self.original)
            .having_seen(&self.failure.seen)
            .passing_at(&self.passing)
            .wanting_panic(wanted)
    }

    fn restorer(&self) -> ScratchRestorer {
        let snapshot = Arc::clone(&self.snapshot);
        ScratchRestorer::by(move || Ok(snapshot.restore()?))
    }

    fn process(&self, expected: Signature, limit: Duration) -> ProcessOracle {
        let test = &self.subject.test;
        let call = { self.failure.call.as_ref() }.map(|call| call.in_probe.clone());
        let matcher = self.matcher(expected).called_at(call);
        ProcessOracle::new(
            (self.fresh_job(limit), test),
            (self.subject.wire(self.original), self.original),
            &self.folder,
            matcher,
            self.config.workers,
            &self.interrupt,
        )
        .restoring(self.restorer())
    }

    /// The fastest tier, when the test can be called again and again and shows the failure then.
    fn in_process(
        &self,
        expected: &Signature,
        limit: Duration,
        fresh: Option<&ProcessOracle>,
    ) -> Result<Option<Lanes>, Failure> {
        let Some(entry) = self.loop_entry(expected) else {
            return Ok(None);
        };
        let lane = |folder: &Path| self.lane((entry, folder), expected, limit, fresh);
        let mut oracle = lane(&self.folder);
        match oracle.repeats(FLAKY_LOOKS) {
            Ok(true) => {
                let others = self
                    .lane_folders()?
                    .iter()
                    .map(|folder| lane(folder))
                    .collect();
                Ok(Some(Lanes::new(oracle, others)))
            }
            Err(error) if is_interrupt(&error) => Err(Failure::interrupted()),
            Ok(false) | Err(_) => Ok(None),
        }
    }

    /// The test that calls the test again and again, if it may be called so.
    fn loop_entry(&self, expected: &Signature) -> Option<&str> {
        let forced_off = matches!(
            self.config.control.tier,
            Some(TierArg::Process | TierArg::Rebuild)
        );
        // After a memory error or a half-done exit the process is no longer to be trusted.
        let kills = matches!(
            expected.kind,
            FailureKind::Abort | FailureKind::Signal | FailureKind::Exit
        );
        let is_refused = forced_off || kills || self.subject.found.is_made_once;
        match &self.probe.rewritten.entry {
            Entry::Test(entry) if !is_refused => Some(entry),
            _ => None,
        }
    }

    /// One loop, told of candidates in `folder`.
    fn lane(
        &self,
        (entry, folder): (&str, &Path),
        expected: &Signature,
        limit: Duration,
        fresh: Option<&ProcessOracle>,
    ) -> InProcessOracle {
        InProcessOracle::new(
            self.job(TestRunner::Libtest, entry),
            (self.subject.wire(self.original), self.original),
            folder,
            limit,
            self.matcher(expected.clone()),
            fresh.cloned(),
            &self.interrupt,
        )
        .computing_for(self.cpu)
        .restoring(self.restorer())
    }

    /// A folder for each loop beside the first.
    fn lane_folders(&self) -> Result<Vec<PathBuf>, Failure> {
        { 1..self.config.workers }
            .map(|lane| new_folder(&self.folder, &format!("lane-{lane}")))
            .collect()
    }

    fn limit(&self) -> Duration {
        time_limit(self.config, &self.failure.signature, &self.failure.baseline)
    }

    /// Whether the probe's failure is the original one, in the original's place.
    fn is_same(&self, shown: &Signature) -> bool {
        let mapped = self.subject.mapped_back(shown, &self.probe.rewritten.files);
        self.failure
            .matcher(self.subject)
            .is_same(&mapped, &self.subject.found.inputs)
    }
}

mod others;
#[cfg(test)]
mod tests;

pub use others::ask_neighbours;
