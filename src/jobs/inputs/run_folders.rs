//! Where candidates are told what they are, and where they may write: folders of ours that a search makes.
//!
//! A candidate may be a test that deletes whatever folder its input names, so what candidates are told, and the
//! sockets on which they are told, are out of their reach.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::crossing::Crossing;
use crate::app::config::Config;
use crate::app::failure::{Failure, Result};
use crate::app::limits::run_limits;
use crate::exec::{Access, Confined, Job};

/// Folders that are gone when this is dropped.
#[derive(Debug)]
pub struct RunFolders {
    folder: TempDir,
    open: PathBuf,
    crossing: Crossing,
}

impl RunFolders {
    /// Makes the folders, in that of the sandbox.
    ///
    /// # Errors
    /// When that is refused.
    pub fn new(config: &Config) -> Result<Self> {
        let make = || -> std::io::Result<RunFolders> {
            let folder = TempDir::new_in(config.sandbox.folder())?;
            let open = folder.path().join("open");
            std::fs::create_dir(&open)?;
            Ok(RunFolders { folder, open, crossing: Crossing::default() })
        };
        make().map_err(|error| Failure::error(format!("cannot make a temporary folder: {error}")))
    }

    /// Tells all runs the values that cross the boundary.
    ///
    /// # Errors
    /// When these cannot be written.
    pub fn telling(mut self, crossing: &Crossing) -> Result<Self> {
        crossing.write(self.folder())?;
        self.crossing = crossing.clone();
        Ok(self)
    }

    /// The folder of ours, with a short path.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The folder in which what candidates write stays.
    pub fn open(&self) -> &Path {
        &self.open
    }

    /// Limits what a run may use, and confines what it changes: in the open folder changes stay, in `scratch` they are
    /// thrown away.
    pub fn confine<'p>(
        &self,
        config: &Config,
        job: Job,
        scratch: impl IntoIterator<Item = &'p Path>,
    ) -> Confined {
        let access = Access {
            kept: vec![self.open.clone()],
            discarded: scratch.into_iter().map(Path::to_owned).collect(),
        };
        config
            .sandbox
            .confine(self.crossing.tell(job, self.folder()).limits(run_limits(config)), access)
    }
}

/// Makes a folder in another one.
///
/// # Errors
/// When that is refused.
pub fn new_folder(parent: &Path, name: &str) -> Result<PathBuf> {
    let folder = parent.join(name);
    match std::fs::create_dir(&folder) {
        Ok(()) => Ok(folder),
        Err(error) => Err(Failure::error(format!("cannot create `{}`: {error}", folder.display()))),
    }
}
