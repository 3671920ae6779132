//! The package that was left, as a workspace of its own: what the user wants of it besides the failure.

use std::rc::Rc;

use camino::Utf8PathBuf;

use super::code_job::CodeJob;
use super::package::Kept;
use super::reduced_code::ReducedCode;
use crate::app::config::{Config, Goal, TestJob};
use crate::app::console::Console;
use crate::app::failure::{Failure, Result};
use crate::app::find::{Chosen, Wanted, find};
use crate::app::search_driver::trouble;
use crate::app::session::Session;
use crate::exec::{Interrupt, Job};
use crate::jobs::inputs::other_version::unlocked;
use crate::oracle::code::passing;
use crate::project::{OtherVersion, Which, Workspace};
use crate::report::Status;
use crate::rust::Sources;

/// Where further work on it is done, in its folder.
const FOLDER: &str = "target/cargo-reduce/left";

/// The package in its folder.
pub struct LeftPackage<'a> {
    /// What it was made with.
    pub code_job: &'a CodeJob<'a>,
    /// Its folder.
    pub out: Utf8PathBuf,
    /// What the tests that have to pass along are called in it.
    also: Vec<String>,
    /// How cargo and we are called for it.
    pub config: Config,
}

impl<'a> LeftPackage<'a> {
    /// The package that was made with `code_job`, with what was found and kept.
    pub fn new(code_job: &'a CodeJob<'a>, found: &ReducedCode, kept: &Kept) -> Self {
        let out = &kept.folder;
        let subject = code_job.subject;
        let mut config = unlocked(code_job.config);
        config.job = TestJob::Inputs;
        config.goal = Goal::Minimize;
        config.subject = Some(kept.left.test.clone());
        config.from_junit = None;
        config.since = None;
        config.targets = vec![subject.target.clone()];
        // Who asks says how long it may take.
        config.control.max_time = None;
        config.control.match_rule = Some(code_job.original.rule.clone());
        config.cargo.manifest_path = Some(out.join("Cargo.toml"));
        config.cargo.packages = vec![subject.package.clone()];
        config.cargo.workspace = false;
        config.cargo.target_dir = Some(subject.scratch.target_dir());
        config.out = Some(out.join(FOLDER));
        if let Some(OtherVersion { which: Which::Folder(folder), .. }) =
            &mut config.control.passes_with
        {
            *folder = config.cwd.join(&folder);
        }
        let also = found.compile_plan.shape.companions.names.iter();
        let also = also.map(|test| found.compile_plan.companion_in(test, &kept.sources));
        let passing = found.passing.iter().map(|(test, _)| test.clone());
        LeftPackage { code_job, out: out.clone(), also: also.chain(passing).collect(), config }
    }

    /// A session of its own that says nothing, with its own configuration or one made of it.
    ///
    /// # Errors
    /// When cargo cannot read the package.
    pub fn session(&self, config: Config, interrupt: Interrupt) -> Result<Session> {
        let workspace = Workspace::load(&self.out, &config.cargo)?;
        Ok(Session::new(workspace, config, Rc::new(Console::silent()), interrupt))
    }

    /// Sees pass what has to pass besides the failure: other tests, and the test itself with the other
    /// version. `sources` are those of the package under the names they have in the copies.
    ///
    /// # Errors
    /// When one does not pass, or cannot be run.
    pub fn see_others_pass(&self, session: &Session, sources: &Sources) -> Result<()> {
        if let Some(other) = self.code_job.other {
            let test = self.config.subject.as_deref().unwrap_or_default();
            other.see_pass(&session.with(self.config.clone()), sources, test)?;
        }
        if self.also.is_empty() {
            return Ok(());
        }
        // The user may have stopped the search, but wants its result.
        let inner = self.session(self.config.clone(), Interrupt::new())?;
        let wanted = find(&inner)?;
        session.count_all_of(&inner);
        match wanted.first() {
            Some(Wanted::Built(chosen)) => self.see_companions_pass(chosen),
            _ => Ok(()),
        }
    }

    fn see_companions_pass(&self, chosen: &Chosen) -> Result<()> {
        let also = &self.also;
        let confine = |job: Job| self.code_job.confine_in(Some(&self.out), job);
        let run = self.code_job.run(&self.code_job.subject.test, &confine);
        let passing = passing(&chosen.binary, also, &run, &Interrupt::new())
            .map_err(|error| trouble(&error))?;
        match also.iter().find(|test| !passing.contains(test)) {
            None => Ok(()),
            Some(test) => Err(Failure::new(
                Status::NotReproduced,
                format!("`{test}` has to keep passing, but fails in the reduced package"),
            )
            .hint(format!("the package is in `{}`", self.out))),
        }
    }
}
