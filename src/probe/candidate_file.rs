//! The file that holds the candidate of a process that runs just that one.

use std::io;
use std::path::{Path, PathBuf};

use crate::exec::{Exit, Finished};

/// The environment variable in which the runtime finds the file.
pub const CANDIDATE: &str = "__CARGO_REDUCE_CANDIDATE";
/// The status with which the runtime ends a process in which it cannot go on.
const CANNOT_GO_ON: i32 = 97;

/// A candidate in a file, which goes when this is dropped. Its name ends in a random word that the runtime
/// repeats where it cannot go on: the status alone may be the candidate's own.
#[derive(Debug)]
pub struct CandidateFile {
    path: PathBuf,
    word: String,
}

/// Why the runtime cannot go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The candidate has taken away what is needed to run it.
    NotRun,
    /// The runtime itself is in trouble.
    Trouble(String),
}

impl CandidateFile {
    /// Puts what the candidate changes into a new file in `folder`.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(folder: &Path, changes: &[u8]) -> io::Result<Self> {
        let word = format!("{:016x}", rand::random::<u64>());
        let path = folder.join(format!("candidate-{word}"));
        std::fs::write(&path, changes)?;
        Ok(CandidateFile { path, word })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the runtime said if it could not go on.
    pub fn refusal(&self, finished: &Finished) -> Option<Refusal> {
        if finished.exit != Exit::Code(CANNOT_GO_ON) {
            return None;
        }
        let start = format!("cargo-reduce runtime {} ", self.word);
        let stderr = finished.stderr.text();
        let (what, why) =
            stderr.lines().find_map(|line| line.strip_prefix(&start))?.split_once(": ")?;
        Some(match what {
            "7" => Refusal::NotRun,
            _ => Refusal::Trouble(why.to_owned()),
        })
    }
}

impl Drop for CandidateFile {
    fn drop(&mut self) {
        // The candidate may have removed it, or its folder.
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn the_runtime_is_believed_only_when_it_knows_the_word() {
        let folder = tempfile::tempdir().unwrap();
        let file = CandidateFile::write(folder.path(), b"x").unwrap();
        let ended = |code: i32, stderr: &str| Finished::printing(Exit::Code(code), "", stderr);
        let said = format!("noise\ncargo-reduce runtime {} 6: no switch\n", file.word);
        let trouble = Refusal::Trouble("no switch".to_owned());
        assert_eq!(file.refusal(&ended(97, &said)), Some(trouble));
        assert_eq!(file.refusal(&ended(1, &said)), None);
        let guessed = "cargo-reduce runtime 0123456789abcdef 6: no switch\n";
        assert_eq!(file.refusal(&ended(97, guessed)), None);
        assert_eq!(file.refusal(&ended(97, "")), None);
        let path = file.path().to_owned();
        drop(file);
        assert!(!path.exists());
    }
}
