//! The package that was left, as a workspace of its own: what the user wants of it besides the failure.

use std::time::Duration;

use camino::Utf8Path;

use super::bench::Bench;
use crate::cli::config::{Config, Goal, TestJob};
use crate::cli::failure::Failure;
use crate::cli::find::{Chosen, Wanted, find};
use crate::cli::other_version::{copy_with_other, sees_pass, unlocked};
use crate::cli::plain_test::PlainTest;
use crate::cli::search::trouble;
use crate::cli::session::Session;
use crate::exec::{Interrupt, Job};
use crate::oracle::code::passing;
use crate::project::{Built, Workspace};
use crate::reduce::Counts;
use crate::report::{Event, Reporter, Status};

/// Where further work on it is done, in its folder.
const FOLDER: &str = "target/cargo-reduce/left";

/// The package in `out`.
pub struct LeftPackage<'a> {
    /// What it was made with.
    pub bench: &'a Bench<'a>,
    /// Its folder.
    pub out: &'a Utf8Path,
    /// How cargo and we are called for it.
    pub config: Config,
}

impl<'a> LeftPackage<'a> {
    /// The package in `out`, which was made with `bench`; further searches may take `time`.
    #[must_use]
    pub fn new(bench: &'a Bench<'a>, out: &'a Utf8Path, time: Option<Duration>) -> Self {
        let subject = bench.subject;
        let mut config = unlocked(bench.config);
        config.job = TestJob::Inputs;
        config.goal = Goal::Minimize;
        config.subject = Some(subject.test.clone());
        config.targets = vec![subject.target.clone()];
        config.control.max_time = time;
        config.control.match_rule = Some(bench.original.rule.clone());
        config.cargo.manifest_path = Some(out.join("Cargo.toml"));
        config.cargo.packages = vec![subject.package.clone()];
        config.cargo.workspace = false;
        config.cargo.target_dir = Some(subject.scratch.target_dir());
        config.out = Some(out.join(FOLDER));
        LeftPackage { bench, out, config }
    }

    /// A session of its own that says nothing.
    ///
    /// # Errors
    /// When cargo cannot read the package.
    pub fn session(&self, interrupt: Interrupt) -> Result<Session, Failure> {
        let workspace = Workspace::load(self.out, &self.config.cargo)?;
        Ok(Session::new(workspace, Box::new(Silent), interrupt))
    }

    /// Sees the tests that have to pass along pass, and the test itself with the other version.
    ///
    /// # Errors
    /// When one does not pass, or cannot be run.
    pub fn see_others_pass(&self, session: &mut Session) -> Result<(), Failure> {
        if self.bench.also.is_empty() && self.config.control.passes_with.is_none() {
            return Ok(());
        }
        // The user may have stopped the search, but wants its result.
        let mut inner = self.session(Interrupt::new())?;
        let (built, wanted) = find(&mut inner, &self.config)?;
        if let Some(Wanted::Built(chosen)) = wanted.first() {
            self.see_companions_pass(chosen)?;
            self.see_other_pass(&mut inner, &built, chosen)?;
        }
        count(session, &inner);
        Ok(())
    }

    fn see_companions_pass(&self, chosen: &Chosen) -> Result<(), Failure> {
        let also = &self.bench.also;
        if also.is_empty() {
            return Ok(());
        }
        let confine = |job: Job| self.bench.confine(job);
        let run = self.bench.run(&confine);
        let passing = passing(&chosen.binary, also, &run, &Interrupt::new())
            .map_err(|error| trouble(&error))?;
        match also.iter().find(|test| !passing.contains(test)) {
            None => Ok(()),
            Some(test) => Err(Failure::new(
                Status::NotReproduced,
                format!("`{test}`, which has to pass along, does not pass on the reduction"),
            )
            .hint(format!("the package is in `{}`", self.out))),
        }
    }

    fn see_other_pass(
        &self,
        inner: &mut Session,
        built: &Built,
        chosen: &Chosen,
    ) -> Result<(), Failure> {
        let at = (&*self.out.join(FOLDER), true);
        let Some((scratch, version)) = copy_with_other(inner, &self.config, (built, chosen), at)?
        else {
            return Ok(());
        };
        let manifest = { scratch.path_of(&chosen.binary.manifest_path) }
            .ok_or_else(|| Failure::error("the package stands outside of its workspace"))?;
        let mut config = self.config.clone();
        config.cargo.manifest_path = Some(manifest.clone());
        let test = PlainTest {
            config: &config,
            manifest: &manifest,
            target_dir: Some(&scratch.target_dir()),
            package: &chosen.package,
            target: &chosen.binary.choice,
            runner: chosen.runner,
            test: &chosen.test,
        };
        sees_pass(inner, &version, &test)
    }
}

/// Counts what was done in a session of its own.
pub fn count(session: &mut Session, inner: &Session) {
    let counts = inner.counts();
    session.count_builds(counts.builds, counts.checks);
    session.count_search(Counts {
        candidates: counts.candidates,
        cached: counts.cached,
        ..Counts::default()
    });
}

/// Says nothing.
struct Silent;

impl Reporter for Silent {
    fn report(&mut self, _: &Event) {}
}
