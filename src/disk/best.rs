//! The best that a search has found so far, where a kill at any moment leaves it.

use std::fs;
use std::io;
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};

use super::results::ResultFolder;
use super::way::remove;
use super::write::{DiskError, unless_gone};

/// The folder, beside the result.
const FOLDER: &str = "best-so-far";
/// The file that says what it is.
const NOTE: &str = "NOT-CONFIRMED.txt";
const TEXT: &str = "\
This is the best result that cargo reduce has found so far. It is not confirmed yet with the plain command.
The run is still going on, or was killed: in that case, run the same command again to continue.
A run that ends with a result deletes this folder.
";
/// A folder that is not yet, and one that is no longer the best.
const NEW: &str = "best-new";
const BEFORE: &str = "best-before";
/// To keep it takes one in so many parts of the time.
const SHARE: u32 = 100;

/// A file of it: its path, relative if it is to stand in the same place, and its content.
pub type BestFile = (Utf8PathBuf, Vec<u8>);

/// The best so far of one search, or of several that follow one another.
#[derive(Debug)]
pub struct BestSoFar {
    results: ResultFolder,
    /// When it may be written again.
    due: Option<Instant>,
    trouble: Option<DiskError>,
}

impl ResultFolder {
    /// The best of a search for a result.
    pub fn best(&self) -> BestSoFar {
        BestSoFar { results: self.clone(), due: None, trouble: None }
    }
}

impl BestSoFar {
    /// Keeps these files in the place of those kept before: the first at once, later ones as often as takes a hundredth
    /// of the time, but the last in any case.
    pub fn keep(&mut self, files: impl FnOnce() -> Vec<BestFile>, is_last: bool) {
        if !is_last && self.due.is_some_and(|due| Instant::now() < due) {
            return;
        }
        let begun = Instant::now();
        if let Err(source) = self.write(&files()) {
            let path = self.folder().into();
            self.trouble.get_or_insert(DiskError { path, source });
        }
        let cost = begun.elapsed().max(Duration::from_micros(1));
        self.due = Instant::now().checked_add(cost * SHARE);
    }

    /// Why it could not be kept, if that was so.
    pub fn trouble(&mut self) -> Option<DiskError> {
        self.trouble.take()
    }

    /// Where it is kept.
    pub fn folder(&self) -> Utf8PathBuf {
        self.results.path().join(FOLDER)
    }

    fn write(&self, files: &[BestFile]) -> io::Result<()> {
        let (folder, new) = (self.folder(), self.results.own(NEW));
        if folder.exists() && !folder.join(NOTE).exists() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        remove(new.as_std_path())?;
        fs::create_dir_all(&new)?;
        fs::write(new.join(NOTE), TEXT)?;
        for (path, content) in files {
            let path = new.join(inside(path));
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::write(path, content)?;
        }
        let before = self.results.own(BEFORE);
        remove(before.as_std_path())?;
        fs::rename(&folder, &before).or_else(unless_gone)?;
        fs::rename(&new, &folder)?;
        remove(before.as_std_path())
    }

    /// Puts back what was to be replaced when the run was killed.
    pub(super) fn settle(&self) -> io::Result<()> {
        let before = self.results.own(BEFORE);
        if before.exists() && !self.folder().exists() {
            fs::rename(before, self.folder())?;
        }
        Ok(())
    }

    /// Removes it.
    pub(super) fn remove(&self) -> io::Result<()> {
        for folder in [self.results.own(NEW), self.results.own(BEFORE)] {
            remove(folder.as_std_path())?;
        }
        if self.folder().join(NOTE).exists() {
            remove(self.folder().as_std_path())?;
        }
        Ok(())
    }
}

/// The path, if it leads to a place in the folder, else the name of the file.
fn inside(path: &Utf8Path) -> &Utf8Path {
    let is_inside = path.components().all(|part| matches!(part, camino::Utf8Component::Normal(_)));
    if is_inside { path } else { Utf8Path::new(path.file_name().unwrap_or("file")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> Vec<BestFile> {
        vec![(name.into(), text.into())]
    }

    fn with_best(check: impl Fn(&ResultFolder, BestSoFar)) {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(folder.path()).unwrap();
        let results = ResultFolder::open(root).unwrap();
        let best = results.best();
        check(&results, best);
    }

    #[test]
    fn the_first_is_kept_at_once_and_others_as_often_as_costs_little() {
        with_best(|_, mut best| {
            let mut written = 0;
            let begun = Instant::now();
            while begun.elapsed() < Duration::from_millis(100) {
                let files = || {
                    written += 1;
                    file("src/a.rs", "x")
                };
                best.keep(files, false);
            }
            assert!((1..1000).contains(&written), "{written}");
            best.keep(|| file("b.rs", "y"), true);
            assert!(best.trouble().is_none());
            assert!(!best.folder().join("src").exists());
            assert_eq!(fs::read(best.folder().join("b.rs")).unwrap(), b"y");
            assert!(best.folder().join(NOTE).exists());
        });
    }

    #[test]
    fn a_kill_while_it_is_replaced_leaves_the_one_before() {
        with_best(|results, mut best| {
            best.keep(|| file("a.rs", "1"), true);
            fs::rename(best.folder(), results.own(BEFORE)).unwrap();
            results.best().settle().unwrap();
            assert!(best.folder().join("a.rs").exists());
        });
    }

    #[test]
    fn a_result_takes_its_place() {
        with_best(|results, mut best| {
            best.keep(|| file("/outside/a.rs", "1"), true);
            assert!(best.folder().join("a.rs").exists());
            results.publish(&results.new_result().unwrap()).unwrap();
            assert!(!best.folder().exists());
        });
    }

    #[test]
    fn a_folder_of_the_users_with_that_name_stays() {
        with_best(|results, mut best| {
            fs::create_dir(best.folder()).unwrap();
            best.keep(|| file("a.rs", "1"), true);
            assert!(best.trouble().is_some() && !best.folder().join("a.rs").exists());
            results.publish(&results.new_result().unwrap()).unwrap();
            assert!(best.folder().exists());
        });
    }
}
