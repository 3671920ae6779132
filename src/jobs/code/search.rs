//! The search for smaller sources.

use std::cell::RefCell;
use std::ops::Range;

use camino::Utf8PathBuf;

use super::clock::Clock;
use super::code_job::CodeJob;
use super::compile_plan::{CompilePlan, count};
use super::deciding::deciding_in;
use super::held_suspects::HeldSuspects;
use super::pass_stats::PassStatsTable;
use super::reduced_code::ReducedCode;
use super::shape::CodeShape;
use super::switches::{Staying, SwitchRun};
use crate::app::config::ContrastChoice;
use crate::app::failure::Result;
use crate::app::not_reproduced::not_reproduced;
use crate::app::search_driver::{
    AT_LIMIT, End, Follower, SearchDriver, Searched, check_best, check_store, trouble,
};
use crate::app::session::Session;
use crate::compile::{Checker, Compiled, Compiler, TellValues, ignored_values};
use crate::disk::{BestFile, BestSoFar};
use crate::exec::{Interrupt, Job};
use crate::oracle::code::{CodeMatcher, CodeOracle, FixedParts, TestRun, Together};
use crate::oracle::libtest::Verdict;
use crate::oracle::store::Key;
use crate::oracle::stored::{StoredOracle, source_key};
use crate::oracle::switches::{SwitchBuild, Switched, Values};
use crate::reduce::{Answer, Memory, RangeExt};
use crate::report::Event;
use crate::rust::{
    self, Deciding, FixedRange, ObservedValue, SourceFile, Sources, StandIn, Stays, Unused,
    function_of, functions_in,
};
use crate::schedule::{self, Settings};

/// Of so many values that are ignored is seen whether the failing run comes there.
const MOST_IGNORED: usize = 8;

/// Searches until no pass makes the sources smaller, from the first of these that fail.
///
/// # Errors
/// When the failure did not come back in the copy, or candidates cannot be run.
pub fn search(
    session: &Session,
    code_job: &CodeJob<'_>,
    starts: &[CodeShape],
    clock: &Clock,
) -> Result<ReducedCode> {
    let best = RefCell::new(code_job.results.best());
    let mut not_shown = Verdict::NotRun;
    for start in starts {
        let (compile_plans, why) = code_job.compile_plans(start);
        let mut why_apart = why.map(str::to_owned);
        for compile_plan in compile_plans.iter().flat_map(|it| code_job.without_other_tests(it)) {
            let attempt =
                Attempt { session, code_job, best: &best, compile_plan: &compile_plan, clock };
            match attempt.run(why_apart.as_deref())? {
                Ok(found) => return Ok(found),
                Err((verdict, why)) => {
                    not_shown = verdict;
                    if compile_plan.shape.is_flat() {
                        why_apart.get_or_insert(why);
                    }
                }
            }
        }
    }
    Err(not_reproduced(&code_job.original.signature, &not_shown))
}

/// A search in one shape of the subject.
#[derive(Clone, Copy)]
struct Attempt<'a> {
    session: &'a Session,
    code_job: &'a CodeJob<'a>,
    /// What is kept on disk while it is searched.
    best: &'a RefCell<BestSoFar>,
    compile_plan: &'a CompilePlan,
    clock: &'a Clock,
}

