//! The in-process tier: the test runs again and again inside one process.
//!
//! A candidate that seems to fail is run once more in a fresh process before it counts, so that state
//! which leaks from run to run cannot fool us; when that disagrees too often, the tier gives itself
//! up and every candidate gets a process of its own. It does so at once when one of the others, of which
//! a few are run again now and then, fails in a fresh process.

use std::time::{Duration, Instant};

use super::doubt::{Doubt, Samples};
use super::failure_matcher::{FailureMatcher, InputMatcher};
use super::libtest::{Verdict, interpret};
use super::probed_test::ProbedTest;
use super::process::{ProcessOracle, is_interrupt};
use super::scratch_restorer::is_there;
use super::signature::{FailureKind, Location, Signature};
use crate::exec::{Exit, Finished, Interrupt};
use crate::probe::answers::{End, Heard};
use crate::probe::link::{Batch, Link, PanicSite, Patience, Telling};
use crate::probe::wire::{Encode, Wire};
use crate::reduce::{Answer, Oracle, Outcome, Until};

/// How many candidates are handed over at once.
const BATCH: usize = 256;
/// So many false alarms more than a tenth of the true ones, and the tier is given up.
const FALSE_ALARMS: u32 = 8;
/// So often, and within so much time, a failure that always comes back has to do so in one process.
const REPEATS: usize = 8;
const REPEATS_TIME: Duration = Duration::from_millis(100);

/// Runs candidates in a loop inside the test binary.
#[derive(Debug)]
pub struct InProcessOracle<E: Encode = Wire, J = InputMatcher> {
    probed: ProbedTest<E, J>,
    /// How long a candidate may take, and compute.
    pub patience: Patience,
    place: PanicSite,
    /// Runs a candidate that fails once more, in a process of its own, before it counts (not for flaky tests, where one run
    /// more says little).
    pub fresh: Option<ProcessOracle<E, J>>,
    interrupt: Interrupt,
    link: Option<Link>,
    /// What the running process has as its base.
    known: E::Candidate,
    /// The last candidate that failed: likely the best so far.
    base: E::Candidate,
    confirmed: u32,
    false_alarms: u32,
    /// One in so many candidates that fail is run once more in a fresh process.
    check_every: u32,
    /// Candidates that failed since one was checked.
    unchecked: u32,
    /// Whether it is still to be believed; it may change its answer. Other loops of the same test share it.
    pub doubt: Doubt,
    samples: Samples,
    /// How many processes were started.
    started: u32,
}

/// One candidate's outcome, and what became of those before and after it.
enum Step {
    /// Outcomes of the next candidates, in order; the last may be a failure.
    Outcomes(Vec<Outcome>),
    /// The process hung or died after these; the next candidates must be told one by one.
    Again(Vec<Outcome>),
}

impl<E: Encode, J: FailureMatcher<E::Candidate>> InProcessOracle<E, J> {
    /// What is probed is the loop; `limit` is the time one candidate may take.
    pub fn new(probed: ProbedTest<E, J>, limit: Duration, interrupt: &Interrupt) -> Self {
        let original = &probed.original;
        InProcessOracle {
            patience: Patience { wall: limit, cpu: None },
            place: place(&probed.matcher),
            fresh: None,
            interrupt: interrupt.clone(),
            link: None,
            known: original.clone(),
            base: original.clone(),
            probed,
            confirmed: 0,
            false_alarms: 0,
            check_every: 1,
            unchecked: 0,
            doubt: Doubt::default(),
            samples: Samples::default(),
            started: 0,
        }
    }

    /// From now on only one in `every` candidates that fail is checked in a fresh process: for
    /// samples, whose result does not hang on a single outcome.
    pub fn check_one_in(&mut self, every: u32) {
        self.check_every = every.max(1);
    }

