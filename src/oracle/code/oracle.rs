//! From a candidate to an outcome: compile it, run the one test, look at how it fails.

use std::collections::BTreeSet;
use std::sync::OnceLock;
use std::time::Duration;

use super::companion_tests::passing_within;
use super::test_run::{Ended, TestRun, TimeLimit};
use super::{CodeMatcher, FixedParts, OtherBuild, TestName};
use crate::compile::{Compiled, Compiler, Depth};
use crate::exec::Interrupt;
use crate::oracle::flaky::{Decision, Plan, SequentialTest};
use crate::oracle::libtest::Verdict;
use crate::oracle::pool::Pool;
use crate::oracle::pooled::Pooled;
use crate::project::TestBinary;
use crate::reduce::{Answer, Outcome};
use crate::rust::{Sources, function_of};

/// The tests that have to pass along may take so many times as long as at first, and at least so long.
const ALSO_TIMES: u32 = 20;
const ALSO_LEAST: Duration = Duration::from_millis(300);

/// What came of a candidate.
#[derive(Debug, Clone)]
pub struct Observed {
    /// What that means.
    pub outcome: Outcome,
    /// What the compiler said first, if it did not build.
    pub error: Option<String>,
    /// How the test ended.
    pub verdict: Verdict,
    /// What has to pass along and does not, as far as it was run.
    pub not_passing: Vec<String>,
}

impl Observed {
    /// It was built, and its test ended in this way.
    pub(super) fn of(outcome: Outcome, verdict: Verdict) -> Observed {
        Observed { outcome, error: None, verdict, not_passing: Vec::new() }
    }

    /// It does not build.
    pub(super) fn broken(error: String) -> Observed {
        Observed { error: Some(error), ..Observed::of(Outcome::Unresolved, Verdict::NotRun) }
    }
}

/// What is to be found out of a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// Its outcome, with as few runs as that takes.
    Outcome,
    /// How its test ends and all that does not pass along, whether or not it has all that candidates have to keep.
    Reasons,
}

/// A candidate that was built.
pub(super) struct Built<'b> {
    pub(super) sources: &'b Sources,
    pub(super) binary: &'b TestBinary,
    pub(super) run: &'b TestRun<'b>,
    /// What a test of the sources is called in the binary.
    pub(super) named: &'b dyn Fn(&str) -> String,
}

/// Judges candidates.
pub struct CodeOracle<'a> {
    pub(super) compiler: &'a Compiler,
    pub(super) run: TestRun<'a>,
    /// What the test is called in each candidate.
    pub(super) name: TestName,
    matcher: CodeMatcher,
    pool: Pool,
    /// What the tests that have to pass along are called in each candidate.
    also: Vec<TestName>,
    /// How long they took when all of them passed first.
    also_took: OnceLock<Duration>,
    kept: FixedParts,
    /// Where the test has to pass.
    pub other: Option<&'a OtherBuild>,
    /// How often a candidate is run.
    pub plan: Plan,
    /// How long one run may take; one that waits computes no longer for that.
    pub limit: TimeLimit,
}

impl<'a> CodeOracle<'a> {
    /// An oracle that looks for the failure at `place`. Tests that have to pass along, and what runs the test
    /// for several inputs, stay as they are in `original`, with what these have from the files `of_tests` of the subject.
    pub fn new(
        compiler: &'a Compiler,
        run: TestRun<'a>,
        name: TestName,
        matcher: CodeMatcher,
        pool: Pool,
        original: &Sources,
        of_tests: &BTreeSet<usize>,
    ) -> Self {
        let companions: Vec<&str> = run.also.iter().map(|test| function_of(test)).collect();
        let kept = FixedParts::new(&companions, name.driver(), original, of_tests);
        let kept = kept.holding_failure(original, &matcher);
        let also = run.also.iter();
        let also = also.map(|test| name.companion(test, original)).collect();
        CodeOracle {
            compiler,
            run,
            name,
            matcher,
            pool,
            also,
            also_took: OnceLock::new(),
            kept,
            other: None,
            plan: Plan::once(),
            limit: TimeLimit::default(),
        }
    }

    /// Also wants the last assertions that hold in the test before it fails, as they stand in `original`: where it expects
    /// a value, they say what is right.
    #[must_use]
    pub fn holding(mut self, original: &Sources) -> Self {
        let place = self.matcher.place_in(original);
        self.kept = self.kept.holding(original, place);
        self
    }

