//! What all steps of a job share: the workspace, the configuration, the user and the counts.

use std::cell::{Cell, RefCell};
use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use camino::Utf8PathBuf;

use super::config::Config;
use super::console::Console;
use super::failure::{Failure, Result};
use crate::disk::ResultFolder;
use crate::exec::Interrupt;
use crate::oracle::signature::Signature;
use crate::project::{Built, Scratch, Workspace};
use crate::report::{Artifacts, Status, Summary};

/// A job under way.
#[derive(Clone)]
pub struct Session {
    /// The user's workspace.
    pub workspace: Workspace,
    /// What the user wants.
    pub config: Arc<Config>,
    /// Whether the user wants to stop.
    pub interrupt: Interrupt,
    /// What cargo has built of the unchanged workspace.
    pub(super) built: RefCell<Arc<Built>>,
    console: Rc<Console>,
    done: Rc<Done>,
}

/// What was done, by all who work with the same session.
#[derive(Default)]
struct Done {
    counts: Cell<Counts>,
    is_limited: Cell<bool>,
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

impl Deref for Session {
    type Target = Console;

    fn deref(&self) -> &Console {
        &self.console
    }
}

impl Session {
    /// A job in that workspace.
    pub fn new(
        workspace: Workspace,
        config: Config,
        console: Rc<Console>,
        interrupt: Interrupt,
    ) -> Self {
        Session {
            workspace,
            config: Arc::new(config),
            interrupt,
            built: RefCell::default(),
            console,
            done: Rc::default(),
        }
    }

    /// The same job with another configuration.
    pub fn with(&self, config: Config) -> Session {
        Session { config: Arc::new(config), ..self.clone() }
    }

    /// A job of its own in the same workspace, of which the user sees nothing.
    pub fn silent(&self, config: Config) -> Session {
        let (console, done) = (Rc::new(Console::silent()), Rc::default());
        Session { console, done, ..self.with(config) }
    }

    /// What cargo has built of the unchanged workspace.
    pub fn built(&self) -> Arc<Built> {
        Arc::clone(&self.built.borrow())
    }

    /// A copy of the workspace in a folder of that name beside the results.
    ///
    /// # Errors
    /// When something cannot be read or written.
    pub fn copy(&self, results: &ResultFolder, name: &str) -> Result<Scratch> {
        Ok(Scratch::create(&self.workspace, results, name, &self.built.borrow())?)
    }

    /// Begins to count anew, for the next of several tests.
    pub fn begin(&self) {
        self.restart();
        self.done.counts.take();
        self.done.is_limited.take();
    }

    fn add(&self, more: Counts) {
        let counts = self.done.counts.get();
        self.done.counts.set(Counts {
            builds: counts.builds + more.builds,
            checks: counts.checks + more.checks,
            candidates: counts.candidates + more.candidates,
            cached: counts.cached + more.cached,
            ..counts
        });
    }

    /// Counts a run of cargo: it linked, or the compiler rejected it.
    pub fn count_build(&self, linked: bool) {
        self.count_builds(linked.into(), (!linked).into());
    }

    /// Counts many of them.
    pub fn count_builds(&self, builds: u64, checks: u64) {
        self.add(Counts { builds, checks, ..Counts::default() });
    }

    /// Counts what a search asked.
    pub fn count_search(&self, counts: crate::reduce::Counts) {
        let crate::reduce::Counts { candidates, cached, .. } = counts;
        self.add(Counts { candidates, cached, ..Counts::default() });
    }

    /// Counts what was done in a session of its own.
    pub fn count_all_of(&self, inner: &Session) {
        self.add(inner.done.counts.get());
    }

    /// Counts candidates of a search that were not run, since the store knew their outcomes.
    pub fn count_stored(&self, stored: u64) {
        let counts = self.done.counts.get();
        let candidates = counts.candidates - stored;
        self.done.counts.set(Counts { candidates, cached: counts.cached + stored, ..counts });
    }

    /// Notes that a limit has ended the search.
    pub fn limited(&self) {
        self.done.is_limited.set(true);
    }

    /// Whether a limit has ended the search, so that nothing is known to be minimal.
    pub fn is_limited(&self) -> bool {
        self.done.is_limited.get()
    }

    /// What was done so far.
    pub fn counts(&self) -> Counts {
        Counts { elapsed: self.elapsed(), ..self.done.counts.get() }
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
