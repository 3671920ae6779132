//! Files below a folder into which untrusted programs write at the same time.

use std::ffi::OsString;
use std::fs::{File, FileTimes, Permissions};
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use nix::errno::Errno;
use nix::fcntl::{OFlag, open, openat};
use nix::sys::stat::{Mode, mkdirat};

use super::way::{leads_out, names_below, remove};

/// What opens a folder only to name what is in it.
#[cfg(target_os = "linux")]
const ONLY_NAMES: OFlag = OFlag::O_PATH;
#[cfg(not(target_os = "linux"))]
const ONLY_NAMES: OFlag = OFlag::O_RDONLY;

/// The place of a file. Its folder is held open, and was reached from the root without following a link; so whatever a
/// program puts in the place of a folder afterwards, nothing outside of the root is touched.
#[derive(Debug)]
pub struct AnchoredFile {
    folder: OwnedFd,
    name: OsString,
}

impl AnchoredFile {
    /// The place of `path`, below `root`, which itself may lie behind links. Missing folders are made if `makes_folders`,
    /// and what stands in the place of one, a link or a file, is removed then.
    ///
    /// # Errors
    /// When `path` is not below `root`, or a folder on the way cannot be opened or made.
    pub fn below(root: &Path, path: &Path, makes_folders: bool) -> io::Result<Self> {
        let names = names_below(root, path)?;
        let (name, folders) = names.split_last().ok_or_else(leads_out)?;
        let mut folder = open(root, ONLY_NAMES | OFlag::O_DIRECTORY, Mode::empty())?;
        for name in folders {
            let inner = AnchoredFile { folder, name: name.into() };
            folder = match inner.open_folder() {
                Err(Errno::ENOENT | Errno::ENOTDIR | Errno::ELOOP) if makes_folders => {
                    remove(&inner.path())?;
                    mkdirat(
                        &inner.folder,
                        inner.name.as_os_str(),
                        Mode::from_bits_truncate(0o777),
                    )?;
                    inner.open_folder()?
                }
                opened => opened?,
            };
        }
        Ok(AnchoredFile { folder, name: name.into() })
    }

    fn open_folder(&self) -> nix::Result<OwnedFd> {
        let flags = ONLY_NAMES | OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
        openat(&self.folder, self.name.as_os_str(), flags, Mode::empty())
    }

    /// A path that leads there as long as the place lives; its last part may be a link.
    pub fn path(&self) -> PathBuf {
        path_of(&self.folder).join(&self.name)
    }

    /// Puts a file there, whole or not at all, in the place of whatever has its name; `modified` is its time, if it
    /// must not be the present one.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn put(
        &self,
        content: &mut dyn Read,
        permissions: Permissions,
        modified: Option<SystemTime>,
    ) -> io::Result<()> {
        let path = self.path();
        let folder = path.parent().unwrap_or(&path);
        let fresh = tempfile::Builder::new().prefix(".cargo-reduce-").tempfile_in(folder)?;
        let mut file: &File = fresh.as_file();
        io::copy(content, &mut file)?;
        file.set_permissions(permissions)?;
        if let Some(modified) = modified {
            file.set_times(FileTimes::new().set_modified(modified))?;
        }
        if path.symlink_metadata().is_ok_and(|there| there.is_dir()) {
            remove(&path)?;
        }
        fresh.persist(&path).map_err(|error| error.error)?;
        Ok(())
    }

    /// Removes what stands there, if anything does: a link, not what it leads to.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove(&self) -> io::Result<()> {
        remove(&self.path())
    }
}

/// A path that leads to an open folder, wherever that is by now.
#[cfg(target_os = "linux")]
fn path_of(folder: &OwnedFd) -> PathBuf {
    use std::os::fd::AsRawFd;
    PathBuf::from(format!("/proc/self/fd/{}", folder.as_raw_fd()))
}

/// The path of an open folder, as the system knows it now; an empty one, below which there is nothing, where it is gone.
#[cfg(not(target_os = "linux"))]
fn path_of(folder: &OwnedFd) -> PathBuf {
    let mut path = PathBuf::new();
    let _ = nix::fcntl::fcntl(folder, nix::fcntl::FcntlArg::F_GETPATH(&mut path));
    path
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn permissions() -> Permissions {
        Permissions::from_mode(0o640)
    }

    #[test]
    fn a_link_that_takes_the_place_of_the_folder_leads_nowhere() {
        let folder = tempfile::tempdir().unwrap();
        let (root, victim) = (folder.path().join("root"), folder.path().join("victim"));
        fs::create_dir_all(root.join("src")).unwrap();
        fs::create_dir(&victim).unwrap();
        let file = AnchoredFile::below(&root, &root.join("src/lib.rs"), true).unwrap();
        // What a candidate does between the look and the writing.
        fs::rename(root.join("src"), root.join("aside")).unwrap();
        symlink(&victim, root.join("src")).unwrap();
        file.put(&mut &b"ours"[..], permissions(), None).unwrap();
        assert_eq!(fs::read_dir(&victim).unwrap().count(), 0);
        assert_eq!(fs::read(root.join("aside/lib.rs")).unwrap(), b"ours");
        file.remove().unwrap();
        assert!(!root.join("aside/lib.rs").exists());
    }

    #[test]
    fn links_and_files_in_the_place_of_folders_give_way_and_what_they_lead_to_stays() {
        let folder = tempfile::tempdir().unwrap();
        let (root, victim) = (folder.path().join("root"), folder.path().join("victim"));
        fs::create_dir_all(root.join("b")).unwrap();
        fs::create_dir(&victim).unwrap();
        fs::write(victim.join("f"), "precious").unwrap();
        symlink(&victim, root.join("a")).unwrap();
        symlink(victim.join("f"), root.join("b/f")).unwrap();
        fs::write(root.join("c"), "x").unwrap();
        fs::create_dir_all(root.join("d/f/inside")).unwrap();
        assert!(AnchoredFile::below(&root, &root.join("a/f"), false).is_err());
        for name in ["a/f", "b/f", "c/f", "d/f", "e/e/f"] {
            let file = AnchoredFile::below(&root, &root.join(name), true).unwrap();
            file.put(&mut &b"ours"[..], permissions(), None).unwrap();
            let there = root.join(name).symlink_metadata().unwrap();
            assert!(there.is_file() && there.permissions().mode() & 0o777 == 0o640);
        }
        assert_eq!(fs::read(victim.join("f")).unwrap(), b"precious");
        assert_eq!(fs::read_dir(&victim).unwrap().count(), 1);
    }

    #[test]
    fn paths_that_lead_out_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for path in [root.join("../other"), "/etc/passwd".into(), root.to_owned()] {
            assert!(AnchoredFile::below(root, &path, true).is_err(), "{path:?}");
        }
    }
}