    /// Also wants the functions to look at what they are given that the test asks where it fails in `original`.
    #[must_use]
    pub fn answering(mut self, original: &Sources) -> Self {
        let place = self.matcher.place_in(original);
        self.kept = self.kept.answering(original, place);
        self
    }

    /// The same for the failure as another search has looked for it.
    #[must_use]
    pub fn looking_for(self, matcher: CodeMatcher) -> Self {
        CodeOracle { matcher, ..self }
    }

    /// Also wants the operands of the condition that fails to be those which the first run shows, if it shows any.
    #[must_use]
    pub fn holding_operands(self, first: &Verdict) -> Self {
        let Verdict::Failed(shown) = first else { return self };
        let matcher = self.matcher.clone().with_operands_of(shown);
        self.looking_for(matcher)
    }

    /// Runs the test of a candidate once.
    pub(super) fn run_once(
        &self,
        test_run: &TestRun<'_>,
        binary: &TestBinary,
        interrupt: &Interrupt,
    ) -> Answer<Verdict> {
        Ok(self.run_within(self.limit, test_run, binary, interrupt)?.verdict)
    }

    /// As [`TestRun::run_within`]; where the failure may be the one looked for and stands outside of the
    /// sources, its place is that of the call which leads there.
    pub(super) fn run_within(
        &self,
        limit: TimeLimit,
        test_run: &TestRun<'_>,
        binary: &TestBinary,
        interrupt: &Interrupt,
    ) -> Answer<Ended> {
        let mut ended = test_run.run_within(limit, binary, interrupt)?;
        if let Verdict::Failed(shown) = &mut ended.verdict
            && self.matcher.needs_call(shown)
        {
            shown.location = test_run.call_to(shown, binary, interrupt)?;
        }
        Ok(ended)
    }

    /// Whether one run is enough.
    pub(super) fn is_run_once(&self) -> bool {
        self.plan == Plan::once()
    }

    /// Whether a result fails often enough, at the smaller risk of the plan.
    ///
    /// # Errors
    /// When it cannot be compiled or run at all.
    pub fn holds(&self, sources: &Sources, interrupt: &Interrupt) -> Answer<bool> {
        let verdict = self.built(sources, interrupt, |compiled, run| match &compiled.binary {
            Some(binary) => {
                self.decide(sources, self.plan.result(), || self.run_once(run, binary, interrupt))
            }
            None => Ok(Verdict::NotRun),
        })?;
        Ok(self.outcome(&verdict, sources).is_fail())
    }

