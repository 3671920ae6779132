//! The search for smaller sources.

use std::cell::{Cell, RefCell};
use std::path::Path;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::companions::companions;
use super::other::OtherSubject;
use super::remains::explain;
use super::subject::{CodeSubject, Shape};
use super::switches::{Scene, edits_by_switches, make_edits};
use super::turns::Turns;
use crate::cli::config::Config;
use crate::cli::failure::Failure;
use crate::cli::search::trouble;
use crate::cli::session::{Session, millis};
use crate::cli::start::Original;
use crate::cli::tiers::{FILE_BYTES, PROCESSES, not_reproduced, time_limit};
use crate::emit::left::Left;
use crate::exec::{Interrupt, Job, Limits};
use crate::oracle::code::{
    Checker, CodeOracle, Compiled, Compiler, Place, Shortcuts, TestRun, Together,
};
use crate::oracle::libtest::Verdict;
use crate::oracle::pool::Pool;
use crate::oracle::process::is_interrupt;
use crate::oracle::store::{Key, Store};
use crate::oracle::stored::StoredOracle;
use crate::passes::{self, Reduction, Settings, Sources, StandIn};
use crate::reduce::{Memory, Oracle, Problem, Stop};
use crate::report::Event;

/// Between two lines of progress.
const PROGRESS_EVERY: Duration = Duration::from_millis(100);
/// One call of the compiler; a candidate can make it loop.
const COMPILE_LIMIT: Duration = Duration::from_mins(1);

