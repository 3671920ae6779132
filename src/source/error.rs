//! What can go wrong with sources.

use std::path::PathBuf;

use super::LineColumn;

/// Why a crate's source could not be read or understood.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The reader failed (no such file, not UTF-8, …).
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the reader said.
        source: std::io::Error,
    },
    /// A `mod` item without its file.
    #[error("cannot find the file of module `{name}`, declared in {}:{place}", path.display())]
    MissingModule {
        /// The module's name.
        name: String,
        /// The file that declares it.
        path: PathBuf,
        /// Where it is declared.
        place: LineColumn,
    },
    /// syn does not understand the file.
    #[error("cannot parse {}:{place}: {message}", path.display())]
    Parse {
        /// The file.
        path: PathBuf,
        /// Where the parser stopped.
        place: LineColumn,
        /// What the parser said.
        message: String,
    },
}
