//! Jobs on files: what `--oracle` and `--ice` share.

mod given;
mod job;
mod search;

pub use given::{FileContent, contents, sources_of};
pub use job::{End, FilesJob};
pub use search::{Shown, search};