    /// Builds a candidate, and lets `look` see what came of it; it is told how the test is run.
    fn built<R>(
        &self,
        sources: &Sources,
        interrupt: &Interrupt,
        look: impl FnOnce(Compiled, &TestRun<'_>) -> Answer<R>,
    ) -> Answer<R> {
        let test = self.name.in_sources(sources);
        let look = |compiled| look(compiled, &self.run_of(&test));
        self.compiler.with_compiled(sources, Depth::Link, interrupt, look)
    }

    pub(super) fn run_of<'t>(&'t self, test: &'t str) -> TestRun<'t> {
        TestRun { test, ..self.run.clone() }
    }

    /// Calls `run` until it is clear whether the test fails often enough; shows the failure if it does.
    fn decide(
        &self,
        sources: &Sources,
        mut rate: SequentialTest,
        mut run: impl FnMut() -> Answer<Verdict>,
    ) -> Answer<Verdict> {
        let (mut failing, mut other) = (Verdict::NotRun, Verdict::NotRun);
        loop {
            let verdict = run()?;
            let is_fail = self.outcome(&verdict, sources).is_fail();
            *(if is_fail { &mut failing } else { &mut other }) = verdict;
            match rate.add(is_fail) {
                Decision::Fail => return Ok(failing),
                Decision::Pass => return Ok(other),
                Decision::RunAgain => {}
            }
        }
    }

    /// Those of these tests that pass, in not much more time than when all of them did so first: many candidates do
    /// not end in them.
    fn passing_along(
        &self,
        binary: &TestBinary,
        also: &[String],
        test_run: &TestRun<'_>,
        interrupt: &Interrupt,
    ) -> Answer<Vec<String>> {
        let limit = self.also_took.get().map(|first| *first * ALSO_TIMES);
        let within = TimeLimit {
            wall: limit.map(|limit| limit.max(ALSO_LEAST)),
            cpu: limit.map(|limit| limit.max(ALSO_LEAST)),
        };
        let (passing, took) = passing_within(within, binary, also, test_run, interrupt)?;
        if passing.len() >= also.len() {
            self.also_took.get_or_init(|| took);
        }
        Ok(passing)
    }

    /// What candidates have to keep as it was written.
    pub fn kept(&self) -> &FixedParts {
        &self.kept
    }

    /// The failure that is looked for.
    pub fn matcher(&self) -> &CodeMatcher {
        &self.matcher
    }

    /// Compiles and runs a candidate.
    ///
    /// # Errors
    /// When it cannot be compiled or run at all.
    pub fn observe(&self, sources: &Sources, interrupt: &Interrupt) -> Answer<(Compiled, Verdict)> {
        let (compiled, observed) = self.look(sources, Detail::Outcome, interrupt)?;
        Ok((compiled, observed.verdict))
    }

    /// Compiles and runs a candidate, and all that has to pass along whatever the test does.
    ///
    /// # Errors
    /// As [`CodeOracle::observe`].
    pub fn reasons(&self, sources: &Sources, interrupt: &Interrupt) -> Answer<Observed> {
        Ok(self.look(sources, Detail::Reasons, interrupt)?.1)
    }

    fn look(
        &self,
        sources: &Sources,
        detail: Detail,
        interrupt: &Interrupt,
    ) -> Answer<(Compiled, Observed)> {
        self.built(sources, interrupt, |compiled, run| {
            let Some(binary) = &compiled.binary else {
                let error = compiled.errors.first().map(|error| error.message.clone());
                return Ok((compiled, Observed::broken(error.unwrap_or_default())));
            };
            let built = Built { sources, binary, run, named: &str::to_owned };
            let once = || self.run_once(run, binary, interrupt);
            let observed = self.observed(&built, detail, interrupt, once)?;
            Ok((compiled, observed))
        })
    }

    /// What is wanted of a candidate that was built, whose test `once` runs.
    pub(super) fn observed(
        &self,
        built: &Built<'_>,
        detail: Detail,
        interrupt: &Interrupt,
        once: impl FnMut() -> Answer<Verdict>,
    ) -> Answer<Observed> {
        let Built { sources, binary, run, named } = *built;
        let verdict = self.decide(sources, self.plan.candidate(), once)?;
        let outcome = self.outcome(&verdict, sources);
        let is_only_outcome = detail == Detail::Outcome;
        if is_only_outcome && !outcome.is_fail() {
            return Ok(Observed::of(outcome, verdict));
        }
        let mut not_passing: Vec<String> =
            self.also.iter().map(|name| named(&name.in_sources(sources))).collect();
        if !not_passing.is_empty() {
            let passing = self.passing_along(binary, &not_passing, run, interrupt)?;
            not_passing.retain(|test| !passing.contains(test));
        }
        let is_known = is_only_outcome && !not_passing.is_empty();
        if let Some(other) = self.other.filter(|_| !is_known)
            && other.observe(sources, run, interrupt)? != Verdict::Passed
        {
            not_passing.push(format!("{} with the other version", run.test));
        }
        if is_only_outcome && !not_passing.is_empty() {
            return Ok(Observed::of(Outcome::Unresolved, Verdict::NotRun));
        }
        Ok(Observed { not_passing, ..Observed::of(outcome, verdict) })
    }

    /// The outcome that a verdict on a candidate means.
    pub fn outcome(&self, verdict: &Verdict, sources: &Sources) -> Outcome {
        verdict.outcome(|shown| {
            self.matcher.is_same(shown, sources) && self.kept.keeps_failure(sources)
        })
    }
}

impl Pooled<Sources> for CodeOracle<'_> {
    fn pool(&self) -> &Pool {
        &self.pool
    }

    fn judge(&self, sources: &Sources, interrupt: &Interrupt) -> Answer<Outcome> {
        if !self.kept.is_in(sources) {
            return Ok(Outcome::Unresolved);
        }
        Ok(self.look(sources, Detail::Outcome, interrupt)?.1.outcome)
    }
}
