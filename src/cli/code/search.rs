//! The search for smaller sources.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::time::{Duration, Instant};

use camino::Utf8PathBuf;

use super::args::ContrastArg;
use super::bench::{Bench, Way};
use super::clock::Clock;
use super::contrast::Runs;
use super::subject::Shape;
use super::switches::{Shown, edits_by_switches, tell_values};
use super::turns::Turns;
use crate::cli::config::Config;
use crate::cli::failure::Failure;
use crate::cli::files::not_kept;
use crate::cli::not_reproduced::not_reproduced;
use crate::cli::search::trouble;
use crate::cli::session::{Session, millis};
use crate::disk::{BestFile, BestSoFar, ResultFolder};
use crate::exec::{Interrupt, Job};
use crate::oracle::code::{Checker, Compiled, Compiler, LaneCounts, TellValues, Together};
use crate::oracle::libtest::Verdict;
use crate::oracle::process::is_interrupt;
use crate::oracle::store::{Key, Store};
use crate::oracle::stored::{StoredOracle, source_key};
use crate::passes::{self, Settings, SourceFile, Sources, StandIn, runs};
use crate::reduce::{Candidate, Memory, Problem, Stop};
use crate::report::Event;

/// Between two lines of progress.
const PROGRESS_EVERY: Duration = Duration::from_millis(100);

/// What the search found.
#[derive(Clone)]
pub struct Found {
    /// What it started from.
    pub way: Way,
    /// The smallest sources that fail in the same way.
    pub best: Sources,
    /// How it ended.
    pub end: End,
    /// The tests that it has beside the failing one, each for a run that has to pass, and which run that is.
    pub passing: Vec<(String, usize)>,
    /// The runs that have to pass.
    pub contrast: Option<Arc<Runs>>,
}

impl Found {
    fn new(way: &Way, best: Sources, end: End) -> Self {
        Found {
            way: way.clone(),
            best,
            end,
            passing: Vec::new(),
            contrast: way.shape.contrast.clone(),
        }
    }

    /// The same without anything that is asked for at run time: the `test` has the inputs that fail, and some of
    /// the runs that have to pass have tests of their own.
    #[must_use]
    pub fn written_out(&self, test: &str, runs: &[usize]) -> Found {
        let Some(contrast) = &self.way.shape.contrast else {
            return self.clone();
        };
        let written = runs::written_out(&self.best, &contrast.contrast, runs);
        let mut way = self.way.clone();
        way.shape.contrast = None;
        way.name = way.name.alone(test.rsplit("::").next().unwrap_or(test));
        let path = |name: &str| way.name.beside_in(&written.sources, name);
        Found {
            passing: { written.passing.iter() }
                .map(|(name, run)| (path(name), *run))
                .collect(),
            way: way.clone(),
            best: written.sources,
            end: self.end,
            contrast: self.contrast.clone(),
        }
    }

    /// What the test is called in the sources of the result.
    #[must_use]
    pub fn test_in(&self, kept: &Sources) -> String {
        self.way.name.in_sources(kept).into_owned()
    }

    /// What a test that has to pass along is called there.
    #[must_use]
    pub fn companion_in(&self, test: &str, kept: &Sources) -> String {
        let Way { shape, name, .. } = &self.way;
        let name = name.companion(test, &shape.sources);
        name.in_sources(kept).into_owned()
    }

    /// The sources of the result under the names by which they are compiled here.
    #[must_use]
    pub fn in_its_files(&self, kept: &Sources) -> Sources {
        let shape = &self.way.shape;
        match shape.sources.files.first() {
            Some(first) if shape.is_flat() => kept.renamed(&first.path),
            _ => kept.clone(),
        }
    }
}

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Nothing more can be taken away.
    Minimal,
    /// A limit was reached.
    Limited,
    /// The user stopped it.
    Interrupted,
}

/// Searches until no pass makes the sources smaller, from the first of these that fail.
///
/// # Errors
/// When the failure does not come back in the copy, or candidates cannot be run.
pub fn search(
    session: &mut Session,
    bench: &Bench<'_>,
    (starts, results): (&[Shape], &ResultFolder),
    clock: &Clock,
) -> Result<Found, Failure> {
    let best = RefCell::new(results.best());
    let mut not_shown = Verdict::NotRun;
    for start in starts {
        let (ways, why) = bench.ways(start);
        let mut why_apart = why.map(str::to_owned);
        for way in ways {
            match attempt(session, (bench, &best), (&way, why_apart.as_deref()), clock)? {
                Ok(found) => return Ok(found),
                Err((verdict, why)) => {
                    not_shown = verdict;
                    if way.shape.is_flat() {
                        why_apart.get_or_insert(why);
                    }
                }
            }
        }
    }
    Err(not_reproduced(&bench.original.signature, &not_shown))
}

