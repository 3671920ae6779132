//! What all steps of a job share: the workspace, the reporter, the clock and the counts.

use std::sync::Arc;
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};

use super::failure::Failure;
use super::publish::publish;
use crate::disk::ResultFolder;
use crate::exec::Interrupt;
use crate::oracle::signature::Signature;
use crate::project::{Built, Scratch, Workspace};
use crate::report::{Artifacts, Detail, Event, Reporter, Silent, Status, Summary};

/// A job under way.
pub struct Session {
    /// The user's workspace.
    pub workspace: Workspace,
    /// Whether the user wants to stop.
    pub interrupt: Interrupt,
    /// What cargo has built of the unchanged workspace.
    pub(super) built: Arc<Built>,
    reporter: Box<dyn Reporter>,
    started: Instant,
    counts: Counts,
    is_limited: bool,
}

/// What was done so far.
#[derive(Debug, Clone, Copy, Default)]
pub struct Counts {
    /// Runs of cargo that linked.
    pub builds: u64,
    /// Runs of cargo that the compiler rejected.
    pub checks: u64,
    /// Candidates run.
    pub candidates: u64,
    /// Outcomes answered from memory.
    pub cached: u64,
    /// Time since the start.
    pub elapsed: Duration,
}

impl Session {
    /// Starts the clock.
    pub fn new(workspace: Workspace, reporter: Box<dyn Reporter>, interrupt: Interrupt) -> Self {
        Session {
            workspace,
            interrupt,
            built: Arc::default(),
            reporter,
            started: Instant::now(),
            counts: Counts::default(),
            is_limited: false,
        }
    }

    /// A job of its own in the same workspace, of which the user sees nothing.
    pub fn silent(&self, interrupt: Interrupt) -> Session {
        let inner = Session::new(self.workspace.clone(), Box::new(Silent), interrupt);
        Session { built: Arc::clone(&self.built), ..inner }
    }

    /// A copy of the workspace in a folder of that name beside the results.
    ///
    /// # Errors
    /// When something cannot be read or written.
    pub fn copy(&self, results: &ResultFolder, name: &str) -> Result<Scratch, Failure> {
        Ok(Scratch::create(&self.workspace, results, name, &self.built)?)
    }

    /// Tells the user something.
    pub fn tell(&mut self, event: &Event) {
        self.reporter.report(event);
    }

    /// Makes what stands in `complete` the result, and its page along with it.
    ///
    /// # Errors
    /// When it cannot be moved.
    pub fn publish(
        &mut self,
        results: &ResultFolder,
        complete: &Utf8Path,
        summary: &mut Summary,
    ) -> Result<(), Failure> {
        publish(&mut *self.reporter, results, complete, summary)
    }

    /// How closely the user wants to be told of a search.
    pub fn detail(&self) -> Detail {
        self.reporter.detail()
    }

    /// Tells that a stage begins: a verb, and to what it is done.
    pub fn stage(&mut self, verb: &str, what: impl Into<String>) {
        self.tell(&Event::Stage { verb: verb.to_owned(), what: what.into() });
    }

    /// Tells something the user should know.
    pub fn warn(&mut self, text: impl Into<String>) {
        self.tell(&Event::Warning(text.into()));
    }

    /// Begins to count anew, for the next of several tests.
    pub fn begin(&mut self) {
        self.started = Instant::now();
        self.counts = Counts::default();
        self.is_limited = false;
    }

    /// Counts a run of cargo: it linked, or the compiler rejected it.
    pub fn count_build(&mut self, linked: bool) {
        if linked {
            self.counts.builds += 1;
        } else {
            self.counts.checks += 1;
        }
    }

    /// Counts many of them.
    pub fn count_builds(&mut self, builds: u64, checks: u64) {
        self.counts.builds += builds;
        self.counts.checks += checks;
    }

    /// Counts what a search asked.
    pub fn count_search(&mut self, counts: crate::reduce::Counts) {
        self.counts.candidates += counts.candidates;
        self.counts.cached += counts.cached;
    }

    /// Counts candidates of a search that were not run, since the store knew their outcomes.
    pub fn count_stored(&mut self, stored: u64) {
        self.counts.candidates -= stored;
        self.counts.cached += stored;
    }

    /// Notes that a limit has ended the search.
    pub fn limited(&mut self) {
        self.is_limited = true;
    }

    /// Whether a limit has ended the search, so that nothing is known to be minimal.
    pub fn is_limited(&self) -> bool {
        self.is_limited
    }

    /// What was done so far.
    pub fn counts(&self) -> Counts {
        Counts { elapsed: self.started.elapsed(), ..self.counts }
    }

    /// The manifest that cargo is called with.
    pub fn manifest_path(&self) -> Utf8PathBuf {
        let given = self.workspace.options().manifest_path.clone();
        given.unwrap_or_else(|| self.workspace.root().join("Cargo.toml"))
    }
}

impl Counts {
    /// The summary of a job that ended with a result.
    pub fn summary(
        &self,
        status: Status,
        signature: Option<Signature>,
        artifacts: Artifacts,
    ) -> Summary {
        Summary {
            status,
            confirmed: signature.is_some(),
            signature,
            builds: self.builds,
            checks: self.checks,
            candidates: self.candidates,
            cached: self.cached,
            elapsed_ms: millis(self.elapsed),
            artifacts,
            ..Summary::default()
        }
    }

    /// The summary of a job that could not go on.
    pub fn summary_of(&self, failure: &Failure) -> Summary {
        Summary {
            error: Some(failure.message.clone()),
            ..self.summary(failure.status, None, Artifacts::default())
        }
    }
}

/// Whole milliseconds.
pub fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
