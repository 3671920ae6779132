//! Paths below a folder into which programs write that we do not trust.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Component, Path};

use super::write::unless_gone;

/// Sees to it that `path`, below `root`, can be written to as a regular file without leaving `root`: what stands in the
/// way of it, a link or a file in the place of a folder, a folder or a link in the place of the file, is removed.
/// `root` itself may lie behind links.
///
/// # Errors
/// When `path` is not below `root`, or something cannot be looked at or removed.
pub fn clear_way(root: &Path, path: &Path) -> io::Result<()> {
    let names = names_below(root, path)?;
    let mut here = root.to_owned();
    let mut names = names.iter().peekable();
    while let Some(name) = names.next() {
        here.push(name);
        let kind = match fs::symlink_metadata(&here) {
            Ok(metadata) => metadata.file_type(),
            // What is below it is not there either.
            Err(error) => return unless_gone(error),
        };
        let is_last = names.peek().is_none();
        if if is_last { kind.is_file() } else { kind.is_dir() } {
            continue;
        }
        return remove(&here);
    }
    Ok(())
}

/// The names of the folders from `root` to `path`, and its own.
///
/// # Errors
/// When `path` is not below `root`.
pub(super) fn names_below<'p>(root: &Path, path: &'p Path) -> io::Result<Vec<&'p OsStr>> {
    let names = path.strip_prefix(root).ok().and_then(|relative| {
        let names = relative.components().map(|part| match part {
            Component::Normal(name) => Some(name),
            _ => None,
        });
        names.collect()
    });
    names.ok_or_else(leads_out)
}

/// That a path is not below a folder.
pub(super) fn leads_out() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "the path leads out of the folder")
}

/// Removes whatever has that name: a link, not what it leads to; a folder with all that is in it.
///
/// # Errors
/// When it cannot be removed; that it is not there is none.
pub fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    }
    .or_else(unless_gone)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_on_the_way_are_removed_and_what_they_lead_to_stays() {
        let folder = tempfile::tempdir().unwrap();
        let (root, victim) = (folder.path().join("root"), folder.path().join("victim"));
        fs::create_dir_all(root.join("a")).unwrap();
        fs::create_dir(&victim).unwrap();
        fs::write(victim.join("file"), "precious").unwrap();
        symlink(&victim, root.join("a/b")).unwrap();
        symlink(victim.join("file"), root.join("a/file")).unwrap();
        clear_way(&root, &root.join("a/b/file")).unwrap();
        clear_way(&root, &root.join("a/file")).unwrap();
        assert_eq!(fs::read_dir(root.join("a")).unwrap().count(), 0);
        assert_eq!(fs::read(victim.join("file")).unwrap(), b"precious");
    }

    #[test]
    fn folders_and_files_in_each_others_places_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("file/inside")).unwrap();
        fs::write(root.join("folder"), "x").unwrap();
        clear_way(root, &root.join("file")).unwrap();
        clear_way(root, &root.join("folder/inside")).unwrap();
        assert_eq!(fs::read_dir(root).unwrap().count(), 0);
        fs::write(root.join("kept"), "x").unwrap();
        clear_way(root, &root.join("kept")).unwrap();
        assert!(root.join("kept").exists());
        assert!(clear_way(root, Path::new("/etc/passwd")).is_err());
        assert!(clear_way(root, &root.join("../other")).is_err());
    }
}