/// Searches in one shape of the subject, not in one file for a reason if there is one; what its test shows
/// instead, in words, too, if it does not fail.
fn attempt(
    session: &mut Session,
    (bench, best): (&Bench<'_>, &RefCell<BestSoFar>),
    (way, why_apart): (&Way, Option<&str>),
    clock: &Clock,
) -> Result<Result<Found, (Verdict, String)>, Failure> {
    let sources = &way.shape.sources;
    let compiler = bench.compiler("candidates", way, &clock.all);
    let other = bench.other_build(way, &clock.all);
    let confine = |job: Job| bench.confine(job);
    let run = bench.run(way.name.original(), &confine);
    let oracle = bench.oracle((&compiler, other.as_ref()), &run, way, &clock.all);
    // What the failure looks like here has to be known even if there is no time to search.
    let (compiled, verdict) =
        { oracle.observe(sources, &clock.user) }.map_err(|error| trouble(&error))?;
    let found = if oracle.outcome(&verdict, sources).is_fail() {
        if let Some(why) = why_apart.filter(|_| !way.shape.is_flat()) {
            session.stage("Leaving", format!("the files apart: {why}"));
        }
        let switches = bench.compiler("switches", way, &clock.switches);
        let shown = edits_by_switches(session, bench, sources, clock, (run.clone(), switches));
        let values = RefCell::new(bench.compiler("values", way, &clock.all));
        // What only the failing run has shown may be the bug itself.
        let is_contrasted =
            way.shape.contrast.is_some() || bench.other.is_some() || !bench.also.is_empty();
        let may_tell = is_contrasted || bench.config.code.contrast == ContrastArg::None;
        let tell = |sources: &Sources| {
            if !may_tell {
                return Ok(Vec::new());
            }
            let compiler = &mut *values.borrow_mut();
            let test = way.name.in_sources(sources);
            tell_values(
                bench,
                sources,
                clock,
                (bench.run(&test, &confine), compiler),
            )
        };
        let start = Start {
            bench,
            best,
            way,
            clock,
            job: job_key(bench, way),
            shown: &shown,
            tell: &tell,
        };
        let oracle = Together::new(oracle, sources);
        let found = reduce(session, &start, (&compiler, oracle))?;
        let LaneCounts { builds, checks } = values.borrow().counts();
        session.count_builds(builds, checks);
        Ok(found)
    } else {
        let why = why_not(&way.shape, &compiled, &verdict);
        session.stage("Skipping", format!("a form of the sources: {why}"));
        Err((verdict, why))
    };
    let others = other.as_ref().map(|other| other.compiler().counts());
    for counts in others.into_iter().chain([compiler.counts()]) {
        session.count_builds(counts.builds, counts.checks);
    }
    Ok(found)
}

/// Why a shape of the subject is not the one that is reduced.
fn why_not(shape: &Shape, compiled: &Compiled, verdict: &Verdict) -> String {
    let files = match shape.sources.files.len() {
        1 => "as one file".to_owned(),
        files => format!("as {files} files"),
    };
    match (compiled.errors.first(), verdict) {
        (Some(error), _) => format!("{files} it does not build: {}", error.message),
        (None, Verdict::Failed(other)) => format!("{files} it fails with {other}"),
        (None, Verdict::Passed) => format!("{files} it passes"),
        (None, Verdict::NotRun) => format!("{files} it does not run"),
    }
}

/// What a search starts from.
struct Start<'a> {
    bench: &'a Bench<'a>,
    /// What is kept on disk while it is searched.
    best: &'a RefCell<BestSoFar>,
    way: &'a Way,
    clock: &'a Clock,
    /// What outcomes are filed under.
    job: Key,
    /// What was found at run time.
    shown: &'a Shown,
    /// Tells what calls yield.
    tell: &'a TellValues<'a>,
}

