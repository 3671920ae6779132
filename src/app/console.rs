//! The user of a job: is told what happens, and since when.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use camino::Utf8Path;

use super::exit::Exit;
use super::failure::Result;
use super::publish::publish;
use crate::disk::ResultFolder;
use crate::oracle::signature::Signature;
use crate::report::{Detail, Event, Reporter, Silent, Summary};

/// Who shows what happens in a job, and the clock.
pub struct Console {
    reporter: RefCell<Box<dyn Reporter>>,
    started: Cell<Instant>,
}

impl Console {
    /// Starts the clock of a job that is shown by `reporter`.
    pub fn new(reporter: Box<dyn Reporter>) -> Self {
        Console { reporter: RefCell::new(reporter), started: Cell::new(Instant::now()) }
    }

    /// For a job of which the user sees nothing.
    pub fn silent() -> Self {
        Console::new(Box::new(Silent))
    }

    /// Starts the clock anew.
    pub(super) fn restart(&self) {
        self.started.set(Instant::now());
    }

    /// When the clock was started.
    pub fn started(&self) -> Instant {
        self.started.get()
    }

    /// The time since then.
    pub fn elapsed(&self) -> Duration {
        self.started.get().elapsed()
    }

    /// Tells the user something.
    pub fn tell(&self, event: &Event) {
        self.reporter.borrow_mut().report(event);
    }

    /// Tells that a stage begins: a verb, and to what it is done.
    pub fn stage(&self, verb: &str, what: impl Into<String>) {
        self.tell(&Event::Stage { verb: verb.to_owned(), what: what.into() });
    }

    /// Tells which failure is held on to.
    pub fn failure(&self, test: &str, package: &str, signature: &Signature) {
        self.tell(&Event::Failure {
            test: test.to_owned(),
            package: package.to_owned(),
            signature: signature.clone(),
        });
    }

    /// Tells something the user should know.
    pub fn warn(&self, text: impl Into<String>) {
        self.tell(&Event::Warning(text.into()));
    }

    /// How closely the user wants to be told of a search.
    pub fn detail(&self) -> Detail {
        self.reporter.borrow().detail()
    }

    /// Tells the end of a job; with which exit code, where the user is `strict` or not.
    pub fn end(&self, summary: Summary, strict: bool) -> Exit {
        let exit = Exit::of_summary(&summary, strict);
        self.tell(&Event::Summary(summary));
        exit
    }

    /// Makes what stands in `complete` the result, and its page along with it.
    ///
    /// # Errors
    /// When it cannot be moved.
    pub fn publish(
        &self,
        results: &ResultFolder,
        complete: &Utf8Path,
        summary: &mut Summary,
    ) -> Result<()> {
        publish(&mut **self.reporter.borrow_mut(), results, complete, summary)
    }
}
