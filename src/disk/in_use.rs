//! A folder of results is used by one process at a time.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use camino::Utf8Path;

/// What a process that was killed had started ends a little later, and has its lock until then.
const PATIENCE: Duration = Duration::from_secs(2);

/// Whether a process is known to have ended.
fn has_ended(process: u32) -> bool {
    let all = Path::new("/proc");
    all.join("self").exists() && !all.join(process.to_string()).exists()
}

/// A lock on a folder, which the system takes away from a process that ends, however it ends.
#[derive(Debug)]
pub(super) struct InUse {
    file: File,
}

/// Why a folder cannot be used now.
#[derive(Debug)]
pub(super) enum Refused {
    /// This process uses it; one that has not said its number yet is not known.
    By(Option<u32>),
    /// The lock cannot be made.
    Io(io::Error),
}

impl InUse {
    /// Takes the lock in the file at `path`, and notes who has it. Where the file system has no locks, nobody is kept out.
    pub(super) fn take(path: &Utf8Path) -> Result<InUse, Refused> {
        let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
        let opened = folder.and_then(|()| {
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)
        });
        let mut file = opened.map_err(Refused::Io)?;
        let begun = Instant::now();
        while let Err(TryLockError::WouldBlock) = file.try_lock() {
            let mut noted = String::new();
            let _ = file.rewind().and_then(|()| file.read_to_string(&mut noted));
            let process = noted.trim().parse().ok();
            if begun.elapsed() > PATIENCE || !process.is_some_and(has_ended) {
                return Err(Refused::By(process));
            }
            std::thread::sleep(PATIENCE / 40);
        }
        let noted = file
            .rewind()
            .and_then(|()| file.set_len(0))
            .and_then(|()| writeln!(file, "{}", std::process::id()));
        noted.map_err(Refused::Io)?;
        Ok(InUse { file })
    }
}

impl Drop for InUse {
    fn drop(&mut self) {
        // Closing it is not enough: a child that is just being started has it open until it becomes another program.
        let _ = self.file.unlock();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_is_told_who_the_first_is_until_that_ends() {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(folder.path()).unwrap().join("deep/in-use");
        let first = InUse::take(&path).unwrap();
        let second = InUse::take(&path).unwrap_err();
        assert!(matches!(second, Refused::By(Some(id)) if id == std::process::id()), "{second:?}");
        drop(first);
        InUse::take(&path).unwrap();
    }
}