impl Attempt<'_> {
    /// Searches, not in one file for a reason if there is one; what its test shows instead, in words, too, if it does not
    /// fail.
    fn run(&self, why_apart: Option<&str>) -> Result<Result<ReducedCode, (Verdict, String)>> {
        let Attempt { session, code_job, compile_plan, clock, .. } = *self;
        let sources = &compile_plan.shape.sources;
        let compiler = self.compiler("candidates", &clock.all);
        let other = code_job.other_build(compile_plan, &clock.all);
        let confine = |job: Job| code_job.confine(job);
        let run = code_job.run_in(compile_plan, &confine);
        let oracle = code_job.oracle(&compiler, other.as_ref(), &run, compile_plan, &clock.all);
        let matcher = oracle.matcher().clone();
        let values = values(code_job, compile_plan);
        let switches = SwitchRun { code_job, matcher: &matcher, sources, values, run };
        let building = clock.switches.child();
        let compiler_of_switches = self.compiler("switches", &building);
        // What the failure looks like here has to be known even if there is no time to search.
        let observe = || {
            let observed = oracle.observe(sources, &clock.user);
            let is_fail =
                observed.as_ref().is_ok_and(|(_, it)| oracle.outcome(it, sources).is_fail());
            if !is_fail {
                building.set();
            }
            observed.map(|observed| (observed, is_fail))
        };
        let (observed, build) =
            switches.build_beside(session, compiler_of_switches, &building, observe);
        let ((compiled, verdict), is_fail) = observed.map_err(|error| trouble(&error))?;
        let found = if is_fail && oracle.kept().is_in(sources) {
            if let Some(why) = why_apart.filter(|_| !compile_plan.shape.is_flat()) {
                session.stage("Keeping", format!("the files separate: {why}"));
            }
            let ignored = self.ignored_values(&compiler)?;
            let oracle = oracle.holding_operands(&verdict);
            Ok(self.reduce(&compiler, oracle, switches, build, &ignored)?)
        } else {
            let why = if is_fail {
                "what runs the test for all inputs is not found in it".to_owned()
            } else {
                why_not(&compile_plan.shape, &compiled, &verdict)
            };
            session.stage("Skipping", format!("one layout of the code: {why}"));
            Err((verdict, why))
        };
        if let Some(other) = &other {
            count(session, other.compiler());
        }
        count(session, &compiler);
        Ok(found)
    }

    /// Values that nothing uses, as the compiler warns of the whole code, but for those in the failing test.
    fn ignored_values(&self, compiler: &Compiler) -> Result<Unused> {
        let CompilePlan { shape, name, .. } = self.compile_plan;
        let sources = &shape.sources;
        let clock = &self.clock.all;
        let ignored = match ignored_values(compiler, sources, clock) {
            // What is there in time is judged.
            Err(_) if clock.is_set() => return Ok(Vec::new()),
            ignored => ignored.map_err(|error| trouble(&error))?.into_iter(),
        };
        let test = name.in_sources(sources);
        let tests = functions_in(sources, &[function_of(&test)]);
        let is_in_test = |(file, range): &(usize, Range<usize>)| {
            tests.iter().any(|(other, test)| other == file && test.covers(range))
        };
        Ok(ignored.filter(|place| !is_in_test(place)).take(MOST_IGNORED).collect())
    }

    /// The search itself: first what one build with switches shows, then all passes.
    fn reduce(
        &self,
        compiler: &Compiler,
        oracle: CodeOracle<'_>,
        switches: SwitchRun<'_>,
        build: Option<Answer<SwitchBuild>>,
        ignored: &[(usize, Range<usize>)],
    ) -> Result<ReducedCode> {
        let Attempt { session, code_job, compile_plan, clock, .. } = *self;
        let sources = &compile_plan.shape.sources;
        let kept = oracle.kept().ranges_in(sources).into_iter();
        let mut kept: Vec<_> = kept.map(|it| (it.file, it.range)).collect();
        if let Some((file, Deciding { steps, derived, values, .. })) =
            deciding_in(code_job, compile_plan, sources)
        {
            kept.extend(steps.into_iter().chain(derived).chain(values).map(|range| (file, range)));
        }
        let matcher = oracle.matcher().clone();
        let switches = SwitchRun { matcher: &matcher, ..switches };
        let staying = Staying { kept: &kept, held: ignored };
        let mut switched = build.map_or_else(Switched::default, |build| {
            switches.edits(session, staying, clock, build, compiler)
        });
        let ignored = ignored.iter();
        let ignored = ignored.filter_map(|(file, range)| sources.original_range(*file, range));
        switched.suspects.extend(ignored);
        let compiler_of_values = RefCell::new(self.compiler("values", &clock.all));
        let tell = |sources: &Sources| {
            let compiler = &mut compiler_of_values.borrow_mut();
            self.observed_values(sources, switches.values, switches.matcher, compiler)
        };
        let start = Start {
            attempt: *self,
            job: job_key(code_job, compile_plan),
            switched: &switched,
            tell: &tell,
        };
        let found = reduce(&start, compiler, Together::new(oracle, sources))?;
        count(session, &compiler_of_values.borrow());
        Ok(found)
    }

    /// What calls in these sources always yield.
    fn observed_values(
        &self,
        sources: &Sources,
        values: Values,
        matcher: &CodeMatcher,
        compiler: &mut Compiler,
    ) -> Answer<Vec<ObservedValue>> {
        if values == Values::None {
            return Ok(Vec::new());
        }
        let Attempt { code_job, compile_plan, clock, .. } = *self;
        let test = compile_plan.name.in_sources(sources);
        let companions = compile_plan.shape.companions.names.iter();
        let also: Vec<String> =
            companions.map(|it| compile_plan.companion_in(it, sources)).collect();
        let confine = |job: Job| code_job.confine(job);
        let run = TestRun { also: &also, ..code_job.run(&test, &confine) };
        SwitchRun { code_job, matcher, sources, values, run }.observed_values(clock, compiler)
    }

    fn compiler(&self, folder: &str, interrupt: &Interrupt) -> Compiler {
        self.code_job.compiler(folder, self.compile_plan, interrupt)
    }
}