fn reduce(
    session: &mut Session,
    start: &Start<'_>,
    (compiler, oracle): (&Compiler, Together<'_>),
) -> Result<Found, Failure> {
    let Start {
        bench, clock, job, ..
    } = start;
    let (config, shape) = (bench.config, &start.way.shape);
    let (started, interrupt) = (clock.started, &clock.all);
    let tokens = Cell::new(shape.sources.tokens());
    let told = Cell::new(started);
    let mut oracle = StoredOracle::new(oracle, store(config, compiler), source_key(*job));
    let session = RefCell::new(session);
    let mut problem = Problem::new(shape.sources.clone(), &mut oracle, Memory::Remember)
        .on_accept(|best: &Sources, _| {
            tokens.set(best.tokens());
            start.best.borrow_mut().keep(|| files_of(best));
        })
        .stop_when(|counts| {
            if told.get().elapsed() >= PROGRESS_EVERY {
                told.set(Instant::now());
                session.borrow_mut().tell(&Event::Progress {
                    candidates: counts.candidates,
                    elements: tokens.get(),
                    elapsed_ms: millis(started.elapsed()),
                });
            }
            stop_reason(config, counts.candidates, interrupt)
        });
    let settings = Settings {
        stand_in: StandIn::Panic,
        is_switched: start.shown.is_searched && !start.shown.edits.is_empty(),
    };
    let mut turns = Turns::new(compiler);
    let mut hear = |turn| turns.hear(turn);
    let mut checker = Checker::new(compiler, interrupt, &mut hear)
        .telling(Some(start.tell))
        .showing(start.bench.place.expected().shown_values());
    let ended = passes::make_edits(&mut problem, &start.shown.edits)
        .and_then(|()| passes::reduce_checked(&mut problem, settings, &mut checker));
    let counts = problem.counts();
    let best = problem.into_best();
    let session = session.into_inner();
    session.tell(&Event::Detail(turns.table()));
    session.count_search(counts);
    session.count_stored(oracle.cached());
    if let Some(error) = oracle.store().trouble() {
        session.warn(not_kept(error));
    }
    if best.key() < shape.sources.key() {
        start.best.borrow_mut().keep_now(|| files_of(&best));
    }
    if let Some(error) = start.best.borrow_mut().trouble() {
        session.warn(format!("the best so far is not on disk: {error}"));
    }
    let end = end(session, ended)?;
    if end != End::Interrupted && !fails_alone(oracle.inner(), &best, &session.interrupt)? {
        if interrupt.is_set() {
            session.warn("what was found only fails when it is compiled with others");
            return Ok(Found::new(start.way, shape.sources.clone(), End::Limited));
        }
        session.warn(
            "the result only fails when it is compiled with others; searching again, each candidate alone",
        );
        let start = Start {
            job: start.job.of(b"alone"),
            ..*start
        };
        return reduce(session, &start, (compiler, oracle.into_inner()));
    }
    if end != End::Interrupted && !bench.original.baseline.is_stable() {
        warn_of_rate(session, bench, oracle.inner(), &best)?;
    }
    Ok(Found::new(start.way, best, end))
}

/// Sources as files of the best so far.
fn files_of(best: &Sources) -> Vec<BestFile> {
    let file = |file: &SourceFile| {
        (
            Utf8PathBuf::from(&*file.path),
            file.text.as_bytes().to_vec(),
        )
    };
    best.files.iter().map(file).collect()
}

/// Whether the result, which may never have been compiled alone, fails when it is; from now on every
/// candidate is.
fn fails_alone(
    oracle: &mut Together<'_>,
    best: &Sources,
    interrupt: &Interrupt,
) -> Result<bool, Failure> {
    if !oracle.stay_alone() {
        return Ok(true);
    }
    let judge = oracle.judge();
    let (_, verdict) = { judge.observe(best, interrupt) }.map_err(|error| trouble(&error))?;
    Ok(judge.outcome(&verdict, best).is_fail())
}

/// Tells when the result of a flaky test may fail too rarely: each candidate was only run until that was
/// probable.
fn warn_of_rate(
    session: &mut Session,
    bench: &Bench<'_>,
    oracle: &Together<'_>,
    best: &Sources,
) -> Result<(), Failure> {
    let holds = oracle.judge().holds(best, &session.interrupt);
    if !holds.map_err(|error| trouble(&error))? {
        session.warn(format!(
            "the result may fail in less than {:.0} of 100 runs",
            bench.plan.min_rate() * 100.0
        ));
    }
    Ok(())
}

fn end(session: &mut Session, ended: Result<(), Stop>) -> Result<End, Failure> {
    match ended {
        Ok(()) => return Ok(End::Minimal),
        Err(_) if session.interrupt.is_set() => return Ok(End::Interrupted),
        Err(Stop::Oracle(error)) if !is_interrupt(&error) => return Err(trouble(&error)),
        // Else the time was up, between two candidates or in the middle of one.
        Err(_) => {}
    }
    session.warn("the limit of the search was reached; this is the best so far");
    Ok(End::Limited)
}

/// Why the search has to end now, if it has to.
pub fn stop_reason(config: &Config, candidates: u64, interrupt: &Interrupt) -> Option<Stop> {
    if interrupt.is_late() {
        return Some(Stop::TimeUp);
    }
    if interrupt.is_set() {
        return Some(Stop::Interrupted);
    }
    let is_enough = { config.control.max_candidates }.is_some_and(|limit| candidates >= limit);
    is_enough.then_some(Stop::CandidateLimit)
}

/// Where outcomes are kept for the next run.
fn store(config: &Config, compiler: &Compiler) -> Store {
    if config.control.fresh {
        return Store::in_memory();
    }
    let path = compiler.folder().join("outcomes");
    Store::open(path.as_std_path())
}

/// All that an outcome depends on besides the candidate.
fn job_key(bench: &Bench<'_>, way: &Way) -> Key {
    let Bench {
        config,
        subject,
        original,
        ..
    } = bench;
    let calls: Vec<String> = { subject.original.crates.all.iter() }
        .map(|krate| format!("{:?}", krate.call))
        .collect();
    let texts = subject
        .original
        .sources
        .files
        .iter()
        .map(|file| &*file.text);
    let job = format!(
        "code 3 {} {} {:?} {:?} {:?} {:?} {calls:?}",
        subject.test,
        original.signature,
        original.rule,
        config.test_args,
        config.code.also_pass,
        config.control.passes_with,
    ) + &format!("{:?}", bench.plan)
        + &format!(
            "{:?}",
            way.shape.contrast.as_ref().map(|runs| &runs.contrast)
        );
    Key::of_parts(std::iter::once(&*job).chain(texts).map(str::as_bytes))
}
