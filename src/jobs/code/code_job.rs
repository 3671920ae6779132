//! What all runs of candidates of a subject have in common.

use std::time::Duration;

use camino::Utf8Path;

use super::compile_plan::{CompilePlan, compiler_in};
use super::other::OtherSubject;
use super::shape::{CodeShape, Companions};
use super::subject::CodeSubject;
use crate::app::config::{Config, ContrastChoice};
use crate::app::failure::Result;
use crate::app::limits::{cpu_limit, plan, time_limit};
use crate::compile::{Compiler, Shortcuts};
use crate::disk::ResultFolder;
use crate::exec::{Confined, Interrupt, Job};
use crate::jobs::inputs::run_folders::RunFolders;
use crate::jobs::inputs::start::Original;
use crate::oracle::code::{CodeMatcher, CodeOracle, OtherBuild, TestName, TestRun};
use crate::oracle::flaky::Plan;
use crate::oracle::pool::Pool;
use crate::oracle::runner::TestRunner;
use crate::oracle::signature::{Given, Match};
use crate::oracle::switches::TakenBack;
use crate::rust::operands::Operands;
use crate::rust::runs::DRIVER;
use crate::rust::{
    Sources, dense_text, function_of, functions_of, is_in_test_or_helper, plain_case,
    without_other_tests, without_tests_of_macros,
};
use crate::source::Asserted;

/// A subject, its failure, and how its test is run.
pub struct CodeJob<'a> {
    /// What the user wants.
    pub config: &'a Config,
    /// What is reduced.
    pub subject: &'a CodeSubject,
    /// The copy with another version, in which the test has to pass.
    pub other: Option<&'a OtherSubject>,
    /// The failure.
    pub original: &'a Original,
    /// Where the result goes.
    pub results: &'a ResultFolder,
    /// Where it has to be.
    pub matcher: CodeMatcher,
    /// How long one candidate may take.
    pub limit: Duration,
    /// How often a candidate is run.
    pub plan: Plan,
    /// Where candidates run.
    pub folders: RunFolders,
    /// What the asserted condition is about, if that is held.
    pub operands: Option<Operands>,
    /// What builds with switches have found out.
    pub taken_back: TakenBack,
}

impl<'a> CodeJob<'a> {
    /// A job for `subject`.
    ///
    /// # Errors
    /// When there is no place for temporary files.
    pub fn new(
        config: &'a Config,
        subject: &'a CodeSubject,
        other: Option<&'a OtherSubject>,
        original: &'a Original,
        results: &'a ResultFolder,
    ) -> Result<Self> {
        let (signature, sources) = (&original.signature, &subject.original.sources);
        let matcher = CodeMatcher::new(original.rule.clone(), signature.clone(), sources);
        let matcher = matcher.with_words_of_value(sources, || given(subject));
        // A helper of tests that asserts something is as good inside of the test.
        let is_free = config.code.contrast == ContrastChoice::None
            || CodeMatcher::asserted(signature, sources).is_some();
        Ok(CodeJob {
            config,
            subject,
            other,
            original,
            results,
            matcher: if is_free {
                matcher
            } else {
                matcher.held_outside(function_of(&subject.test))
            },
            limit: time_limit(config, &original.signature, &original.baseline),
            plan: plan(config, &original.baseline)?,
            folders: RunFolders::new(config)?,
            operands: None,
            taken_back: TakenBack::default(),
        })
    }

    /// Whether another version or these tests say what is right.
    pub fn is_judged(&self, companions: &Companions) -> bool {
        self.other.is_some() || companions.are_telling()
    }

    /// Whether the test compares with a value that stands in the source, and nothing else says what is right: of other inputs
    /// it would expect the same.
    pub fn expects_a_value(&self) -> bool {
        let asserted = self.asserted();
        self.other.is_none()
            && matches!(asserted, Some(Asserted::Values(Some(_)) | Asserted::Shown))
    }

    /// Whether the test expects of its inputs what it need not be given with others.
    pub fn expects_of_its_inputs(&self) -> bool {
        matches!(
            self.asserted(),
            Some(
                Asserted::Condition
                    | Asserted::Shown
                    | Asserted::Bound
                    | Asserted::Inequality
                    | Asserted::Values(Some(_))
            )
        )
    }

    /// Whether it is the test that tells what is wrong, so that any wrong value would do: an assertion fails, or it cannot go
    /// on, as where something is `None` that it unwraps.
    pub fn fails_in_test(&self) -> bool {
        let sources = &self.subject.original.sources;
        let test = function_of(&self.subject.test);
        let place = || self.matcher.place_in(sources);
        let is_in_test = |(file, offset): (usize, usize)| {
            is_in_test_or_helper(&sources.files[file].text, offset, test)
        };
        self.asserted().is_some() || place().is_some_and(is_in_test)
    }

