//! Files of packages.

use std::collections::BTreeMap;
use std::fs;

use camino::{Utf8Path, Utf8PathBuf};

use crate::app::failure::{Failure, Result};
use crate::disk::write_atomic;

/// Files by their paths in the folder of the result.
pub type Files = BTreeMap<Utf8PathBuf, Vec<u8>>;

/// Reads a file.
///
/// # Errors
/// When that cannot be done.
pub fn read(path: &Utf8Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|error| Failure::unreadable(&path, &error))
}

/// Reads a file of text.
///
/// # Errors
/// When that cannot be done.
pub fn text(path: &Utf8Path) -> Result<String> {
    Ok(String::from_utf8_lossy(&read(path)?).into_owned())
}

/// Writes the files.
///
/// # Errors
/// When one cannot be written.
pub fn write(out: &Utf8Path, files: &Files) -> Result<()> {
    for (path, bytes) in files {
        write_atomic(out.join(path).as_std_path(), bytes)?;
    }
    Ok(())
}
