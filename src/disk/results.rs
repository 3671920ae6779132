//! The folder of a result. An earlier result stays whole until a new one is complete, and then gives way to it.
//!
//! What we need ourselves stands below the target directory, which nobody takes for a part of a result; a new result
//! is put together there. When it is complete it gets another name, and from then on it is the one that counts: what
//! was noted of the earlier one is removed, and the files of the new one are moved to their places. A kill in
//! between leaves the new one complete in the two places together, and the next run moves the rest.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use camino::{Utf8Component, Utf8Path, Utf8PathBuf};

use super::in_use::{InUse, Refused};
use super::way::{clear_way, remove};
use super::write::{DiskError, unless_gone, write_atomic};

/// Where our own things are.
const OWN: &str = "target/cargo-reduce";
/// The name of the folder in which a result is put together that is made of nothing else.
pub const NEW_RESULT: &str = "new";
/// A result that is complete, but not yet in its place.
const READY: &str = "ready";
/// The files of the result that stands in its place, one a line. Those that were there before are the user's, even
/// if they were written to. A result that is ready brings its own list along.
const WRITTEN: &str = "written";
/// What is locked while a process uses the folder.
const IN_USE: &str = "in-use";

/// A folder for a result, which no other process uses as long as this is there.
#[derive(Debug, Clone)]
pub struct ResultFolder {
    root: Utf8PathBuf,
    _in_use: Arc<InUse>,
}

/// A folder that cannot be used for a result.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process does.
    #[error("another `cargo reduce`{} is running in `{folder}`", process.map(|id| format!(" (process {id})")).unwrap_or_default())]
    InUse {
        /// The folder.
        folder: Utf8PathBuf,
        /// The number of the process, if it is known.
        process: Option<u32>,
    },
    /// It cannot be written to.
    #[error(transparent)]
    Disk(#[from] DiskError),
}

/// Whether a folder holds one of our results.
pub fn holds_result(folder: &Path) -> bool {
    folder.join(OWN).join(WRITTEN).is_file()
}

impl ResultFolder {
    /// The folder at `root`, which need not exist; puts in order what a killed run has left.
    ///
    /// # Errors
    /// When another process is at work there, or a file cannot be moved.
    pub fn open(root: &Utf8Path) -> Result<Self, OpenError> {
        let in_use =
            InUse::take(&root.join(OWN).join(IN_USE)).map_err(|refused| match refused {
                Refused::By(process) => OpenError::InUse { folder: root.to_owned(), process },
                Refused::Io(source) => DiskError { path: root.into(), source }.into(),
            })?;
        let folder = ResultFolder { root: root.to_owned(), _in_use: Arc::new(in_use) };
        folder.with_path(folder.settle())?;
        folder.with_path(folder.best().settle())?;
        Ok(folder)
    }

    /// Where it is.
    pub fn path(&self) -> &Utf8Path {
        &self.root
    }

    /// Where something of ours is.
    pub fn own(&self, name: &str) -> Utf8PathBuf {
        self.root.join(OWN).join(name)
    }

    /// Whether a file of the folder, by its relative path, is of the result.
    pub fn has_written(&self, file: &Utf8Path) -> bool {
        listed(&self.own(WRITTEN)).contains(file)
    }

    /// Whether there is a result.
    pub fn has_result(&self) -> bool {
        !listed(&self.own(WRITTEN)).is_empty()
    }