/// What the search found.
pub struct Found {
    /// What it started from.
    pub shape: Shape,
    /// The smallest sources that fail in the same way.
    pub best: Sources,
    /// How it ended.
    pub end: End,
    /// What is left, and why.
    pub left: Vec<Left>,
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

/// Searches until no pass makes the sources smaller.
///
/// # Errors
/// When the failure does not come back in the copy, or candidates cannot be run.
pub fn search(
    session: &mut Session,
    config: &Config,
    (subject, other): (&CodeSubject, Option<&OtherSubject>),
    original: &Original,
) -> Result<Found, Failure> {
    let folder = TempDir::with_prefix("cargo-reduce-")
        .map_err(|error| Failure::error(format!("cannot make a temporary folder: {error}")))?;
    let interrupt = session.interrupt.clone();
    let limit = time_limit(config, &original.signature, &original.baseline);
    let copies = std::iter::once(subject.scratch.root()).chain(other.map(OtherSubject::root));
    let copies: Vec<&Path> = copies.map(camino::Utf8Path::as_std_path).collect();
    let confine = |job: Job| {
        job.limits(Limits {
            time: Some(limit),
            memory_bytes: Some(config.control.memory_bytes),
            file_bytes: Some(FILE_BYTES),
            processes: Some(PROCESSES),
            ..Limits::default()
        })
        .env("TMPDIR", folder.path())
        .writable(copies.iter().copied().chain([folder.path()]))
        .offline()
    };
    let started = Instant::now();
    let also = companions(config, subject, original, &confine, &interrupt)?;
    let place = Place::new(
        original.rule.clone(),
        original.signature.clone(),
        &subject.original.sources,
    );
    let mut not_shown = Verdict::NotRun;
    for (shape, shortcuts) in ways(config, subject, other) {
        let make =
            |folder: &str| compiler_in(folder, config, subject, (&shape, shortcuts), &interrupt);
        let compiler = make("candidates");
        let run = TestRun {
            test: &subject.test,
            runner: subject.runner,
            args: &config.test_args,
            also: &also,
            confine: &confine,
        };
        let pool = Pool::new(config.workers, interrupt.clone());
        let other = other.and_then(|other| other.build(config, &shape, shortcuts, &interrupt));
        let oracle = CodeOracle::new(&compiler, run.clone(), place.clone(), pool, &shape.sources)
            .passing_in(other.as_ref());
        let (compiled, verdict) =
            { oracle.observe(&shape.sources, &interrupt) }.map_err(|error| trouble(&error))?;
        let found = if oracle.outcome(&verdict, &shape.sources).is_fail() {
            let scene = Scene {
                sources: &shape.sources,
                place: &place,
                folder: folder.path(),
                limit,
                started,
            };
            let switched = (run, make("switches"));
            let edits = edits_by_switches(session, config, original, &scene, switched);
            let start = Start {
                shape: &shape,
                job: job_key(config, subject, original),
                edits: &edits,
                started,
            };
            let oracle = Together::new(oracle, &shape.sources);
            Some(reduce(session, config, &start, (&compiler, oracle))?)
        } else {
            tell_why_not(session, &shape, &compiled, &verdict);
            not_shown = verdict;
            None
        };
        let others = other.as_ref().map(|other| other.compiler().counts());
        for counts in others.into_iter().chain([compiler.counts()]) {
            session.count_builds(counts.builds, counts.checks);
        }
        if let Some(found) = found {
            return Ok(found);
        }
    }
    Err(not_reproduced(&original.signature, &not_shown))
}

/// The shapes of the subject and the ways to compile it, from the fastest to the most faithful.
fn ways(
    config: &Config,
    subject: &CodeSubject,
    other: Option<&OtherSubject>,
) -> Vec<(Shape, Shortcuts)> {
    // In one file, a package could not be swapped for another one.
    let is_apart = other.is_some_and(|other| other.is_swapped_in(subject));
    let flat = if config.code.keep_layout || is_apart {
        None
    } else {
        subject.original.flattened()
    };
    let shapes: Vec<Shape> = flat.into_iter().chain([subject.original.clone()]).collect();
    let with = |shortcuts| shapes.iter().map(move |shape| (shape.clone(), shortcuts));
    with(Shortcuts::All).chain(with(Shortcuts::None)).collect()
}

/// Tells why a shape of the subject is not the one that is reduced.
fn tell_why_not(session: &mut Session, shape: &Shape, compiled: &Compiled, verdict: &Verdict) {
    let files = match shape.sources.files.len() {
        1 => "as one file".to_owned(),
        files => format!("as {files} files"),
    };
    let why = match (compiled.errors.first(), verdict) {
        (Some(error), _) => format!("{files} it does not build: {}", error.message),
        (None, Verdict::Failed(other)) => format!("{files} it fails with {other}"),
        (None, Verdict::Passed) => format!("{files} it passes"),
        (None, Verdict::NotRun) => format!("{files} it does not run"),
    };
    session.tell(&Event::Skipped { id: 0, why });
}

/// Compiles candidates of a shape of the subject in that folder.
pub fn compiler_in(
    folder: &str,
    config: &Config,
    subject: &CodeSubject,
    (shape, shortcuts): (&Shape, Shortcuts),
    interrupt: &Interrupt,
) -> Compiler {
    let limits = Limits {
        time: Some(COMPILE_LIMIT),
        memory_bytes: Some(config.control.memory_bytes),
        ..Limits::default()
    };
    let folder = { subject.scratch.target_dir() }
        .join("cargo-reduce")
        .join(folder);
    Compiler::new(
        shape.crates.clone(),
        subject.binary.clone(),
        (shortcuts, limits),
        &folder,
        interrupt,
    )
}

/// What a search starts from.
struct Start<'a> {
    shape: &'a Shape,
    /// What outcomes are filed under.
    job: Key,
    /// Edits that were found at run time.
    edits: &'a [(usize, Reduction)],
    /// When the search began.
    started: Instant,
}

