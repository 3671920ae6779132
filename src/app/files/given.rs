//! Files and what is in them.

use camino::Utf8Path;

use crate::app::failure::{Failure, Result};
use crate::rust::{Sameness, SourceFile, Sources};

/// A file and its content.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FileContent {
    /// Its name, relative to where the user stands if it is below that.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// Reads a file, or all files of a folder in the order of their names; names are relative to `cwd`.
///
/// # Errors
/// When one cannot be read.
pub fn load_into(cwd: &Utf8Path, path: &Utf8Path, files: &mut Vec<FileContent>) -> Result<()> {
    let cannot = |error: std::io::Error| Failure::unreadable(&path, &error);
    if !path.is_dir() {
        if path.exists() && !path.is_file() {
            return Err(Failure::error(format!(
                "`{path}` is a pipe, a socket or a device; only files and folders can be reduced"
            )));
        }
        let bytes = std::fs::read(path).map_err(cannot)?;
        let name = path.strip_prefix(cwd).unwrap_or(path).to_string();
        files.push(FileContent { name, bytes });
        return Ok(());
    }
    let entries = path.read_dir_utf8().map_err(cannot)?;
    let mut inside = entries.collect::<Result<Vec<_>, _>>().map_err(cannot)?;
    inside.sort_by(|one, other| one.path().cmp(other.path()));
    // What has no content is left out.
    let with_content =
        inside.iter().filter(|entry| entry.path().is_file() || entry.path().is_dir());
    with_content.into_iter().try_for_each(|entry| load_into(cwd, entry.path(), files))
}

/// The files as sources; the name of the first that is not text is the error.
///
/// # Errors
/// When a file is not valid UTF-8.
pub fn sources_of(files: &[FileContent], sameness: Sameness) -> Result<Sources, &str> {
    let source = |file: &FileContent| {
        let text = std::str::from_utf8(&file.bytes).ok()?;
        Some(SourceFile::new(file.name.as_str(), text))
    };
    let sources: Result<Vec<SourceFile>, &str> =
        files.iter().map(|file| source(file).ok_or(file.name.as_str())).collect();
    Ok(Sources::new(sources?, sameness))
}

impl FileContent {
    /// Whether it is UTF-8.
    pub fn is_text(&self) -> bool {
        std::str::from_utf8(&self.bytes).is_ok()
    }

    /// It as a text to look at, with each byte on its own as in a literal of Rust unless it `is_text`.
    pub fn shown(&self, is_text: bool) -> String {
        if is_text {
            return String::from_utf8_lossy(&self.bytes).into_owned();
        }
        self.bytes.escape_ascii().to_string()
    }
}

/// Sources as files.
pub fn contents(sources: &Sources) -> Vec<FileContent> {
    let files = sources.files.iter();
    files
        .map(|file| FileContent {
            name: file.path.to_string(),
            bytes: file.text.as_bytes().to_vec(),
        })
        .collect()
}