/// Which values may take the place of what computes them: what only the failing run has shown may be the bug itself.
fn values(code_job: &CodeJob<'_>, compile_plan: &CompilePlan) -> Values {
    let CodeShape { contrast, companions, .. } = &compile_plan.shape;
    if contrast.is_some() || companions.are_telling() {
        Values::Agreed
    } else if code_job.is_judged(companions)
        || code_job.config.code.contrast == ContrastChoice::None
    {
        Values::All
    } else {
        Values::None
    }
}

/// Why a shape of the subject is not the one that is reduced.
fn why_not(shape: &CodeShape, compiled: &Compiled, verdict: &Verdict) -> String {
    let files = match shape.sources.files.len() {
        1 => "as one file".to_owned(),
        files => format!("as {files} files"),
    };
    match compiled.errors.first() {
        Some(error) => format!("{files} the code does not build: {}", error.message),
        None => format!("{files} the test {verdict}"),
    }
}

/// What a search starts from.
struct Start<'a> {
    attempt: Attempt<'a>,
    /// What outcomes are filed under.
    job: Key,
    /// What was found at run time.
    switched: &'a Switched,
    /// Tells what calls yield.
    tell: &'a TellValues<'a>,
}

impl Start<'_> {
    /// The function of the failing test, where its literals are inputs that were minimized with all of the code: what
    /// is left of it need not do what is right for others. Where a driver runs it for several inputs, the driver, and the test
    /// if that expects what it need not be given with others.
    fn inputs_in(&self, sources: &Sources) -> Vec<(usize, Range<usize>)> {
        let Attempt { code_job, compile_plan, .. } = self.attempt;
        if !code_job.pins_inputs() {
            return Vec::new();
        }
        let name = compile_plan.name.in_sources(sources);
        let driven = Some(&*code_job.subject.test)
            .filter(|_| compile_plan.name.driver().is_some() && code_job.expects_of_its_inputs());
        let names: Vec<&str> = driven.into_iter().chain([&*name]).map(function_of).collect();
        functions_in(sources, &names)
    }

    /// What stays as it is of candidates, besides what is `kept`.
    fn fixed(&self, kept: &FixedParts, sources: &Sources) -> Vec<FixedRange> {
        let Attempt { code_job, compile_plan, .. } = self.attempt;
        let stays = if code_job.expects_of_its_inputs() { Stays::Inputs } else { Stays::Literals };
        let literals = self.inputs_in(sources).into_iter().map(|at| (at, stays.clone()));
        let deciding = deciding_in(code_job, compile_plan, sources).into_iter();
        let steps = deciding.flat_map(|(file, Deciding { steps, derived, changing, .. })| {
            let all = [(steps, Stays::Step), (derived, Stays::Calls), (changing, Stays::Name)];
            all.into_iter().flat_map(move |(ranges, stays)| {
                ranges.into_iter().map(move |range| ((file, range), stays.clone()))
            })
        });
        let of_inputs = literals.chain(steps);
        let of_inputs = of_inputs.map(|((file, range), stays)| FixedRange { file, range, stays });
        kept.ranges_in(sources).into_iter().chain(of_inputs).collect()
    }

    /// Makes the edits that were found at run time, and lets all passes take their turns.
    fn search<K: Fn(&Sources) -> Key>(
        &self,
        compiler: &Compiler,
        oracle: &mut StoredOracle<Together<'_>, K>,
        bests: &RefCell<Vec<Sources>>,
    ) -> Searched<Sources> {
        let Start { attempt, switched, .. } = self;
        let Attempt { session, code_job, compile_plan, clock, .. } = *attempt;
        let driver = SearchDriver {
            console: session,
            started: clock.started,
            before: 0,
            interrupt: &clock.all,
            most: code_job.config.control.max_candidates,
            memory: Memory::Remember,
            follower: &Keeping { best: attempt.best, bests },
        };
        let settings = Settings {
            stand_in: StandIn::Panic,
            is_switched: switched.is_searched && !switched.reductions.is_empty(),
        };
        let kept = oracle.inner().judge().kept().clone();
        let suspects = HeldSuspects::new(&switched.suspects);
        // Each pass asks for it, mostly of the same sources.
        let known = RefCell::new(None::<(Sources, Vec<FixedRange>)>);
        let fixed = |sources: &Sources| {
            let mut known = known.borrow_mut();
            known.take_if(|(of, _)| !of.shares_texts_with(sources));
            let (_, fixed) =
                known.get_or_insert_with(|| (sources.clone(), self.fixed(&kept, sources)));
            fixed.iter().cloned().chain(suspects.fixed_in(sources)).collect()
        };
        let mut pass_stats = PassStatsTable::new(compiler);
        let mut on_pass_end = |stats| pass_stats.add(stats);
        let mut checker = Checker::new(compiler, &clock.all, &mut on_pass_end);
        checker.tell = Some(self.tell);
        checker.shown = code_job.texts_for_values();
        checker.only_failing = &switched.only_failing;
        checker.fixed = Some(&fixed);
        let found = driver.run(&compile_plan.shape.sources, oracle, |problem| {
            rust::make_edits(problem, &switched.reductions)?;
            suspects.forget_unreached(problem)?;
            schedule::reduce_checked(problem, settings, &mut checker)?;
            // What is reached at first need not be when the way there has gone.
            while suspects.forget_unreached(problem)? {
                schedule::reduce_checked(problem, settings, &mut checker)?;
            }
            Ok(())
        });
        session.tell(&Event::Detail(pass_stats.table()));
        found
    }
}

