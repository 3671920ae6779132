//! The folder of a session, in that for temporary files. What killed sessions left there goes with the next one.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;

use tempfile::TempDir;

/// The empty folders in that of a session: those that become private ones, the one where the devices of a cell are put
/// together, and the one for the changes that are thrown away.
pub(super) const PRIVATE_FOLDERS: [&str; 2] = ["tmp", "home"];
pub(super) const DEVICE_FOLDER: &str = "dev";
pub(super) const OVERLAY_FOLDER: &str = "over";

const PREFIX: &str = "cargo-reduce-run-";
/// A file that says that the folder is one of ours.
const MARK: &str = "session";

/// A folder that is gone when this is dropped, or, after a kill, when the next session starts.
#[derive(Debug)]
pub struct OwnFolder {
    folder: TempDir,
    /// The folder, locked as long as the session lives, by the kernel's word, not by the number of a process.
    _lock: File,
}

impl OwnFolder {
    /// Makes a folder in `place` that holds empty folders of these names, and removes those that nobody owns any more.
    ///
    /// # Errors
    /// When it cannot be made; that something else cannot be removed is none.
    pub fn new_in(place: &Path, names: &[&str]) -> io::Result<OwnFolder> {
        remove_leftovers(place);
        let (folder, lock) = loop {
            let folder = TempDir::with_prefix_in(PREFIX, place)?;
            if let Some(lock) = lock_new(folder.path())? {
                break (folder, lock);
            }
        };
        fs::write(folder.path().join(MARK), "")?;
        for name in names {
            fs::create_dir(folder.path().join(name))?;
        }
        Ok(OwnFolder { folder, _lock: lock })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Locks a folder that was just made; `None` if another session has taken it for a leftover in between. Where folders
/// cannot be locked, nobody removes them either.
fn lock_new(folder: &Path) -> io::Result<Option<File>> {
    let lock = match File::open(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    let is_taken = matches!(lock.try_lock(), Err(TryLockError::WouldBlock));
    Ok((!is_taken && folder.is_dir()).then_some(lock))
}

fn remove_leftovers(place: &Path) {
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        let is_named_so = entry.file_name().to_string_lossy().starts_with(PREFIX);
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_named_so && is_folder {
            remove_if_left(&entry.path());
        }
    }
}

/// Removes a folder that nobody holds the lock of. Without the mark, which a session that was killed at once has not
/// made, it goes only if it is empty: it may be anybody's.
fn remove_if_left(folder: &Path) {
    let Ok(lock) = File::open(folder) else { return };
    if lock.try_lock().is_err() {
        return;
    }
    // Those of other users stay.
    let mark = fs::symlink_metadata(folder.join(MARK));
    let _ = if mark.is_ok_and(|mark| mark.is_file()) {
        fs::remove_dir_all(folder)
    } else {
        fs::remove_dir(folder)
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a session leaves that is killed: its folder, without a lock. A process that another test starts just now
    /// has the same lock open until it runs its program, so that dropping it would not be enough.
    fn kill(session: OwnFolder) -> std::path::PathBuf {
        let OwnFolder { folder, _lock: lock } = session;
        lock.unlock().unwrap();
        folder.keep()
    }

    #[test]
    fn what_a_session_has_left_that_was_killed_at_once_goes_too() {
        let place = tempfile::tempdir().unwrap();
        let left = kill(OwnFolder::new_in(place.path(), &[]).unwrap());
        fs::remove_file(left.join(MARK)).unwrap();
        let _next = OwnFolder::new_in(place.path(), &[]).unwrap();
        assert!(!left.exists());
    }

    #[test]
    fn sessions_that_start_at_once_leave_each_other_their_folders() {
        let place = tempfile::tempdir().unwrap();
        let start = || {
            let folders = (0..20).map(|_| OwnFolder::new_in(place.path(), &["inside"]).unwrap());
            let folders: Vec<OwnFolder> = folders.collect();
            assert!(folders.iter().all(|it| it.path().join("inside").is_dir()));
            folders
        };
        let folders: Vec<OwnFolder> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(start)).collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        assert!(folders.iter().all(|it| it.path().join(MARK).is_file()));
    }

    #[test]
    fn folders_that_nobody_owns_go_and_others_stay() {
        let place = tempfile::tempdir().unwrap();
        let make = || OwnFolder::new_in(place.path(), &["inside"]).unwrap();
        let (mine, killed) = (make(), make());
        let somebodys = place.path().join("cargo-reduce-run-of-somebody");
        fs::create_dir(&somebodys).unwrap();
        fs::write(somebodys.join("notes"), "precious").unwrap();
        assert!(killed.path().join("inside").is_dir());
        let left = kill(killed);
        let next = make();
        assert!(!left.exists());
        for stays in [mine.path(), next.path(), &somebodys] {
            assert!(stays.exists(), "{}", stays.display());
        }
        let gone = mine.path().to_owned();
        drop(mine);
        assert!(!gone.exists());
    }
}