    /// Whether the original fails again in a process in which it has failed before, so that what a failure
    /// leaves behind does not hide the next one. One that fails always has to do so each time, another one
    /// within so many `looks`.
    ///
    /// # Errors
    /// When the user interrupts; one that cannot be run does not fail again.
    pub fn repeats(&mut self, looks: usize) -> Answer<bool> {
        match self.fails_again(looks) {
            Err(error) if !is_interrupt(&error) => Ok(false),
            answer => answer,
        }
    }

    fn fails_again(&mut self, looks: usize) -> Answer<bool> {
        let (began, original) = (Instant::now(), self.probed.original.clone());
        let is_stable = self.fresh.is_some();
        // Its first failure is checked in a fresh process, that is enough.
        let check_every = std::mem::replace(&mut self.check_every, u32::MAX);
        self.unchecked = u32::MAX - 1;
        let looks = if is_stable { REPEATS } else { looks };
        let (mut failed_in, mut repeated) = (None, false);
        for _ in 0..looks {
            if repeated && (!is_stable || began.elapsed() >= REPEATS_TIME) {
                break;
            }
            // A process is replaced if it dies or grows.
            let before = self.link.is_some().then_some(self.started);
            let fails = self.ask(&original)?.is_fail();
            if !fails && is_stable {
                repeated = false;
                break;
            }
            if fails {
                // A failure that ends its process leaves nothing behind.
                let has_ended = self.link.is_none();
                repeated |= has_ended || (before.is_some() && failed_in == before);
                failed_in = Some(self.started);
            }
        }
        self.check_every = check_every;
        self.unchecked = 0;
        Ok(repeated && !self.is_given_up())
    }

    fn is_given_up(&self) -> bool {
        self.doubt.is_cast() || self.false_alarms > FALSE_ALARMS + self.confirmed / 10
    }

    /// Starts the process if there is none.
    fn link(&mut self) -> Answer<Link> {
        if let Some(link) = self.link.take() {
            return Ok(link);
        }
        self.known = self.probed.original.clone();
        self.started = self.started.wrapping_add(1);
        let ProbedTest { job, folder, restorer, .. } = &self.probed;
        let link = restorer.start(|| Link::start(job, folder))?;
        link.ok_or_else(|| "the probe does not respond".into())
    }

    /// Runs candidates in the process.
    fn run_in(
        &mut self,
        link: &mut Link,
        candidates: &[E::Candidate],
        until: Until,
        telling: Telling,
    ) -> (Vec<Heard>, End) {
        let base = self.base.clone();
        let batch = Batch {
            known: &self.known,
            base: &base,
            candidates,
            until,
            place: &self.place,
            telling,
        };
        let told = link.run(&self.probed.wire, &batch, self.patience);
        self.known = base;
        told
    }

    fn step(
        &mut self,
        candidates: &[E::Candidate],
        until: Until,
        telling: Telling,
    ) -> Answer<Step> {
        let began = Instant::now();
        let mut link = match self.link() {
            // Fresh processes may be started still.
            Err(error) if self.fresh.is_some() && !is_interrupt(&error) => {
                self.doubt.cast();
                return Ok(Step::Outcomes(Vec::new()));
            }
            link => link?,
        };
        let (heard, end) = self.run_in(&mut link, candidates, until, telling);
        self.samples.looped(began.elapsed());
        let false_alarms = self.false_alarms;
        let mut outcomes = Vec::with_capacity(heard.len());
        for (heard, candidate) in heard.into_iter().zip(candidates) {
            outcomes.push(match self.verdict(heard) {
                Some(verdict) => self.judged(&verdict, candidate)?,
                None => Outcome::Unresolved,
            });
        }
        if let Some(missed) = self.sample(&outcomes, candidates)? {
            outcomes[missed] = Outcome::Fail;
            if until == Until::Failure {
                outcomes.truncate(missed + 1);
            }
            return Ok(Step::Outcomes(outcomes));
        }
        match end {
            // After a false alarm, what leaked into this process may mislead again, and one that has lost its
            // folder does not find what others would.
            End::Batch if self.false_alarms == false_alarms && is_there(self.probed.job.job()) => {
                self.link = Some(link);
            }
            End::Batch | End::Replace => {}
            End::Trouble(_) if self.fresh.is_some() => self.doubt.cast(),
            End::Trouble(why) => return Err(why.into()),
            End::Hung | End::Gone | End::Noise | End::NotRun if telling == Telling::Bundled => {
                return Ok(Step::Again(outcomes));
            }
            End::Hung | End::Gone | End::Noise | End::NotRun => {
                if let Some(candidate) = candidates.get(outcomes.len()) {
                    outcomes.push(self.ended(link, &end, candidate)?);
                }
            }
        }
        Ok(Step::Outcomes(outcomes))
    }

