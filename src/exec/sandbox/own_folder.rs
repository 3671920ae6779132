//! The folder of a session, in that for temporary files. What killed sessions left there goes with the next one.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use tempfile::TempDir;

const PREFIX: &str = "cargo-reduce-";
/// A file that is locked as long as the session lives, by the kernel's word, not by the number of a process.
const OWNER: &str = "owner";

/// A folder that is gone when this is dropped, or, after a kill, when the next session starts.
#[derive(Debug)]
pub struct OwnFolder {
    folder: TempDir,
    _owner: File,
}

impl OwnFolder {
    /// Makes a folder in `place` that holds empty folders of these names, and removes those that nobody owns any more.
    ///
    /// # Errors
    /// When it cannot be made; that something else cannot be removed is none.
    pub fn new_in(place: &Path, names: &[&str]) -> io::Result<OwnFolder> {
        remove_leftovers(place);
        let folder = TempDir::with_prefix_in(PREFIX, place)?;
        for name in names {
            fs::create_dir(folder.path().join(name))?;
        }
        // Nobody sees the file before it is locked. Where files cannot be locked, nobody removes the folder.
        let path = folder.path().join(OWNER);
        let unlocked = path.with_extension("new");
        let owner = File::create_new(&unlocked)?;
        if owner.try_lock().is_ok() {
            fs::rename(unlocked, path)?;
        }
        Ok(OwnFolder {
            folder,
            _owner: owner,
        })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

fn remove_leftovers(place: &Path) {
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        let is_named_so = entry.file_name().to_string_lossy().starts_with(PREFIX);
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_named_so && is_folder && is_left(&entry.path().join(OWNER)) {
            // Those of other users stay.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Whether nobody holds the lock of that file.
fn is_left(owner: &Path) -> bool {
    let is_file = fs::symlink_metadata(owner).is_ok_and(|it| it.is_file());
    is_file && File::open(owner).is_ok_and(|file| file.try_lock().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_that_nobody_owns_go_and_others_stay() {
        let place = tempfile::tempdir().unwrap();
        let make = || OwnFolder::new_in(place.path(), &["inside"]).unwrap();
        let (mine, killed) = (make(), make());
        fs::create_dir(place.path().join("cargo-reduce-of-somebody")).unwrap();
        assert!(killed.path().join("inside").is_dir());
        let OwnFolder {
            folder,
            _owner: lock,
        } = killed;
        let left = folder.keep();
        drop(lock);
        let next = make();
        assert!(!left.exists());
        for stays in [
            mine.path(),
            next.path(),
            &place.path().join("cargo-reduce-of-somebody"),
        ] {
            assert!(stays.exists(), "{}", stays.display());
        }
        let gone = mine.path().to_owned();
        drop(mine);
        assert!(!gone.exists());
    }
}
