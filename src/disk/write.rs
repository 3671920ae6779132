//! One file written, whole or not at all.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file that could not be written; what was there before is still there.
#[derive(Debug, thiserror::Error)]
#[error("cannot write `{}`{}", path.display(), because(source))]
pub struct DiskError {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub source: io::Error,
}

/// Writes a file so that at every moment, and after a kill at any moment, it has its old content or
/// its new one. Folders on the way are made, a symbolic link is followed, and the permissions of an
/// existing file stay.
///
/// # Errors
/// When the disk is full, read-only or otherwise refuses.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<(), DiskError> {
    replace(path, bytes).map_err(|source| DiskError { path: path.to_owned(), source })
}

/// Writes a file of which nobody else needs anything, and makes the folders on the way.
///
/// # Errors
/// As [`write_atomic`].
pub fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, bytes)
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = match path.canonicalize() {
        Ok(target) => target,
        Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_owned(),
        Err(error) => return Err(error),
    };
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    std::fs::create_dir_all(folder)?;
    // In the same folder, since a file system can only rename within itself.
    let mut builder = tempfile::Builder::new();
    builder.prefix(".cargo-reduce-");
    let permissions = target.metadata().map(|it| it.permissions()).ok();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    file.as_file().sync_all()?;
    file.persist(&target).map_err(|error| error.error)?;
    // The name is on disk when its folder is; where a folder cannot be opened, that is all we can do.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

fn because(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull => ": the disk is full",
        io::ErrorKind::QuotaExceeded => ": the disk quota is used up",
        io::ErrorKind::ReadOnlyFilesystem => ": the file system is read-only",
        io::ErrorKind::PermissionDenied => ": permission denied",
        _ => "",
    }
}

/// For what is to be removed: that it is not there is no error.
///
/// # Errors
/// All others.
pub fn unless_gone(error: io::Error) -> io::Result<()> {
    if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        write_atomic(&path, b"one").unwrap();
        write_atomic(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(names(folder.path()), ["a"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        std::fs::write(&real, "old").unwrap();
        std::fs::set_permissions(&real, PermissionsExt::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        write_atomic(&link, b"new").unwrap();
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert_eq!(std::fs::read(&real).unwrap(), b"new");
        assert_eq!(real.metadata().unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[test]
    fn what_cannot_be_written_is_named_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "old").unwrap();
        let error = write_atomic(&file.join("below"), b"x").unwrap_err();
        assert!(error.to_string().contains("below"), "{error}");
        assert!(write_atomic(folder.path(), b"x").is_err());
        assert_eq!(std::fs::read(&file).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[test]
    fn a_full_disk_is_called_so() {
        let error = DiskError { path: "a".into(), source: io::ErrorKind::StorageFull.into() };
        assert_eq!(error.to_string(), "cannot write `a`: the disk is full");
    }

    #[test]
    fn the_example_of_write_atomic_holds() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("results/minimal.rs");
        crate::disk::write_atomic(&path, b"fn main() {}\n")?;
        assert_eq!(std::fs::read(path)?, b"fn main() {}\n");
        Ok(())
    }
}