    /// Whether the inputs of the test stay as they are while its code is reduced: nothing else says what is right for
    /// others, and the user wants more than the same failure.
    pub fn pins_inputs(&self) -> bool {
        self.other.is_none() && self.config.code.contrast != ContrastChoice::None
    }

    /// The texts of the failure's message that may stand where the code makes them of values: by the message it is known what
    /// is wrong, unless another version tells, or the user does not ask for more than the same message.
    pub fn texts_for_values(&self) -> Vec<String> {
        let is_free = self.other.is_some() || self.config.code.contrast == ContrastChoice::None;
        if is_free { self.matcher.expected().shown_values() } else { Vec::new() }
    }

    /// What the assertion looks at that fails, if it is one.
    pub(super) fn asserted(&self) -> Option<Asserted> {
        CodeMatcher::asserted(&self.original.signature, &self.subject.original.sources)
    }

    /// Takes only the very same values for the failure where the test compares two that it computes, and the user has not
    /// said otherwise: any wrong result would do, and nothing else tells one from the other.
    pub fn hold_values(&mut self) {
        let is_free = self.config.control.match_rule.is_none();
        let shows_sides = self.original.signature.message.contains("`left");
        let are_computed =
            matches!(self.asserted(), Some(Asserted::Values(None) | Asserted::Inequality));
        if is_free && shows_sides && are_computed {
            let signature = self.original.signature.clone();
            let sources = &self.subject.original.sources;
            self.matcher = CodeMatcher::new(Match::Exact, signature, sources);
        }
    }

    /// Sets limits and confines a run of the test.
    pub fn confine(&self, job: Job) -> Confined {
        self.confine_in(None, job)
    }

    /// The same for one that may stand in a package of its own.
    pub fn confine_in(&self, package: Option<&Utf8Path>, job: Job) -> Confined {
        let root = self.subject.scratch.root();
        let other = self.other.map(OtherSubject::root);
        let roots = [root].into_iter().chain(other).chain(package).map(Utf8Path::as_std_path);
        self.folders.confine(self.config, job, roots).map(|job| job.time(self.limit))
    }

