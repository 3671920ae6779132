//! What candidates run in, as it stood before them: the sources of a scratch copy and a program.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, Metadata, Permissions};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use camino::{Utf8Path, Utf8PathBuf};

use super::files::file_error;
use super::scratch::{Ignored, walk};
use super::{Result, Scratch};
use crate::disk::{AnchoredFile, unless_gone};

/// So many bytes of sources are kept, the smallest files first: tests may have large files of data.
const MOST_BYTES: u64 = 64 << 20;

/// Another candidate may still be deleting what is put back; it ends after its time limit at the latest.
const TRIES: u32 = 100;
const PAUSE: Duration = Duration::from_millis(10);

/// The sources of a scratch copy, and a program built there.
#[derive(Debug)]
pub struct Snapshot {
    root: Utf8PathBuf,
    target_dir: Utf8PathBuf,
    /// All files, those that are too large to be kept, too.
    known: BTreeSet<Utf8PathBuf>,
    sources: BTreeMap<Utf8PathBuf, Source>,
    program: Option<Program>,
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

/// A program, and a copy of it without a name, which nobody else can write to.
#[derive(Debug)]
struct Program {
    path: Utf8PathBuf,
    stamp: Stamp,
    copy: File,
}

impl Snapshot {
    /// Keeps the sources of `scratch` and the program at `path`, for all threads that run candidates there.
    ///
    /// # Errors
    /// When something cannot be read.
    pub fn take(scratch: &Scratch, path: &Utf8Path) -> Result<Arc<Self>> {
        let program = Program::keep(path).map_err(|source| file_error("read", path, source))?;
        Ok(Arc::new(Snapshot {
            program: Some(program),
            ..Snapshot::of_sources(scratch.root(), &scratch.target_dir())?
        }))
    }

    /// Keeps what is below `root`, but for the target directory.
    ///
    /// # Errors
    /// When something cannot be read.
    pub fn of_sources(root: &Utf8Path, target_dir: &Utf8Path) -> Result<Self> {
        let mut files = Vec::new();
        let without = [target_dir.to_owned()];
        for path in walk(root, &without, Ignored::Included)? {
            // Only regular files are ours.
            if let Some(metadata) = fs::symlink_metadata(&path).ok().filter(Metadata::is_file) {
                files.push((Stamp::of(&metadata), path));
            }
        }
        let known = files.iter().map(|(_, path)| path.clone()).collect();
        files.sort_by_key(|(stamp, _)| stamp.length);
        let mut left = MOST_BYTES;
        let mut sources = BTreeMap::new();
        for (stamp, path) in files {
            let Some(rest) = left.checked_sub(stamp.length) else { break };
            left = rest;
            let content = fs::read(&path).map_err(|source| file_error("read", &path, source))?;
            sources.insert(path, Source { stamp, content });
        }
        Ok(Snapshot {
            root: root.to_owned(),
            target_dir: target_dir.to_owned(),
            known,
            sources,
            program: None,
            lock: Mutex::default(),
        })
    }

    /// The names and contents of its sources, in a fixed order.
    pub fn parts(&self) -> impl Iterator<Item = &[u8]> {
        self.sources.iter().flat_map(|(path, source)| {
            let name = path.strip_prefix(&self.root).unwrap_or(path);
            [name.as_str().as_bytes(), &source.content[..]]
        })
    }

    /// Writes what is gone or has been written to since, and removes what was not there.
    ///
    /// # Errors
    /// When something cannot be written.
    pub fn restore(&self) -> Result<()> {
        self.restore_where(|path, stamp| !stamp.stands_at(path))
    }

    /// Writes what is gone, and removes what was not there: it must not be built.
    ///
    /// # Errors
    /// When something cannot be written.
    pub fn restore_lost(&self) -> Result<()> {
        self.restore_where(|path, _| !is_file(path))
    }

