//! What candidates run in, as it stood before them: the sources of a scratch copy and a program.

use std::collections::BTreeMap;
use std::fs::{self, File, Metadata, Permissions};
use std::io;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use camino::{Utf8Path, Utf8PathBuf};

use super::scratch::{Ignored, create_dir, file_error, walk};
use super::{ProjectError, Scratch};

/// So many bytes of sources are kept, the smallest files first: tests may have large files of data.
const MOST_BYTES: u64 = 64 << 20;

/// Another candidate may still be deleting what is put back; it ends after its time limit at the latest.
const TRIES: u32 = 100;
const PAUSE: Duration = Duration::from_millis(10);

/// The sources of a scratch copy, and a program built there.
#[derive(Debug)]
pub struct Snapshot {
    sources: BTreeMap<Utf8PathBuf, Source>,
    program: Program,
    /// Only one thread puts things back at a time.
    lock: Mutex<()>,
}

#[derive(Debug)]
struct Source {
    stamp: Stamp,
    content: Vec<u8>,
}

/// What shows that nobody has written to a file.
#[derive(Debug, PartialEq)]
struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    permissions: Permissions,
}

/// A program that can be read even when its name is gone.
#[derive(Debug)]
struct Program {
    path: Utf8PathBuf,
    file: File,
}

impl Snapshot {
    /// Keeps the sources of `scratch` and the program at `path`.
    ///
    /// # Errors
    /// When something cannot be read.
    pub fn take(scratch: &Scratch, path: &Utf8Path) -> Result<Self, ProjectError> {
        let mut files = Vec::new();
        for path in walk(scratch.root(), &[scratch.target_dir()], Ignored::Included)? {
            // A dangling link or a pipe is nobody's source.
            if let Some(metadata) = fs::metadata(&path).ok().filter(Metadata::is_file) {
                files.push((Stamp::of(&metadata), path));
            }
        }
        files.sort_by_key(|(stamp, _)| stamp.length);
        let mut left = MOST_BYTES;
        let mut sources = BTreeMap::new();
        for (stamp, path) in files {
            let Some(rest) = left.checked_sub(stamp.length) else {
                break;
            };
            left = rest;
            let content = fs::read(&path).map_err(|source| file_error("read", &path, source))?;
            sources.insert(path, Source { stamp, content });
        }
        let file = File::open(path).map_err(|source| file_error("read", path, source))?;
        let path = path.to_owned();
        Ok(Snapshot {
            sources,
            program: Program { path, file },
            lock: Mutex::default(),
        })
    }

    /// Writes what is gone or has been written to since.
    ///
    /// # Errors
    /// When something cannot be written.
    pub fn restore(&self) -> Result<(), ProjectError> {
        self.restore_where(|path, source| !source.stands_at(path))
    }

    /// Writes what is gone.
    ///
    /// # Errors
    /// When something cannot be written.
    pub fn restore_lost(&self) -> Result<(), ProjectError> {
        self.restore_where(|path, _| !path.exists())
    }

    fn restore_where(
        &self,
        is_damaged: impl Fn(&Utf8Path, &Source) -> bool,
    ) -> Result<(), ProjectError> {
        let _alone = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        let restore = || {
            for (path, source) in &self.sources {
                if is_damaged(path, source) {
                    source.restore(path)?;
                }
            }
            let path = &self.program.path;
            { self.program.restore() }.map_err(|source| file_error("write", path, source))
        };
        let mut left = TRIES;
        loop {
            match restore() {
                Err(error) if error.is_for_missing() && left > 0 => left -= 1,
                answer => return answer,
            }
            std::thread::sleep(PAUSE);
        }
    }
}

impl Stamp {
    fn of(metadata: &Metadata) -> Self {
        Stamp {
            length: metadata.len(),
            modified: metadata.modified().ok(),
            permissions: metadata.permissions(),
        }
    }
}

impl Source {
    fn stands_at(&self, path: &Utf8Path) -> bool {
        fs::metadata(path).is_ok_and(|metadata| Stamp::of(&metadata) == self.stamp)
    }

    fn restore(&self, path: &Utf8Path) -> Result<(), ProjectError> {
        if let Some(folder) = path.parent() {
            create_dir(folder)?;
        }
        // A file that may not be written can still be replaced.
        let write = || -> io::Result<()> {
            crate::disk::write_atomic(path.as_std_path(), &self.content).map_err(|it| it.source)?;
            fs::set_permissions(path, self.stamp.permissions.clone())
        };
        write().map_err(|source| file_error("write", path, source))
    }
}

impl Program {
    /// The program may be started by others at any moment, so it appears whole.
    fn restore(&self) -> io::Result<()> {
        if self.path.exists() {
            return Ok(());
        }
        let folder = self.path.parent().unwrap_or(Utf8Path::new("."));
        fs::create_dir_all(folder)?;
        let copy = tempfile::NamedTempFile::new_in(folder)?;
        let mut from = &self.file;
        io::Seek::rewind(&mut from)?;
        io::copy(&mut from, &mut copy.as_file())?;
        fs::set_permissions(copy.path(), self.file.metadata()?.permissions())?;
        copy.persist(&self.path)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_gone_or_written_to_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(folder.path()).unwrap();
        let program = root.join("target/debug/program");
        let (lost, changed, own) = (
            root.join("src/lost.rs"),
            root.join("data/changed"),
            root.join("own"),
        );
        for path in [&program, &lost, &changed] {
            create_dir(path.parent().unwrap()).unwrap();
            fs::write(path, path.as_str()).unwrap();
        }
        let snapshot = Snapshot::take(&Scratch::at(root), &program).unwrap();
        let written = fs::metadata(&changed).unwrap().modified().unwrap();
        snapshot.restore().unwrap();
        assert_eq!(fs::metadata(&changed).unwrap().modified().unwrap(), written);

        fs::remove_dir_all(root.join("src")).unwrap();
        fs::remove_dir_all(root.join("target")).unwrap();
        fs::write(&changed, "other").unwrap();
        fs::write(&own, "new").unwrap();
        snapshot.restore_lost().unwrap();
        let text = |path: &Utf8Path| fs::read_to_string(path).unwrap();
        for path in [&program, &lost] {
            assert_eq!(text(path), path.as_str());
        }
        assert_eq!(text(&changed), "other");
        snapshot.restore().unwrap();
        assert_eq!(text(&changed), changed.as_str());
        assert_eq!(text(&own), "new");
    }
}