    /// How the test is run.
    pub fn run<'b>(
        &'b self,
        test: &'b str,
        confine: &'b (dyn Fn(Job) -> Confined + Sync),
    ) -> TestRun<'b> {
        TestRun {
            test,
            runner: self.subject.runner,
            args: &self.config.test_args,
            also: &[],
            confine,
        }
    }

    /// How it is run in candidates, along with the tests that have to pass.
    pub fn run_in<'b>(
        &'b self,
        compile_plan: &'b CompilePlan,
        confine: &'b (dyn Fn(Job) -> Confined + Sync),
    ) -> TestRun<'b> {
        let also = &compile_plan.shape.companions.names;
        TestRun { also, ..self.run(compile_plan.name.original(), confine) }
    }

    /// Compiles candidates in that folder.
    pub fn compiler(
        &self,
        folder: &str,
        compile_plan: &CompilePlan,
        interrupt: &Interrupt,
    ) -> Compiler {
        let compiler = compiler_in(folder, self.config, self.subject, compile_plan, interrupt);
        if self.matcher.stands_at_call() { compiler.with_line_tables() } else { compiler }
    }

    /// Compiles candidates with the other version.
    pub fn other_build(
        &self,
        compile_plan: &CompilePlan,
        interrupt: &Interrupt,
    ) -> Option<OtherBuild> {
        self.other?.build(self.config, compile_plan, interrupt)
    }

    /// Judges candidates.
    pub fn oracle<'b>(
        &'b self,
        compiler: &'b Compiler,
        other: Option<&'b OtherBuild>,
        run: &TestRun<'b>,
        compile_plan: &CompilePlan,
        interrupt: &Interrupt,
    ) -> CodeOracle<'b> {
        let pool = Pool::new(self.config.workers, interrupt.clone());
        let place = self.matcher.clone();
        let name = compile_plan.name.clone();
        let sources = &compile_plan.shape.sources;
        let of_tests = self.subject.original.files_of_tests();
        let oracle = CodeOracle::new(compiler, run.clone(), name, place, pool, sources, &of_tests);
        // Where a part of the test passes along, that holds them.
        let is_holding = self.expects_a_value() && compile_plan.shape.companions.added.is_empty();
        let oracle = if is_holding { oracle.holding(sources) } else { oracle };
        let is_asking = self.pins_inputs() && self.fails_in_test();
        let mut oracle = if is_asking { oracle.answering(sources) } else { oracle };
        (oracle.other, oracle.plan) = (other, self.plan);
        let Original { signature, baseline, .. } = self.original;
        oracle.limit.cpu = cpu_limit(self.config, signature, baseline);
        oracle
    }

    /// The shapes of these sources of the subject and the ways to compile it, from the fastest to the most
    /// faithful; why none of them is in one file, where that was wanted.
    pub fn compile_plans(&self, sources: &CodeShape) -> (Vec<CompilePlan>, Option<&'static str>) {
        let (flat, why) = match self.in_one_file(sources) {
            Ok(flat) => (flat, None),
            Err(why) => (None, Some(why)),
        };
        let flat = flat.into_iter().flat_map(|flat| flat.in_editions(sources));
        let flat = flat.flat_map(|shape| {
            let name = self.name_in_one_file(&shape.sources);
            let plain = as_plain_test(&name, &shape);
            plain.into_iter().chain([(name, shape)])
        });
        // The tests of a library are none of the test's own crate.
        let kept = (TestName::fixed(&self.subject.test), sources.clone());
        let kept = Some(kept).filter(|_| !sources.companions.of_library);
        let driven = |(name, shape): (TestName, CodeShape)| match shape.contrast {
            Some(_) => (name.run_by(DRIVER), shape),
            None => (name, shape),
        };
        let shapes: Vec<(TestName, CodeShape)> = flat.chain(kept).map(driven).collect();
        let with = |shortcuts| {
            let shapes = shapes.iter().cloned();
            shapes.map(move |(name, shape)| CompilePlan { shape, shortcuts, name })
        };
        let compile_plans = with(Shortcuts::All).chain(with(Shortcuts::None));
        (compile_plans.collect(), why)
    }

    /// The same without the tests that nobody looks at, which may be in the way, from the plan without any on: as one file it
    /// is tried without them only, else with them, too.
    pub fn without_other_tests(&self, compile_plan: &CompilePlan) -> Vec<CompilePlan> {
        let CompilePlan { shape, name, .. } = compile_plan;
        let names = shape.companions.names.iter().map(String::as_str);
        let names: Vec<&str> = names.chain([&*self.subject.test, name.original()]).collect();
        let functions = without_other_tests(&shape.sources, &names);
        let all = without_tests_of_macros(&functions, &names);
        let mut plans: Vec<CompilePlan> = Vec::new();
        let whole = Some(&shape.sources).filter(|_| !shape.is_flat());
        for sources in [&all, &functions].into_iter().chain(whole) {
            if plans.last().is_none_or(|plan| plan.shape.sources.files != sources.files) {
                let shape = CodeShape { sources: sources.clone(), ..shape.clone() };
                plans.push(CompilePlan { shape, ..compile_plan.clone() });
            }
        }
        plans
    }

    /// The sources in one file, unless the user wants them as they are; or why they cannot be that.
    fn in_one_file(&self, sources: &CodeShape) -> Result<Option<CodeShape>, &'static str> {
        if self.config.code.keep_layout {
            return Ok(None);
        }
        if self.other.is_some_and(|other| other.is_swapped_in(self.subject)) {
            return Err("no package of one file could be swapped for its other version");
        }
        sources.flattened().map(Some)
    }

    /// What the test is called where all is in one file, and modules around it may go.
    fn name_in_one_file(&self, sources: &Sources) -> TestName {
        match self.subject.runner {
            TestRunner::Libtest => TestName::following(&self.subject.test, sources),
            TestRunner::Own | TestRunner::Rustdoc => TestName::fixed(&self.subject.test),
        }
    }
}

/// The same with a plain test instead of one case of a test that has several.
fn as_plain_test(name: &TestName, shape: &CodeShape) -> Option<(TestName, CodeShape)> {
    let (place, rest) = name.function_in(&shape.sources)?;
    let text = &shape.sources.files.first()?.text;
    let plain = plain_case(text, place, rest.trim_start_matches(':'))?;
    let sources = shape.sources.edit([(0, &plain)]);
    let name = TestName::following(name.original().strip_suffix(rest)?, &sources);
    let shape = CodeShape { sources, ..shape.clone() };
    Some((name, shape))
}

/// What stands in the test.
fn given(subject: &CodeSubject) -> Given {
    let names = [function_of(&subject.test)];
    let files = subject.original.sources.files.iter();
    let functions = files.flat_map(|file| functions_of(&file.text, &names));
    Given::new(functions.map(|(_, text)| dense_text(text).into()))
}