    fn restore_where(&self, is_damaged: impl Fn(&Utf8Path, &Stamp) -> bool) -> Result<()> {
        let _alone = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        let put_back = |path: &Utf8Path, stamp, put: &dyn Fn(&AnchoredFile) -> io::Result<()>| {
            if !is_damaged(path, stamp) {
                return Ok(());
            }
            let file = self.anchored(path, true);
            file.and_then(|file| put(&file)).map_err(|source| file_error("write", path, source))
        };
        let restore = || {
            for path in walk(&self.root, std::slice::from_ref(&self.target_dir), Ignored::Included)?
            {
                if !self.known.contains(&path) {
                    // Another candidate may have removed it, or its folder.
                    (self.anchored(&path, false))
                        .and_then(|file| file.remove())
                        .or_else(unless_gone)
                        .map_err(|source| file_error("remove", &path, source))?;
                }
            }
            for (path, source) in &self.sources {
                put_back(path, &source.stamp, &|file| source.restore(file))?;
            }
            match &self.program {
                Some(program) => {
                    put_back(&program.path, &program.stamp, &|file| program.restore(file))
                }
                None => Ok(()),
            }
        };
        let mut left = TRIES;
        loop {
            match restore() {
                Err(error) if error.is_for_other_writers() && left > 0 => left -= 1,
                answer => return answer,
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// The place of one of its files, while candidates may be running.
    fn anchored(&self, path: &Utf8Path, makes_folders: bool) -> io::Result<AnchoredFile> {
        AnchoredFile::below(self.root.as_std_path(), path.as_std_path(), makes_folders)
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

    fn stands_at(&self, path: &Utf8Path) -> bool {
        fs::symlink_metadata(path)
            .is_ok_and(|metadata| metadata.is_file() && Stamp::of(&metadata) == *self)
    }
}

/// Whether a regular file stands there, not a link to one.
fn is_file(path: &Utf8Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())
}

impl Source {
    fn restore(&self, file: &AnchoredFile) -> io::Result<()> {
        file.put(&mut self.content.as_slice(), self.stamp.permissions.clone(), None)
    }
}

impl Program {
    fn keep(path: &Utf8Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let mut copy = tempfile::tempfile()?;
        io::copy(&mut file, &mut copy)?;
        Ok(Program { path: path.to_owned(), stamp: Stamp::of(&file.metadata()?), copy })
    }

    /// The program may be started by others at any moment, so it appears whole.
    fn restore(&self, file: &AnchoredFile) -> io::Result<()> {
        let mut copy = &self.copy;
        io::Seek::rewind(&mut copy)?;
        file.put(&mut copy, self.stamp.permissions.clone(), self.stamp.modified)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_gone_or_written_to_comes_back_and_what_is_new_goes() {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(folder.path()).unwrap();
        let program = root.join("target/debug/program");
        let (lost, changed, own) =
            (root.join("src/lost.rs"), root.join("data/changed"), root.join("own"));
        for path in [&program, &lost, &changed] {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
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
        std::os::unix::fs::symlink("/etc", root.join("src")).unwrap();
        fs::create_dir_all(root.join("link/inside")).unwrap();
        std::os::unix::fs::symlink("/etc", root.join("link/there")).unwrap();
        snapshot.restore_lost().unwrap();
        assert!(!own.exists() && !root.join("link/there").exists());
        let text = |path: &Utf8Path| fs::read_to_string(path).unwrap();
        for path in [&program, &lost] {
            assert_eq!(text(path), path.as_str());
        }
        assert_eq!(text(&changed), "other");
        snapshot.restore().unwrap();
        assert_eq!(text(&changed), changed.as_str());
        // A program that was overwritten is put back, too, and so is a file in whose place a folder stands.
        fs::write(&program, "garbage").unwrap();
        fs::remove_file(&lost).unwrap();
        fs::create_dir_all(lost.join("inside")).unwrap();
        snapshot.restore().unwrap();
        assert_eq!(text(&program), program.as_str());
        assert_eq!(text(&lost), lost.as_str());
    }
}