/// Keeps what a search finds.
struct Keeping<'a> {
    best: &'a RefCell<BestSoFar>,
    /// All that was found, the smallest last.
    bests: &'a RefCell<Vec<Sources>>,
}

impl Follower<Sources> for Keeping<'_> {
    fn size(&self, sources: &Sources) -> usize {
        sources.tokens()
    }

    fn keep(&self, best: &Sources, is_last: bool) {
        if !is_last {
            self.bests.borrow_mut().push(best.clone());
        }
        self.best.borrow_mut().keep(|| files_of(best), is_last);
    }
}

/// Searches from there, and sees that the result fails alone.
fn reduce(start: &Start<'_>, compiler: &Compiler, oracle: Together<'_>) -> Result<ReducedCode> {
    let Attempt { session, code_job, best: kept, compile_plan, clock } = start.attempt;
    let matcher = oracle.judge().matcher().clone();
    let store = code_job.config.control.store(&compiler.folder().join("outcomes"));
    let mut oracle = StoredOracle::new(oracle, store, source_key(start.job));
    let bests = RefCell::default();
    let Searched { best, counts, ended, .. } = start.search(compiler, &mut oracle, &bests);
    session.count_search(counts);
    session.count_stored(oracle.cached());
    check_store(session, oracle.store());
    check_best(session, kept.borrow_mut().trouble());
    let end = End::of(ended, &session.interrupt)?;
    if end == End::Limited {
        let control = &code_job.config.control;
        let is_usual = control.max_time.is_none() && control.max_candidates.is_none();
        let hint = if is_usual { ", and `--max-time SECS` gives it longer" } else { "" };
        session.warn(format!("{AT_LIMIT}{hint}"));
    }
    if end != End::Interrupted && !fails_alone(oracle.inner(), &best, &session.interrupt)? {
        if clock.all.is_set() {
            session.warn(
                "what was found last fails only when it is compiled together with other candidates; this is what was found before",
            );
            let sources = &compile_plan.shape.sources;
            let earlier = last_alone(oracle.inner(), &bests.into_inner(), &session.interrupt)?;
            let best = earlier.unwrap_or_else(|| sources.clone());
            return Ok(ReducedCode::new(compile_plan, &matcher, best, End::Limited));
        }
        session.warn(
            "the result fails only when it is compiled together with other candidates; searching again with one \
             candidate per build",
        );
        let start = Start { job: start.job.of(b"alone"), ..*start };
        return reduce(&start, compiler, oracle.into_inner());
    }
    if end != End::Interrupted && !code_job.original.baseline.is_stable() {
        warn_of_rate(session, code_job, oracle.inner(), &best)?;
    }
    Ok(ReducedCode::new(compile_plan, &matcher, best, end))
}

