//! A job on files under way: what it may use, what it keeps, what it tells.

use std::cell::{OnceCell, RefCell};
use std::ops::Deref;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};

use super::FileContent;
use super::given::load_into;
use crate::app::config::Config;
use crate::app::console::Console;
use crate::app::exit::Exit;
use crate::app::failure::{Failure, Result};
use crate::app::limits::FILE_BYTES;
use crate::app::search_driver::check_best;
use crate::app::{search_driver, session};
use crate::disk::{BestSoFar, ResultFolder, write_atomic};
use crate::exec::{Interrupt, Limits};
use crate::oracle::signature::Signature;
use crate::oracle::store::Store;
use crate::reduce::{Counts, Stop};
use crate::report::{Artifacts, Event, NextCommand, Part, ReducedFile, Status, Summary, seen_from};

/// A candidate may take this many times as long as the original, …
const TIMES_ORIGINAL: u32 = 10;
/// … and at least this long.
const LEAST_LIMIT: Duration = Duration::from_secs(5);
/// The file with the outcomes of candidates.
const OUTCOMES: &str = "outcomes";

/// A job under way.
pub struct FilesJob<'r, A> {
    /// What the user wants.
    pub config: &'r Config,
    /// What the user wants of a job of this kind.
    pub asked: &'r A,
    /// Whether the user wants to stop.
    pub interrupt: Interrupt,
    console: &'r Console,
    results: ResultFolder,
    best: RefCell<BestSoFar>,
    /// Where the result is put together.
    staged: OnceCell<Utf8PathBuf>,
}

impl<A> Deref for FilesJob<'_, A> {
    type Target = Console;

    fn deref(&self) -> &Console {
        self.console
    }
}

impl<'r, A> FilesJob<'r, A> {
    /// Opens the folder of the results.
    ///
    /// # Errors
    /// When what a killed run left in the folder of the results cannot be put in order.
    pub fn start(
        config: &'r Config,
        asked: &'r A,
        console: &'r Console,
        interrupt: Interrupt,
    ) -> Result<Self> {
        let results = ResultFolder::open(&results(config))?;
        Ok(FilesJob {
            config,
            asked,
            interrupt,
            console,
            best: RefCell::new(results.best()),
            results,
            staged: OnceCell::new(),
        })
    }

    /// Reads all files; those of a folder in the order of their names.
    ///
    /// # Errors
    /// When one cannot be read, or there is none.
    pub fn load(&self) -> Result<Vec<FileContent>> {
        let mut files = Vec::new();
        for given in &self.config.files {
            load_into(&self.config.cwd, &self.config.cwd.join(given), &mut files)?;
        }
        if files.is_empty() {
            return Err(Failure::error("no file to reduce"));
        }
        Ok(files)
    }

    /// What each candidate may use, when the original takes `original`.
    pub fn limits_after(&self, original: Duration) -> Limits {
        self.limits_within((original * TIMES_ORIGINAL).max(LEAST_LIMIT))
    }

    /// What a run may use that may take `time`, unless the user says otherwise.
    pub fn limits_within(&self, time: Duration) -> Limits {
        Limits {
            time: Some(self.config.control.timeout.unwrap_or(time)),
            memory_bytes: Some(self.config.control.memory_bytes),
            file_bytes: Some(FILE_BYTES),
            ..Limits::default()
        }
    }

    /// What stops a run that confirms a result: the user, unless it was the user who ended the search;
    /// then the best so far has to be confirmed all the same.
    pub fn interrupt_of_result(&self) -> Interrupt {
        if self.interrupt.is_set() { Interrupt::new() } else { self.interrupt.child() }
    }

    /// The folder of the results.
    pub fn results(&self) -> &ResultFolder {
        &self.results
    }

    /// Where a file of the result will be.
    pub fn out_path(&self, name: &str) -> Utf8PathBuf {
        self.results.path().join(place(name))
    }

    /// What stops a run in the time that the user gives the job.
    pub fn interrupt_in_time(&self) -> Interrupt {
        let limit = self.config.control.max_time;
        self.interrupt.until_if(limit.and_then(|limit| self.started().checked_add(limit)))
    }

    /// Keeps files as the best so far, in any case if they are the `last`.
    pub fn keep_best(&self, files: impl FnOnce() -> Vec<FileContent>, last: bool) {
        let files = || {
            let all = files().into_iter();
            all.map(|file| (place(&file.name).to_owned(), file.bytes)).collect()
        };
        let mut best = self.best.borrow_mut();
        best.keep(files, last);
        check_best(self, best.trouble());
    }

