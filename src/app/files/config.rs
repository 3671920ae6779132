//! What a job on files is asked to do.

use camino::Utf8PathBuf;

use crate::app::config::Control;
use crate::exec::Sandbox;

/// What a job on files needs to know.
#[derive(Debug, Clone)]
pub struct FilesConfig {
    /// Where the user stands.
    pub cwd: Utf8PathBuf,
    /// Where candidates run.
    pub sandbox: Sandbox,
    /// The files and folders to reduce, as given.
    pub files: Vec<Utf8PathBuf>,
    /// Where results go; `target/reduce/NAME` unless given.
    pub out: Option<Utf8PathBuf>,
    /// Candidates at once.
    pub workers: usize,
    /// Rules and limits of the search.
    pub control: Control,
}

impl FilesConfig {
    /// The folder of the results.
    pub fn results(&self) -> Utf8PathBuf {
        let first = self.files.first().and_then(|file| file.file_stem());
        let name = first.or(self.cwd.file_name()).unwrap_or("files");
        match &self.out {
            Some(out) => self.cwd.join(out),
            None => self.cwd.join("target/reduce").join(name),
        }
    }
}
