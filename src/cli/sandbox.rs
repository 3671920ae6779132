//! Where candidates run: in a folder of ours that they cannot change, and in it one that they may.
//!
//! A candidate may be a test that deletes whatever folder its input names, so what candidates are told, and the
//! sockets on which they are told, must be out of their reach.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::config::Config;
use super::failure::Failure;
use super::limits::{FILE_BYTES, PROCESSES};
use crate::exec::{Job, Limits};

/// Folders that are gone when this is dropped.
#[derive(Debug)]
pub struct Sandbox {
    folder: TempDir,
    open: PathBuf,
}

impl Sandbox {
    /// Makes the folders.
    ///
    /// # Errors
    /// When there is no place for temporary files.
    pub fn new() -> Result<Self, Failure> {
        let make = || -> std::io::Result<Sandbox> {
            let folder = TempDir::with_prefix("cargo-reduce-")?;
            let open = folder.path().join("tmp");
            std::fs::create_dir(&open)?;
            Ok(Sandbox { folder, open })
        };
        make().map_err(|error| Failure::error(format!("cannot make a temporary folder: {error}")))
    }

    /// The folder of ours, with a short path.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The folder for their temporary files.
    #[must_use]
    pub fn open(&self) -> &Path {
        &self.open
    }

    /// Limits what a run may use, and confines what it writes to the open folder and to `more`.
    #[must_use]
    pub fn confine<'p>(
        &'p self,
        config: &Config,
        job: Job,
        more: impl IntoIterator<Item = &'p Path>,
    ) -> Job {
        let job = job.limits(Limits {
            memory_bytes: Some(config.control.memory_bytes),
            file_bytes: Some(FILE_BYTES),
            processes: Some(PROCESSES),
            ..Limits::default()
        });
        self.close(job, more).offline()
    }

    /// Confines what a run writes to the open folder and to `more`.
    #[must_use]
    pub fn close<'p>(&'p self, job: Job, more: impl IntoIterator<Item = &'p Path>) -> Job {
        job.env("TMPDIR", &self.open)
            .writable([self.open()].into_iter().chain(more).map(Path::to_owned))
    }
}

/// Makes a folder in another one.
///
/// # Errors
/// When that is refused.
pub fn new_folder(parent: &Path, name: &str) -> Result<PathBuf, Failure> {
    let folder = parent.join(name);
    match std::fs::create_dir(&folder) {
        Ok(()) => Ok(folder),
        Err(error) => Err(Failure::error(format!(
            "cannot create `{}`: {error}",
            folder.display()
        ))),
    }
}