    /// Where outcomes are kept, so that a search that was killed goes on where it was.
    pub fn store(&self) -> Store {
        self.config.control.store(&self.results.own(OUTCOMES))
    }

    /// Removes the outcomes that are kept.
    pub fn forget_outcomes(&self) {
        // They would only spare time.
        let _ = crate::disk::remove(self.results.own(OUTCOMES).as_std_path());
    }

    /// The folder in which the result is put together.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn staged(&self) -> Result<&Utf8Path> {
        if let Some(folder) = self.staged.get() {
            return Ok(folder);
        }
        let folder = self.results.new_result()?;
        Ok(self.staged.get_or_init(|| folder))
    }

    /// Adds files to the result.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn stage_files(&self, files: &[FileContent]) -> Result<()> {
        for file in files {
            let path = self.staged()?.join(place(&file.name));
            write_atomic(path.as_std_path(), &file.bytes)?;
        }
        Ok(())
    }

    /// How a search ended, and whether there is a result at all.
    ///
    /// # Errors
    /// When the oracle was in trouble.
    pub fn ended(&self, ended: Result<(), Stop>, is_smaller: bool) -> Result<Status> {
        let end = search_driver::End::of(ended, &self.interrupt)?;
        end.or_earlier(is_smaller, &self.results)?;
        Ok(end.status(self, is_smaller))
    }

    /// Tells about each file (those before and after are in the same order), puts the result in the place of an earlier one
    /// if it was confirmed (if not, its files are the best so far), and tells the end.
    ///
    /// # Errors
    /// When it cannot be moved.
    pub fn finish(&self, before: &[FileContent], after: &[FileContent], end: End) -> Result<Exit> {
        let folder = if end.confirmed {
            self.results.path().to_owned()
        } else {
            self.best.borrow().folder()
        };
        let parts = end.parts.into_iter().chain(std::iter::repeat(Vec::new()));
        for ((before, after), parts) in before.iter().zip(after).zip(parts) {
            let is_text = before.is_text();
            self.tell(&Event::File(ReducedFile {
                path: folder.join(place(&after.name)).into_string(),
                files_before: 1,
                bytes_before: before.bytes.len() as u64,
                bytes_after: after.bytes.len() as u64,
                lines_before: lines(&before.bytes),
                lines_after: lines(&after.bytes),
                before: before.shown(is_text),
                after: after.shown(is_text),
                parts,
            }));
        }
        let commands = end.command.map(|command| {
            let folder = seen_from(&self.config.cwd, folder.as_str());
            let folder = shell_words::quote(&folder);
            NextCommand { verb: "Run it", command: format!("cd {folder} && {command}") }
        });
        let counts = session::Counts {
            builds: end.builds,
            checks: 0,
            candidates: end.counts.candidates,
            cached: end.counts.cached,
            elapsed: self.elapsed(),
        };
        let mut summary = Summary {
            confirmed: end.confirmed,
            commands: commands.into_iter().collect(),
            doubt: end.doubt.filter(|_| end.confirmed),
            ..counts.summary(end.status, Some(end.signature), end.artifacts)
        };
        if !end.confirmed {
            self.keep_best(|| end.files, true);
            self.tell(&Event::Summary(summary));
            return Ok(Exit::of(Status::NotReproduced));
        }
        self.publish(&self.results, self.staged()?, &mut summary)?;
        Ok(self.end(summary, self.config.control.strict))
    }
}

/// The folder of the results: `target/reduce/NAME` unless the user names one.
fn results(config: &Config) -> Utf8PathBuf {
    let first = config.files.first().and_then(|file| file.file_stem());
    let name = first.or(config.cwd.file_name()).unwrap_or("files");
    config.results(&config.cwd.join("target"), name)
}

/// How a job ended.
#[derive(Debug, Clone)]
pub struct End {
    /// The files of the result, as they are written.
    pub files: Vec<FileContent>,
    /// What happens without parts of each file, as far as that is known.
    pub parts: Vec<Vec<Part>>,
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
    /// Why it may be as it should be.
    pub doubt: Option<String>,
    /// What was written besides the files.
    pub artifacts: Artifacts,
    /// The command that shows the failure, to be run in the folder of the results.
    pub command: Option<String>,
}

/// Where a file stands among the results.
fn place(name: &str) -> &Utf8Path {
    let name = Utf8Path::new(name);
    if name.is_absolute() { Utf8Path::new(name.file_name().unwrap_or("file")) } else { name }
}

fn lines(bytes: &[u8]) -> u64 {
    String::from_utf8_lossy(bytes).lines().count() as u64
}
