//! Files of the copy, and what is said where they are in the way.

use std::{fs, io};

use camino::Utf8Path;

use super::{ProjectError, Result};
use crate::disk::clear_way;

/// Sees to it that `path` leads to a place below `root`.
pub(super) fn clear(root: &Utf8Path, path: &Utf8Path) -> Result<()> {
    clear_way(root.as_std_path(), path.as_std_path())
        .map_err(|source| file_error("write", path, source))
}

pub(super) fn create_dir(path: &Utf8Path) -> Result<()> {
    fs::create_dir_all(path).map_err(|source| file_error("create", path, source))
}

pub(super) fn file_error(action: &'static str, path: &Utf8Path, source: io::Error) -> ProjectError {
    ProjectError::File { action, path: path.to_owned(), source }
}