/// Sources as files of the best so far.
fn files_of(best: &Sources) -> Vec<BestFile> {
    let file = |file: &SourceFile| (Utf8PathBuf::from(&*file.path), file.text.as_bytes().to_vec());
    best.files.iter().map(file).collect()
}

/// Whether the result, which may never have been compiled alone, fails when it is; from now on every
/// candidate is.
fn fails_alone(oracle: &mut Together<'_>, best: &Sources, interrupt: &Interrupt) -> Result<bool> {
    if !oracle.stay_alone() {
        return Ok(true);
    }
    is_failing(oracle, best, interrupt)
}

/// Whether sources fail when they are compiled as they are.
fn is_failing(oracle: &Together<'_>, sources: &Sources, interrupt: &Interrupt) -> Result<bool> {
    let judge = oracle.judge();
    let (_, verdict) = judge.observe(sources, interrupt).map_err(|error| trouble(&error))?;
    Ok(judge.outcome(&verdict, sources).is_fail())
}

/// The last of what was found, the smallest last, that fails alone, or one not far before it: each costs a build.
fn last_alone(
    oracle: &Together<'_>,
    bests: &[Sources],
    interrupt: &Interrupt,
) -> Result<Option<Sources>> {
    let mut back = 2;
    while let Some(earlier) = bests.len().checked_sub(back).and_then(|at| bests.get(at)) {
        if is_failing(oracle, earlier, interrupt)? {
            return Ok(Some(earlier.clone()));
        }
        back *= 2;
    }
    Ok(None)
}

/// Tells when the result of a flaky test may fail too rarely: each candidate was only run until that was
/// probable.
fn warn_of_rate(
    session: &Session,
    code_job: &CodeJob<'_>,
    oracle: &Together<'_>,
    best: &Sources,
) -> Result<()> {
    let holds = oracle.judge().holds(best, &session.interrupt);
    if !holds.map_err(|error| trouble(&error))? {
        session.warn(format!(
            "the result may fail in fewer than {:.0} of 100 runs",
            code_job.plan.min_rate() * 100.0
        ));
    }
    Ok(())
}

/// All that an outcome depends on besides the candidate.
fn job_key(code_job: &CodeJob<'_>, compile_plan: &CompilePlan) -> Key {
    let CodeJob { config, subject, original, .. } = code_job;
    let CompilePlan { shape, .. } = compile_plan;
    let calls: Vec<_> = subject.original.crates.all.iter().map(|krate| &krate.call).collect();
    let texts: Vec<_> = subject.original.sources.files.iter().map(|file| &file.text).collect();
    let failure = (&subject.test, &original.signature, &original.rule, code_job.plan);
    let contrast = shape.contrast.as_ref().map(|runs| &runs.contrast);
    let passing = (&shape.companions.names, &config.control.passes_with, contrast);
    Key::new(&("code 19", failure, passing, &config.test_args, calls, texts))
}