    /// An empty folder in which a result can be put together.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn new_result(&self) -> Result<Utf8PathBuf, DiskError> {
        let folder = self.own(NEW_RESULT);
        let made = remove(folder.as_std_path()).and_then(|()| fs::create_dir_all(&folder));
        made.map_err(|source| DiskError { path: folder.clone().into(), source })?;
        Ok(folder)
    }

    /// Makes what stands in `complete`, a folder of ours, the result, along with what was built in its target
    /// directory. The best so far is no longer needed then.
    ///
    /// # Errors
    /// When it cannot be moved.
    pub fn publish(&self, complete: &Utf8Path) -> Result<(), DiskError> {
        let moved = || -> io::Result<()> {
            let before = listed(&self.own(WRITTEN));
            let files = files_below(complete)?;
            let is_ours =
                |file: &&Utf8PathBuf| before.contains(*file) || !self.root.join(file).exists();
            let lines = files.iter().filter(is_ours).filter(|file| can_be_listed(file));
            let list: String = lines.flat_map(|file| [file.as_str(), "\n"]).collect();
            write_atomic(list_of(complete).as_std_path(), list.as_bytes())
                .map_err(|error| error.source)?;
            remove(self.own(READY).as_std_path())?;
            fs::rename(complete, self.own(READY))?;
            self.settle()
        };
        self.with_path(moved())?;
        self.with_path(self.best().remove())
    }

    /// Moves what is ready to its place.
    fn settle(&self) -> io::Result<()> {
        let ready = self.own(READY);
        let list = list_of(&ready);
        if list.exists() {
            let files = listed(&list);
            for file in listed(&self.own(WRITTEN)).difference(&files) {
                self.remove_noted(file)?;
            }
            for file in files_below(&ready)? {
                move_to(&ready.join(&file), &self.root, &self.root.join(&file))?;
            }
            self.take_builds(&ready);
            fs::rename(&list, self.own(WRITTEN))?;
        }
        remove(ready.as_std_path())
    }

    /// Spares the user the time to build it all again; what cannot be moved can be built.
    fn take_builds(&self, ready: &Utf8Path) {
        let entries = ready.join("target").read_dir_utf8();
        for entry in entries.into_iter().flatten().flatten() {
            let to = self.root.join("target").join(entry.file_name());
            if !entry.file_name().starts_with("cargo-reduce") && remove(to.as_std_path()).is_ok() {
                let _ = fs::rename(entry.path(), to);
            }
        }
    }

    /// Removes a file of the result, and the folders that are empty then.
    fn remove_noted(&self, file: &Utf8Path) -> io::Result<()> {
        let path = self.root.join(file);
        let is_file = path.symlink_metadata().is_ok_and(|it| !it.is_dir());
        if is_file {
            fs::remove_file(path).or_else(unless_gone)?;
        }
        for above in file.ancestors().skip(1) {
            if above.as_str().is_empty() || fs::remove_dir(self.root.join(above)).is_err() {
                break;
            }
        }
        Ok(())
    }

    fn with_path<T>(&self, result: io::Result<T>) -> Result<T, DiskError> {
        result.map_err(|source| DiskError { path: self.root.clone().into(), source })
    }
}

/// The list of the result in a folder.
fn list_of(root: &Utf8Path) -> Utf8PathBuf {
    root.join(OWN).join(WRITTEN)
}

fn move_to(from: &Utf8Path, root: &Utf8Path, to: &Utf8Path) -> io::Result<()> {
    clear_way(root.as_std_path(), to.as_std_path())?;
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::rename(from, to)
}

fn can_be_listed(file: &Utf8Path) -> bool {
    !file.as_str().contains('\n')
}

/// The files that a list names; none that are outside of its folder.
fn listed(list: &Utf8Path) -> BTreeSet<Utf8PathBuf> {
    let text = fs::read_to_string(list).unwrap_or_default();
    let is_inside = |path: &Utf8PathBuf| {
        let mut parts = path.components();
        parts.all(|part| matches!(part, Utf8Component::Normal(_)))
    };
    let lines = text.lines().filter(|line| !line.is_empty());
    lines.map(Utf8PathBuf::from).filter(is_inside).collect()
}

