//! The files that the source names.

use std::path::{Path, PathBuf};

use crate::reduce::inputs::Value;

/// Gives the content of a file.
pub(crate) type ReadBytes<'r> = &'r mut dyn FnMut(&Path) -> std::io::Result<Vec<u8>>;

/// Reads the files that the source names.
pub(super) struct FileReader<'r> {
    pub package_dir: PathBuf,
    pub source_dir: PathBuf,
    pub read: ReadBytes<'r>,
}

impl FileReader<'_> {
    /// The value of a file: text where it is UTF-8.
    pub(super) fn value(&mut self, path: &Path) -> Option<Value> {
        Some(Value::of_content((self.read)(path).ok()?))
    }
}
