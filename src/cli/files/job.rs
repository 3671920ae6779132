//! A job on files under way: what it may use, what it keeps, what it tells.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};

use super::given::load_into;
use super::{FileContent, FilesConfig};
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::session::millis;
use crate::disk::{DiskError, write_atomic};
use crate::exec::{Interrupt, Limits};
use crate::oracle::signature::Signature;
use crate::reduce::{Counts, Stop};
use crate::report::{Artifacts, Event, ReducedFile, Reporter, Status, Summary};

/// Between two lines of progress.
const PROGRESS_EVERY: Duration = Duration::from_millis(100);
/// A candidate may take this many times as long as the original, …
const TIMES_ORIGINAL: u32 = 10;
/// … and at least this long.
const LEAST_LIMIT: Duration = Duration::from_secs(5);
/// No candidate needs to write a larger file.
const FILE_BYTES: u64 = 1 << 30;

/// A job under way.
pub struct FilesJob<'r> {
    /// What the job needs to know.
    pub config: &'r FilesConfig,
    /// Whether the user wants to stop.
    pub interrupt: Interrupt,
    reporter: RefCell<&'r mut dyn Reporter>,
    started: Instant,
    shown: Cell<Instant>,
    trouble: RefCell<Option<DiskError>>,
}

impl<'r> FilesJob<'r> {
    /// Starts the clock.
    pub fn new(
        config: &'r FilesConfig,
        reporter: &'r mut dyn Reporter,
        interrupt: Interrupt,
    ) -> Self {
        let started = Instant::now();
        FilesJob {
            config,
            interrupt,
            reporter: RefCell::new(reporter),
            started,
            shown: Cell::new(started),
            trouble: RefCell::new(None),
        }
    }

    /// Reads all files; those of a folder in the order of their names.
    ///
    /// # Errors
    /// When one cannot be read, or there is none.
    pub fn load(&self) -> Result<Vec<FileContent>, Failure> {
        let mut files = Vec::new();
        for given in &self.config.files {
            load_into(&self.config.cwd, &self.config.cwd.join(given), &mut files)?;
        }
        if files.is_empty() {
            return Err(Failure::error("there is no file to reduce"));
        }
        Ok(files)
    }

    /// Tells the user something.
    pub fn tell(&self, event: &Event) {
        self.reporter.borrow_mut().report(event);
    }

    /// Tells that a stage begins: a verb, and to what it is done.
    pub fn stage(&self, verb: &str, what: impl Into<String>) {
        self.tell(&Event::Stage {
            verb: verb.to_owned(),
            what: what.into(),
        });
    }

    /// What each candidate may use, when the original takes `original`.
    #[must_use]
    pub fn limits_after(&self, original: Duration) -> Limits {
        self.limits_within((original * TIMES_ORIGINAL).max(LEAST_LIMIT))
    }

    /// What a run may use that may take `time`, unless the user says otherwise.
    #[must_use]
    pub fn limits_within(&self, time: Duration) -> Limits {
        Limits {
            time: Some(self.config.timeout.unwrap_or(time)),
            memory_bytes: Some(self.config.memory_bytes),
            file_bytes: Some(FILE_BYTES),
            ..Limits::default()
        }
    }

    /// What stops a run that confirms a result: the user, unless it was the user who ended the search;
    /// then the best so far has to be confirmed all the same.
    #[must_use]
    pub fn interrupt_of_result(&self) -> Interrupt {
        if self.interrupt.is_set() {
            Interrupt::new()
        } else {
            self.interrupt.child()
        }
    }

    /// The folder of the results.
    #[must_use]
    pub fn out(&self) -> Utf8PathBuf {
        let name = self
            .config
            .files
            .first()
            .and_then(|file| file.file_stem())
            .or(self.config.cwd.file_name())
            .unwrap_or("files");
        match &self.config.out {
            Some(out) => self.config.cwd.join(out),
            None => self.config.cwd.join("target/reduce").join(name),
        }
    }

    /// Where the result for a file is kept.
    #[must_use]
    pub fn out_path(&self, name: &str) -> Utf8PathBuf {
        let name = Utf8Path::new(name);
        let name = if name.is_absolute() {
            Utf8Path::new(name.file_name().unwrap_or("file"))
        } else {
            name
        };
        self.out().join(name)
    }

