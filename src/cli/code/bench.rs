//! What all runs of candidates of a subject have in common.

use std::path::Path;
use std::time::Duration;

use tempfile::TempDir;

use super::companions::companions;
use super::other::OtherSubject;
use super::subject::{CodeSubject, Shape};
use crate::cli::config::Config;
use crate::cli::failure::Failure;
use crate::cli::session::Session;
use crate::cli::start::Original;
use crate::cli::tiers::{FILE_BYTES, PROCESSES, time_limit};
use crate::exec::{Interrupt, Job, Limits};
use crate::oracle::code::{CodeOracle, Compiler, OtherBuild, Place, Shortcuts, TestRun};
use crate::oracle::pool::Pool;

/// One call of the compiler; a candidate can make it loop.
const COMPILE_LIMIT: Duration = Duration::from_mins(1);

/// A subject, its failure, and how its test is run.
pub struct Bench<'a> {
    /// What the user wants.
    pub config: &'a Config,
    /// What is reduced.
    pub subject: &'a CodeSubject,
    /// The copy with another version, in which the test has to pass.
    pub other: Option<&'a OtherSubject>,
    /// The failure.
    pub original: &'a Original,
    /// Where it has to be.
    pub place: Place,
    /// The tests that have to pass along.
    pub also: Vec<String>,
    /// How long one candidate may take.
    pub limit: Duration,
    folder: TempDir,
}

/// A shape of the subject and a way to compile it.
#[derive(Clone)]
pub struct Way {
    /// The sources and crates.
    pub shape: Shape,
    /// How they are compiled.
    pub shortcuts: Shortcuts,
}

impl<'a> Bench<'a> {
    /// A bench for `subject`.
    ///
    /// # Errors
    /// When there is no place for temporary files, or a test that has to pass along does not pass.
    pub fn new(
        session: &Session,
        config: &'a Config,
        (subject, other): (&'a CodeSubject, Option<&'a OtherSubject>),
        original: &'a Original,
    ) -> Result<Self, Failure> {
        let folder = TempDir::with_prefix("cargo-reduce-")
            .map_err(|error| Failure::error(format!("cannot make a temporary folder: {error}")))?;
        let mut bench = Bench {
            config,
            subject,
            other,
            original,
            place: Place::new(
                original.rule.clone(),
                original.signature.clone(),
                &subject.original.sources,
            ),
            also: Vec::new(),
            limit: time_limit(config, &original.signature, &original.baseline),
            folder,
        };
        let confine = |job| bench.confine(job);
        bench.also = companions(config, subject, original, &confine, &session.interrupt)?;
        Ok(bench)
    }

    /// A folder with a short path.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Sets limits and confines a run of the test.
    #[must_use]
    pub fn confine(&self, job: Job) -> Job {
        let root = self.subject.scratch.root().as_std_path();
        let other = self.other.map(|other| other.root().as_std_path());
        job.limits(Limits {
            time: Some(self.limit),
            memory_bytes: Some(self.config.control.memory_bytes),
            file_bytes: Some(FILE_BYTES),
            processes: Some(PROCESSES),
            ..Limits::default()
        })
        .env("TMPDIR", self.folder())
        .writable([root, self.folder()].into_iter().chain(other))
        .offline()
    }

    /// How the test is run.
    #[must_use]
    pub fn run<'b>(&'b self, confine: &'b (dyn Fn(Job) -> Job + Sync)) -> TestRun<'b> {
        TestRun {
            test: &self.subject.test,
            runner: self.subject.runner,
            args: &self.config.test_args,
            also: &self.also,
            confine,
        }
    }

    /// Compiles candidates in that folder.
    #[must_use]
    pub fn compiler(&self, folder: &str, way: &Way, interrupt: &Interrupt) -> Compiler {
        compiler_in(folder, self.config, self.subject, way, interrupt)
    }

    /// Compiles candidates with the other version.
    #[must_use]
    pub fn other_build(&self, way: &Way, interrupt: &Interrupt) -> Option<OtherBuild> {
        self.other?.build(self.config, way, interrupt)
    }

    /// Judges candidates.
    #[must_use]
    pub fn oracle<'b>(
        &'b self,
        (compiler, other): (&'b Compiler, Option<&'b OtherBuild>),
        run: &TestRun<'b>,
        way: &Way,
        interrupt: &Interrupt,
    ) -> CodeOracle<'b> {
        let pool = Pool::new(self.config.workers, interrupt.clone());
        let place = self.place.clone();
        CodeOracle::new(compiler, run.clone(), place, pool, &way.shape.sources).passing_in(other)
    }

    /// The shapes of the subject and the ways to compile it, from the fastest to the most faithful.
    #[must_use]
    pub fn ways(&self) -> Vec<Way> {
        // In one file, a package could not be swapped for another one.
        let is_apart = { self.other }.is_some_and(|other| other.is_swapped_in(self.subject));
        let flat = if self.config.code.keep_layout || is_apart {
            None
        } else {
            self.subject.original.flattened()
        };
        let kept = self.subject.original.clone();
        let shapes: Vec<Shape> = flat.into_iter().chain([kept]).collect();
        let with = |shortcuts| {
            let shapes = shapes.iter().cloned();
            shapes.map(move |shape| Way { shape, shortcuts })
        };
        with(Shortcuts::All).chain(with(Shortcuts::None)).collect()
    }
}

/// Compiles candidates of a shape of the subject in that folder.
pub fn compiler_in(
    folder: &str,
    config: &Config,
    subject: &CodeSubject,
    way: &Way,
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
        way.shape.crates.clone(),
        subject.binary.clone(),
        (way.shortcuts, limits),
        &folder,
        interrupt,
    )
}