    /// Runs one of those that did not fail in a fresh process, if that is due; which of them fails there.
    fn sample(
        &mut self,
        outcomes: &[Outcome],
        candidates: &[E::Candidate],
    ) -> Answer<Option<usize>> {
        let Some(fresh) = self.fresh.as_mut().filter(|_| self.samples.is_due()) else {
            return Ok(None);
        };
        let others: Vec<usize> =
            (0..outcomes.len()).filter(|&place| !outcomes[place].is_fail()).collect();
        let Some(place) = self.samples.pick(&others) else { return Ok(None) };
        let began = Instant::now();
        let outcome = fresh.ask(&candidates[place])?;
        self.samples.took(began.elapsed());
        if outcome.is_fail() {
            self.doubt.cast();
            self.base = candidates[place].clone();
        }
        Ok(outcome.is_fail().then_some(place))
    }

    /// What a verdict means; that a candidate fails is checked.
    fn judged(&mut self, verdict: &Verdict, candidate: &E::Candidate) -> Answer<Outcome> {
        let outcome = self.probed.matcher.outcome(verdict, candidate);
        if outcome.is_fail() { self.check(candidate) } else { Ok(outcome) }
    }

    /// What was heard of a run; `None` for a failure elsewhere, of which nothing is told.
    fn verdict(&self, heard: Heard) -> Option<Verdict> {
        Some(match heard {
            Heard::Pass => self.passed(),
            Heard::Elsewhere => return None,
            Heard::Panic { message, file, line, column } => {
                let location = Location::new(file, line, column);
                Verdict::Failed(Signature::new(FailureKind::Panic, message).at(location))
            }
            Heard::Error(message) => Verdict::Failed(Signature::new(FailureKind::Error, message)),
        })
    }

    /// Runs one candidate and tells what it shows; `None` for a failure elsewhere. What an earlier run has left behind may show
    /// there, so a candidate that is made of it has to be asked for.
    ///
    /// # Errors
    /// When it cannot be run, neither in the loop nor, if there are any, in a fresh process.
    pub fn observe(&mut self, candidate: &E::Candidate) -> Answer<Option<Verdict>> {
        if self.interrupt.is_set() {
            return Err(crate::exec::ExecError::Interrupted.into());
        }
        if !self.is_given_up()
            && let Some(heard) = self.heard(candidate)?
        {
            return Ok(self.verdict(heard));
        }
        self.fresh.as_ref().map(|fresh| fresh.observe(candidate)).transpose()
    }

    /// What the loop tells of one candidate, if it does.
    fn heard(&mut self, candidate: &E::Candidate) -> Answer<Option<Heard>> {
        let mut link = match self.link() {
            Err(error) if self.fresh.is_some() && !is_interrupt(&error) => return Ok(None),
            link => link?,
        };
        let candidates = std::slice::from_ref(candidate);
        let (heard, end) = self.run_in(&mut link, candidates, Until::End, Telling::EachAtOnce);
        if end == End::Batch && is_there(self.probed.job.job()) {
            self.link = Some(link);
        }
        Ok(heard.into_iter().next())
    }