    /// Says when the search has to stop.
    pub fn stop_rule(&self) -> impl FnMut(Counts) -> Option<Stop> + 'static {
        let (interrupt, started) = (self.interrupt.clone(), self.started);
        let (max_time, max_candidates) = (self.config.max_time, self.config.max_candidates);
        move |counts| {
            if interrupt.is_set() {
                return Some(Stop::Interrupted);
            }
            if max_time.is_some_and(|limit| started.elapsed() >= limit) {
                return Some(Stop::TimeUp);
            }
            let is_enough = max_candidates.is_some_and(|limit| counts.candidates >= limit);
            is_enough.then_some(Stop::CandidateLimit)
        }
    }

    /// Keeps files on disk, so that a kill at any moment loses nothing.
    pub fn keep(&self, files: &[FileContent]) {
        for file in files {
            let path = self.out_path(&file.name);
            if let Err(error) = write_atomic(path.as_std_path(), &file.bytes) {
                self.trouble.borrow_mut().get_or_insert(error);
            }
        }
    }

    /// Shows how far we are, not too often.
    pub fn progress(&self, elements: usize, counts: Counts) {
        if self.shown.get().elapsed() >= PROGRESS_EVERY {
            self.shown.set(Instant::now());
            let elapsed_ms = millis(self.started.elapsed());
            self.tell(&Event::Progress {
                candidates: counts.candidates,
                elements,
                elapsed_ms,
            });
        }
    }

    /// Whether results could be kept.
    ///
    /// # Errors
    /// The first error of the disk.
    pub fn check_disk(&self) -> Result<(), Failure> {
        match self.trouble.borrow_mut().take() {
            Some(error) => Err(Failure::error(error.to_string())),
            None => Ok(()),
        }
    }

    /// How a search ended, and whether there is a result at all.
    ///
    /// # Errors
    /// When the oracle was in trouble.
    pub fn ended(&self, ended: Result<(), Stop>, is_smaller: bool) -> Result<Status, Failure> {
        match ended {
            Err(_) if self.interrupt.is_set() => Ok(Status::Interrupted),
            Err(Stop::Interrupted) => Ok(Status::Interrupted),
            Err(Stop::Oracle(error)) => {
                Err(Failure::error(format!("cannot judge a candidate: {error}")))
            }
            Ok(()) if !is_smaller => Ok(Status::Minimal),
            Ok(()) | Err(Stop::TimeUp | Stop::CandidateLimit) => Ok(Status::Reduced),
        }
    }

    /// Tells which failure is looked for in `name`.
    pub fn failure(&self, name: &str, signature: &Signature) {
        self.tell(&Event::Failure {
            test: name.to_owned(),
            package: String::new(),
            signature: signature.clone(),
        });
    }

    /// Tells about each file (those before and after are in the same order), and the end.
    pub fn finish(&self, before: &[FileContent], after: &[FileContent], end: End) -> Exit {
        for (before, after) in before.iter().zip(after) {
            self.tell(&Event::File(ReducedFile {
                path: self.out_path(&after.name).into_string(),
                files_before: 1,
                bytes_before: before.bytes.len() as u64,
                bytes_after: after.bytes.len() as u64,
                lines_before: lines(&before.bytes),
                lines_after: lines(&after.bytes),
            }));
        }
        self.tell(&Event::Summary(Summary {
            status: end.status,
            confirmed: end.confirmed,
            signature: Some(end.signature),
            builds: end.builds,
            checks: 0,
            candidates: end.counts.candidates,
            cached: end.counts.cached,
            elapsed_ms: millis(self.started.elapsed()),
            artifacts: end.artifacts,
        }));
        Exit::of(if end.confirmed {
            end.status
        } else {
            Status::NotReproduced
        })
    }
}

/// How a job ended.
#[derive(Debug, Clone)]
pub struct End {
    /// How it is called.
    pub status: Status,
    /// Whether the failure was seen once more on the result.
    pub confirmed: bool,
    /// The failure.
    pub signature: Signature,
    /// What was asked.
    pub counts: Counts,
    /// Runs of cargo.
    pub builds: u64,
    /// What was written besides the files.
    pub artifacts: Artifacts,
}

fn lines(bytes: &[u8]) -> u64 {
    String::from_utf8_lossy(bytes).lines().count() as u64
}