/// The files below a folder but for its target directory, relative to it. Links lead somewhere else.
fn files_below(root: &Utf8Path) -> io::Result<Vec<Utf8PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![Utf8PathBuf::new()];
    while let Some(folder) = folders.pop() {
        for entry in root.join(&folder).read_dir_utf8()? {
            let entry = entry?;
            let path = folder.join(entry.file_name());
            let kind = entry.file_type()?;
            if kind.is_file() {
                files.push(path);
            } else if kind.is_dir() && path != "target" {
                folders.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Place {
        _folder: tempfile::TempDir,
        root: Utf8PathBuf,
    }

    fn place() -> Place {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(folder.path().join("out")).unwrap();
        Place { _folder: folder, root }
    }

    fn write(path: &Utf8Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn publish(root: &Utf8Path, files: &[(&str, &str)]) {
        let results = ResultFolder::open(root).unwrap();
        let new = results.new_result().unwrap();
        for (name, text) in files {
            write(&new.join(name), text);
        }
        results.publish(&new).unwrap();
    }

    /// The files of the result with what is in them.
    fn result(root: &Utf8Path) -> Vec<(String, String)> {
        let files = files_below(root).unwrap().into_iter();
        files
            .map(|file| (file.to_string(), fs::read_to_string(root.join(&file)).unwrap()))
            .collect()
    }

    fn pairs(files: &[(&str, &str)]) -> Vec<(String, String)> {
        let pair = |(name, text): &(&str, &str)| ((*name).to_owned(), (*text).to_owned());
        files.iter().map(pair).collect()
    }

    #[test]
    fn a_new_result_takes_the_place_of_the_earlier_one_and_of_nothing_else() {
        let Place { root, .. } = &place();
        write(&root.join("mine.txt"), "precious");
        publish(root, &[("Cargo.toml", "1"), ("src/deep/a.rs", "1"), ("src/b.rs", "1")]);
        let results = ResultFolder::open(root).unwrap();
        assert!(results.has_written(Utf8Path::new("src/b.rs")));
        assert!(!results.has_written(Utf8Path::new("mine.txt")));
        drop(results);
        publish(root, &[("Cargo.toml", "2"), ("src/b.rs", "2")]);
        let expected = [("Cargo.toml", "2"), ("mine.txt", "precious"), ("src/b.rs", "2")];
        assert_eq!(result(root), pairs(&expected));
        assert!(!root.join("src/deep").exists() && !root.join(OWN).join(READY).exists());
    }

    #[test]
    fn a_result_that_is_not_complete_changes_nothing() {
        let Place { root, .. } = &place();
        publish(root, &[("a.rs", "1")]);
        let results = ResultFolder::open(root).unwrap();
        write(&results.new_result().unwrap().join("a.rs"), "half");
        drop(results);
        ResultFolder::open(root).unwrap();
        assert_eq!(result(root), pairs(&[("a.rs", "1")]));
    }

    #[test]
    fn a_kill_between_any_two_steps_is_mended_by_the_next_run() {
        let expected = pairs(&[("a.rs", "2"), ("b/c.rs", "2"), ("mine", "precious")]);
        for moved in 0..=3 {
            let Place { root, .. } = &place();
            write(&root.join("mine"), "precious");
            publish(root, &[("a.rs", "1"), ("b/old.rs", "1")]);
            let results = ResultFolder::open(root).unwrap();
            let ready = results.own(READY);
            write(&list_of(&ready), "a.rs\nb/c.rs\n");
            for file in ["a.rs", "b/c.rs"] {
                write(&ready.join(file), "2");
            }
            for file in ["a.rs", "b/c.rs"].iter().take(moved) {
                move_to(&ready.join(file), root, &root.join(file)).unwrap();
            }
            if moved > 2 {
                fs::remove_file(root.join("b/old.rs")).unwrap();
                fs::rename(list_of(&ready), results.own(WRITTEN)).unwrap();
            }
            drop(results);
            let results = ResultFolder::open(root).unwrap();
            assert_eq!(result(root), expected, "{moved} files were moved");
            assert!(!results.has_written(Utf8Path::new("b/old.rs")));
            drop(results);
            publish(root, &[("d.rs", "3")]);
            assert_eq!(result(root), pairs(&[("d.rs", "3"), ("mine", "precious")]));
        }
    }

    #[test]
    fn a_folder_is_used_by_one_at_a_time() {
        let Place { root, .. } = &place();
        let first = ResultFolder::open(root).unwrap();
        let copy = first.clone();
        drop(first);
        let error = ResultFolder::open(root).unwrap_err().to_string();
        let expected =
            format!("another `cargo reduce` (process {}) is running in", std::process::id());
        assert!(error.starts_with(&expected), "{error}");
        drop(copy);
        ResultFolder::open(root).unwrap();
    }

    #[test]
    fn what_was_built_comes_along() {
        let Place { root, .. } = &place();
        write(&root.join("target/debug/old"), "1");
        let results = ResultFolder::open(root).unwrap();
        let scratch = results.own("scratch");
        write(&scratch.join("a.rs"), "2");
        write(&scratch.join("target/debug/program"), "2");
        write(&scratch.join("target/cargo-reduce/lane"), "2");
        results.publish(&scratch).unwrap();
        assert!(root.join("target/debug/program").exists() && root.join("a.rs").exists());
        assert!(!root.join("target/debug/old").exists() && !scratch.exists());
    }

    #[test]
    fn a_list_that_names_what_is_outside_is_not_followed() {
        let Place { root, .. } = &place();
        let mine = root.with_file_name("mine");
        write(&mine, "precious");
        write(&root.join(OWN).join(WRITTEN), "../mine\n");
        publish(root, &[("a.rs", "1")]);
        assert!(mine.exists());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_no_part_of_a_result() {
        let Place { root, .. } = &place();
        let mine = root.with_file_name("mine");
        write(&mine.join("a.rs"), "precious");
        let results = ResultFolder::open(root).unwrap();
        let new = results.new_result().unwrap();
        std::os::unix::fs::symlink(&mine, new.join("src")).unwrap();
        write(&new.join("b.rs"), "1");
        results.publish(&new).unwrap();
        assert_eq!(result(root), pairs(&[("b.rs", "1")]));
        assert!(mine.join("a.rs").exists());
    }
}
