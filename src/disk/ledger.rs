//! What was written into a folder, so that it can be taken away again, and nothing else.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use super::{DiskError, write_atomic};

/// Where the list is: below the target directory, which nobody takes for a part of a result.
const LIST: &str = "target/cargo-reduce/written";

/// The files that jobs have written into a folder. Those that were there before are the user's, even if
/// they were written to.
#[derive(Debug)]
pub struct Ledger {
    folder: PathBuf,
    /// Relative to the folder.
    files: BTreeSet<PathBuf>,
}

impl Ledger {
    /// What is known of a folder.
    #[must_use]
    pub fn of(folder: &Path) -> Self {
        let list = fs::read_to_string(folder.join(LIST)).unwrap_or_default();
        let is_inside =
            |path: &PathBuf| { path.components() }.all(|part| matches!(part, Component::Normal(_)));
        Ledger {
            folder: folder.to_owned(),
            files: list.lines().map(PathBuf::from).filter(is_inside).collect(),
        }
    }

    /// Notes files of the folder that are about to be written, unless they are there already.
    ///
    /// # Errors
    /// When the list cannot be written.
    pub fn note<'p>(&mut self, files: impl IntoIterator<Item = &'p Path>) -> Result<(), DiskError> {
        let relative = { files.into_iter() }
            .filter(|file| !self.folder.join(file).exists())
            .filter_map(|file| file.strip_prefix(&self.folder).unwrap_or(file).to_str());
        let new: Vec<&str> = { relative }
            .filter(|file| !file.contains('\n') && !self.files.contains(Path::new(file)))
            .collect();
        if new.is_empty() {
            return Ok(());
        }
        self.append(&new).map_err(|source| DiskError {
            path: self.folder.join(LIST),
            source,
        })?;
        self.files.extend(new.into_iter().map(PathBuf::from));
        Ok(())
    }

    /// Whether a file of the folder was written by a job.
    #[must_use]
    pub fn has(&self, file: &Path) -> bool {
        self.files.contains(file)
    }

    /// Removes the files but those whose paths are kept, and the folders that are empty then. What is
    /// written in their places later is somebody else's.
    ///
    /// # Errors
    /// When a file cannot be removed, or the list not be written.
    pub fn clear(&mut self, is_kept: impl Fn(&Path) -> bool) -> Result<(), DiskError> {
        let (kept, gone): (BTreeSet<PathBuf>, BTreeSet<PathBuf>) =
            { std::mem::take(&mut self.files).into_iter() }
                .partition(|file| is_kept(&self.folder.join(file)));
        self.files = kept;
        for file in &gone {
            self.remove(file)?;
        }
        if gone.is_empty() {
            return Ok(());
        }
        let lines = self.files.iter().filter_map(|file| file.to_str());
        let list: String = lines.flat_map(|line| [line, "\n"]).collect();
        write_atomic(&self.folder.join(LIST), list.as_bytes())
    }

    fn remove(&self, file: &Path) -> Result<(), DiskError> {
        let path = self.folder.join(file);
        match fs::remove_file(&path) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                return Err(DiskError { path, source });
            }
            _ => {}
        }
        for above in file.ancestors().skip(1) {
            if above.as_os_str().is_empty() || fs::remove_dir(self.folder.join(above)).is_err() {
                break;
            }
        }
        Ok(())
    }

    fn append(&self, files: &[&str]) -> io::Result<()> {
        let list = self.folder.join(LIST);
        if let Some(parent) = list.parent() {
            fs::create_dir_all(parent)?;
        }
        let mut list = OpenOptions::new().create(true).append(true).open(list)?;
        list.write_all((files.join("\n") + "\n").as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_noted_and_is_not_kept_goes() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::write(at("mine.rs"), "").expect("written");
        let files = ["mine.rs", "src/lib.rs", "src/deep/a.rs", "b.rs"].map(Path::new);
        let mut ledger = Ledger::of(folder.path());
        ledger.note(files).expect("noted");
        fs::create_dir_all(at("src/deep")).expect("a folder");
        for file in files {
            fs::write(at(file.to_str().expect("a name")), "").expect("written");
        }
        let mut later = Ledger::of(folder.path());
        later.clear(|path| path.ends_with("b.rs")).expect("cleared");
        assert!(at("mine.rs").exists() && at("b.rs").exists());
        assert!(!at("src").exists());
        let known = Ledger::of(folder.path());
        assert!(known.has(Path::new("b.rs")) && !known.has(Path::new("src/lib.rs")));
    }

    #[test]
    fn a_list_that_names_what_is_outside_is_not_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("inner");
        fs::create_dir_all(inner.join("target/cargo-reduce")).expect("a folder");
        fs::write(folder.path().join("mine"), "").expect("written");
        fs::write(inner.join(LIST), "../mine\n").expect("written");
        Ledger::of(&inner).clear(|_| false).expect("cleared");
        assert!(folder.path().join("mine").exists());
    }
}
