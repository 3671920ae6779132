//! The regression test in the user's own tree.

use std::fs;
use std::path::PathBuf;

use camino::Utf8PathBuf;

use crate::app::failure::{Failure, Result};
use crate::disk::write_atomic;

/// What is to be written into the user's tree.
#[derive(Debug)]
pub struct Addition {
    /// The file that holds the test.
    pub path: Utf8PathBuf,
    /// What is in it then.
    pub content: String,
    /// Whether the file must not be there yet.
    pub is_new: bool,
    /// The files that the test reads.
    pub files: Vec<(PathBuf, Vec<u8>)>,
}

impl Addition {
    /// Writes it.
    ///
    /// # Errors
    /// When another file of that name is there already, or it cannot be written.
    pub fn write(&self) -> Result<()> {
        let path = &self.path;
        if self.is_new && fs::read_to_string(path).is_ok_and(|there| there != self.content) {
            return Err(
                Failure::error(format!("`{path}` already exists")).hint("rename or remove it")
            );
        }
        write_atomic(path.as_std_path(), self.content.as_bytes())?;
        for (file, content) in &self.files {
            write_atomic(file, content)?;
        }
        Ok(())
    }
}