fn reduce(
    session: &mut Session,
    config: &Config,
    start: &Start<'_>,
    (compiler, oracle): (&Compiler, Together<'_>),
) -> Result<Found, Failure> {
    let &Start {
        shape,
        ref job,
        started,
        ..
    } = start;
    let interrupt = session.interrupt.clone();
    let tokens = Cell::new(shape.sources.tokens());
    let told = Cell::new(started);
    let key = |candidate: &Sources| {
        let parts = { candidate.files.iter() }.flat_map(|file| [&*file.path, &*file.text]);
        job.of(&Key::of_parts(parts.map(str::as_bytes)).to_bytes())
    };
    let mut oracle = StoredOracle::new(oracle, store(config, compiler), key);
    let session = RefCell::new(session);
    let mut problem = Problem::new(shape.sources.clone(), &mut oracle, Memory::Remember)
        .on_accept(|best: &Sources, _| tokens.set(best.tokens()))
        .stop_when(|counts| {
            if told.get().elapsed() >= PROGRESS_EVERY {
                told.set(Instant::now());
                session.borrow_mut().tell(&Event::Progress {
                    candidates: counts.candidates,
                    elements: tokens.get(),
                    elapsed_ms: millis(started.elapsed()),
                });
            }
            stop_reason(config, started, counts.candidates, &interrupt)
        });
    let settings = Settings {
        stand_in: StandIn::Panic,
        is_switched: !start.edits.is_empty(),
    };
    let mut turns = Turns::new(compiler);
    let mut hear = |turn| turns.hear(turn);
    let mut checker = Checker::new(compiler, &interrupt, &mut hear);
    let ended = make_edits(&mut problem, start.edits)
        .and_then(|()| passes::reduce_checked(&mut problem, settings, &mut checker));
    let counts = problem.counts();
    let best = problem.into_best();
    let session = session.into_inner();
    session.tell(&Event::Detail(turns.table()));
    session.count_search(counts);
    session.count_stored(oracle.cached());
    if !interrupt.is_set() && !fails_alone(oracle.inner(), &best)? {
        session.warn(
            "the result only fails when it is compiled with others; searching again, each candidate alone",
        );
        let start = Start {
            job: start.job.of(b"alone"),
            ..*start
        };
        return reduce(session, config, &start, (compiler, oracle.into_inner()));
    }
    let end = end(session, ended)?;
    let left = match end {
        End::Minimal => explain(oracle.inner().judge(), &best, config.workers, &interrupt)?,
        End::Limited | End::Interrupted => Vec::new(),
    };
    Ok(Found {
        left,
        shape: Shape::clone(shape),
        best,
        end,
    })
}

/// Whether the result, which may never have been compiled alone, fails when it is; from now on every
/// candidate is.
fn fails_alone(oracle: &mut Together<'_>, best: &Sources) -> Result<bool, Failure> {
    if !oracle.stay_alone() {
        return Ok(true);
    }
    let outcome = oracle.ask(best).map_err(|error| trouble(&error))?;
    Ok(outcome.is_fail())
}

fn end(session: &mut Session, ended: Result<(), Stop>) -> Result<End, Failure> {
    match ended {
        Ok(()) => Ok(End::Minimal),
        Err(Stop::Interrupted) => Ok(End::Interrupted),
        Err(Stop::Oracle(error)) if is_interrupt(&error) => Ok(End::Interrupted),
        Err(Stop::TimeUp | Stop::CandidateLimit) => {
            session.warn("the limit of the search was reached; this is the best so far");
            Ok(End::Limited)
        }
        Err(Stop::Oracle(error)) => Err(trouble(&error)),
    }
}

/// Why the search has to end now, if it has to.
pub fn stop_reason(
    config: &Config,
    started: Instant,
    candidates: u64,
    interrupt: &Interrupt,
) -> Option<Stop> {
    let control = &config.control;
    if interrupt.is_set() {
        return Some(Stop::Interrupted);
    }
    let is_late = { control.max_time }.is_some_and(|limit| started.elapsed() >= limit);
    if is_late {
        return Some(Stop::TimeUp);
    }
    let is_enough = { control.max_candidates }.is_some_and(|limit| candidates >= limit);
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
fn job_key(config: &Config, subject: &CodeSubject, original: &Original) -> Key {
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
        "code {} {} {:?} {:?} {:?} {:?} {calls:?}",
        subject.test,
        original.signature,
        original.rule,
        config.test_args,
        config.code.also_pass,
        config.control.passes_with,
    );
    Key::of_parts(std::iter::once(&*job).chain(texts).map(str::as_bytes))
}