    /// How outcomes are told as long as nothing went wrong. Where the failure itself ends the process
    /// (a hang, an abort), bundled outcomes would be lost with it, and each such candidate run twice.
    fn usual_telling(&self) -> Telling {
        match self.probed.matcher.expected().kind {
            FailureKind::Panic | FailureKind::Error | FailureKind::ShouldPanic => Telling::Bundled,
            _ => Telling::EachAtOnce,
        }
    }

    /// What a run that returns means: for a test that should panic, that is the failure.
    fn passed(&self) -> Verdict {
        if self.probed.matcher.expected().kind == FailureKind::ShouldPanic {
            Verdict::Failed(self.probed.matcher.expected().clone())
        } else {
            Verdict::Passed
        }
    }

    fn check(&mut self, candidate: &E::Candidate) -> Answer<Outcome> {
        self.unchecked = self.unchecked.saturating_add(1);
        let outcome = match &mut self.fresh {
            Some(fresh) if self.unchecked >= self.check_every => {
                self.unchecked = 0;
                fresh.ask(candidate)?
            }
            _ => Outcome::Fail,
        };
        if outcome.is_fail() {
            self.confirmed += 1;
            self.base = candidate.clone();
        } else {
            self.false_alarms += 1;
        }
        Ok(outcome)
    }

    /// The outcome of the candidate at which the process hung or died, or was no longer to be understood.
    fn ended(&mut self, link: Link, end: &End, candidate: &E::Candidate) -> Answer<Outcome> {
        let outcome = match (end, &mut self.fresh) {
            // A process that hangs is fresh enough: it was started anew after the last one.
            (End::Hung, _) => {
                drop(link);
                self.probed.matcher.outcome(&verdict(Exit::TimedOut, ""), candidate)
            }
            // A process that it ends, or whose descriptors it takes, tells less than one of its own.
            (_, Some(fresh)) => {
                drop(link);
                fresh.ask(candidate)?
            }
            (End::Gone, None) => {
                let (exit, stderr) = link.end()?;
                return self.judged(&verdict(exit, &stderr), candidate);
            }
            (_, None) => Outcome::Unresolved,
        };
        if outcome.is_fail() {
            self.base = candidate.clone();
        }
        Ok(outcome)
    }
}

/// What the end of the process means.
fn verdict(exit: Exit, stderr: &str) -> Verdict {
    let finished = Finished::printing(exit, "", stderr);
    interpret(&finished, "__cargo_reduce_probe")
}

/// Where the runtime shall look for the failure.
fn place<C>(matcher: &impl FailureMatcher<C>) -> PanicSite {
    match (matcher.rule(), &matcher.expected().location) {
        (rule, Some(location)) if rule.looks_at_place() && !matcher.looks_everywhere() => {
            PanicSite::At(location.file.clone(), location.line, location.column)
        }
        _ => PanicSite::Anywhere,
    }
}

impl<E: Encode, J: FailureMatcher<E::Candidate>> Oracle<E::Candidate> for InProcessOracle<E, J> {
    fn run(&mut self, candidates: &[E::Candidate], until: Until) -> Answer<Vec<Outcome>> {
        let mut outcomes: Vec<Outcome> = Vec::with_capacity(candidates.len());
        let mut telling = self.usual_telling();
        while !until.is_over(&outcomes, candidates.len()) {
            if self.interrupt.is_set() {
                return Err(crate::exec::ExecError::Interrupted.into());
            }
            let rest = &candidates[outcomes.len()..];
            if self.is_given_up()
                && let Some(fresh) = &mut self.fresh
            {
                outcomes.extend(fresh.run(rest, until)?);
                break;
            }
            match self.step(rest, until, telling)? {
                Step::Outcomes(more) => outcomes.extend(more),
                // Where one hangs, so do others of its kind.
                Step::Again(more) => {
                    telling = Telling::EachAtOnce;
                    outcomes.extend(more);
                }
            }
        }
        Ok(outcomes)
    }

    fn batch(&self) -> usize {
        BATCH
    }
}
