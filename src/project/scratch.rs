//! The scratch copy: the workspace's sources below the target directory, with a target directory of
//! its own that is primed with what is already built.
//!
//! Cargo names artifacts by paths relative to the workspace root, so a copy of a workspace has the
//! same file names as the original, and it judges freshness by modification times. Hence:
//! * the copy never shares the original's target directory; artifacts are linked or copied into its
//!   own, times kept, so that cargo finds them fresh and builds only what we change;
//! * files of the first copy keep their times; whatever is written later gets the present time, so
//!   that an earlier candidate's artifact is never taken for the present one's.

use std::collections::BTreeSet;
use std::fs::{self, File, FileTimes};
use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use ignore::WalkBuilder;
use toml_edit::{DocumentMut, Item, TableLike};

use super::files::{clear, create_dir, file_error};
use super::{Built, ProjectError, Result, Workspace};
use crate::disk::{self, ResultFolder, holds_result, write_atomic};

/// A copy of a workspace in which everything may be changed.
#[derive(Debug, Clone)]
pub struct Scratch {
    original_root: Utf8PathBuf,
    root: Utf8PathBuf,
}

impl Scratch {
    /// Copies the workspace to a folder of that name beside the results (or brings an earlier copy up to date) and
    /// primes its target directory with what `built` names.
    ///
    /// # Errors
    /// When something cannot be read or written.
    pub fn create(
        workspace: &Workspace,
        results: &ResultFolder,
        name: &str,
        built: &Built,
    ) -> Result<Self> {
        let scratch =
            Scratch { original_root: workspace.root().to_owned(), root: results.own(name) };
        let first = !scratch.target_dir().exists();
        // A candidate may have left a link, or a file, in the place of a folder.
        clear(&scratch.root, &scratch.target_dir().join("x"))?;
        create_dir(&scratch.target_dir())?;
        let mut copied = BTreeSet::new();
        for path in sources(workspace, results.path())? {
            if let Some(target) = scratch.path_of(&path) {
                sync(&path, &scratch.root, &target, first)?;
                copied.insert(target);
            }
        }
        scratch.remove_others(&copied)?;
        scratch.write_manifests(&copied, first)?;
        scratch.prime(workspace, built)?;
        Ok(scratch)
    }

    /// The copy that stands in a folder, whatever it was made of.
    #[cfg(test)]
    pub(super) fn at(root: &Utf8Path) -> Self {
        Scratch { original_root: root.to_owned(), root: root.to_owned() }
    }

    /// The copy's root.
    pub fn root(&self) -> &Utf8Path {
        &self.root
    }

    /// The copy's own target directory.
    pub fn target_dir(&self) -> Utf8PathBuf {
        self.root.join("target")
    }

    /// Where a file of the workspace stands in the copy; `None` when it is not of the workspace.
    pub fn path_of(&self, original: &Utf8Path) -> Option<Utf8PathBuf> {
        Some(self.root.join(original.strip_prefix(&self.original_root).ok()?))
    }

    /// As [`Scratch::path_of`], of any path.
    pub fn copy_of(&self, original: &std::path::Path) -> Option<Utf8PathBuf> {
        self.path_of(Utf8Path::from_path(original)?)
    }

    /// Which file of the workspace a file of the copy stands for.
    pub fn original_of(&self, copy: &Utf8Path) -> Option<Utf8PathBuf> {
        Some(self.original_root.join(copy.strip_prefix(&self.root).ok()?))
    }

    /// Writes a file of the copy, unless it has that content already.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, path: &Utf8Path, content: &[u8]) -> Result<()> {
        clear(&self.root, path)?;
        write_changed(path, content).map(drop)
    }

    /// Writes a result into the copy, whole or not at all.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_result(&self, path: &Utf8Path, content: &[u8]) -> Result<()> {
        clear(&self.root, path)?;
        Ok(write_atomic(path.as_std_path(), content)?)
    }

    /// Gives a file of the copy, if it is there, the present time: cargo compiles it again.
    ///
    /// # Errors
    /// When its time cannot be changed.
    pub fn touch(&self, path: &Utf8Path) -> Result<()> {
        clear(&self.root, path)?;
        let now = FileTimes::new().set_modified(std::time::SystemTime::now());
        match File::options().append(true).open(path) {
            Err(source) if source.kind() == io::ErrorKind::NotFound => Ok(()),
            file => file
                .and_then(|file| file.set_times(now))
                .map_err(|source| file_error("write", path, source)),
        }
    }

    /// The files below a folder of the copy, but for those of other packages in it and their own target
    /// directories; relative to the root of the copy.
    ///
    /// # Errors
    /// When a folder cannot be read.
    pub fn files_of(&self, folder: &Utf8Path) -> Result<Vec<Utf8PathBuf>> {
        let folder = self.root.join(folder);
        let without = [self.target_dir(), folder.join("target")];
        let all = walk(&folder, &without, Ignored::Included)?;
        let is_manifest = |path: &&Utf8PathBuf| path.file_name() == Some("Cargo.toml");
        let packages = all.iter().filter(is_manifest).filter_map(|manifest| manifest.parent());
        let others: Vec<&Utf8Path> = packages.filter(|package| *package != folder).collect();
        let is_own = |path: &&Utf8PathBuf| !others.iter().any(|other| path.starts_with(other));
        let own = all.iter().filter(is_own);
        let relative = own.filter_map(|path| path.strip_prefix(&self.root).ok());
        Ok(relative.map(Utf8Path::to_owned).collect())
    }

    /// Removes what stands at a path of the copy, if anything does.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove(&self, path: &Utf8Path) -> Result<()> {
        clear(&self.root, path)?;
        disk::remove(path.as_std_path()).map_err(|source| file_error("remove", path, source))
    }

    /// Removes what an earlier run left in the copy and the workspace no longer has.
    fn remove_others(&self, kept: &BTreeSet<Utf8PathBuf>) -> Result<()> {
        for path in walk(&self.root, &[self.target_dir()], Ignored::Included)? {
            if !kept.contains(&path) {
                self.remove(&path)?;
            }
        }
        Ok(())
    }

    /// Makes the copy a workspace of its own whose dependencies outside it are still found.
    fn write_manifests(&self, copied: &BTreeSet<Utf8PathBuf>, first: bool) -> Result<()> {
        for path in copied.iter().filter(|path| path.file_name() == Some("Cargo.toml")) {
            let Some(original) = self.original_of(path) else { continue };
            let folder = original.parent().unwrap_or(&self.original_root);
            let absolute = |path: &str| absolute_outside(&folder.join(path), &self.original_root);
            let text = edited_manifest(&original, |document| {
                let changed = change_paths(document.as_table_mut(), &absolute);
                let is_root = folder == self.original_root && !document.contains_key("workspace");
                if is_root {
                    document.insert("workspace", toml_edit::table());
                }
                changed || is_root
            })?;
            let Some(text) = text else { continue };
            self.write(path, text.as_bytes())?;
            if first {
                keep_time(&original, path)?;
            }
        }
        Ok(())
    }
}

/// The files of the workspace that version control does not ignore, but for those of the folder of the results.
fn sources(workspace: &Workspace, results: &Utf8Path) -> Result<Vec<Utf8PathBuf>> {
    let mut files = walk(
        workspace.root(),
        &[workspace.target_directory(), results.to_owned(), workspace.root().join("target")],
        Ignored::LeftOut,
    )?;
    // A lock file that is ignored still decides which versions are built.
    let lock = workspace.root().join("Cargo.lock");
    if lock.exists() {
        files.push(lock);
    }
    if results.starts_with(workspace.root()) {
        // Cargo reads the configuration of all folders above; a second copy would apply it twice.
        files.retain(|file| {
            !file.strip_prefix(workspace.root()).is_ok_and(|path| path.starts_with(".cargo"))
        });
    }
    Ok(files)
}

/// What becomes of files that version control ignores.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Ignored {
    /// They are files as any others, in a folder of ours: links and all that is no folder are told as well, to be
    /// removed where they do not belong.
    Included,
    /// They are left out, in a folder of the user's, and so is what has no content (pipes, sockets, devices), and what was
    /// made of sources.
    LeftOut,
}

pub(super) fn walk(
    root: &Utf8Path,
    without: &[Utf8PathBuf],
    ignored: Ignored,
) -> Result<Vec<Utf8PathBuf>> {
    let without = without.to_vec();
    let walker = WalkBuilder::new(root)
        .standard_filters(ignored == Ignored::LeftOut)
        .hidden(false)
        .filter_entry(move |entry| {
            let skip = |folder: &Utf8PathBuf| entry.path() == folder.as_std_path();
            // What cargo has built, and our other results, are nobody's sources.
            let is_output = ignored == Ignored::LeftOut
                && entry.depth() > 0
                && (entry.path().join("CACHEDIR.TAG").is_file() || holds_result(entry.path()));
            entry.file_name() != ".git" && !without.iter().any(skip) && !is_output
        })
        .build();
    let mut files = Vec::new();
    for entry in walker {
        let entry = entry.map_err(|error| {
            let source = error.into_io_error().unwrap_or_else(|| io::Error::other("cannot walk"));
            file_error("read", root, source)
        })?;
        let is_wanted = match ignored {
            Ignored::Included => entry.file_type().is_none_or(|kind| !kind.is_dir()),
            // A link counts as what it leads to.
            Ignored::LeftOut => entry.path().is_file(),
        };
        if !is_wanted {
            continue;
        }
        let path = Utf8PathBuf::from_path_buf(entry.into_path())
            .map_err(|path| ProjectError::NotUtf8(path.display().to_string()))?;
        files.push(path);
    }
    files.sort();
    Ok(files)
}

/// Writes a file, unless it has that content already, and tells whether it did.
fn write_changed(path: &Utf8Path, content: &[u8]) -> Result<bool> {
    if fs::read(path).is_ok_and(|present| present == content) {
        return Ok(false);
    }
    if let Some(folder) = path.parent() {
        create_dir(folder)?;
    }
    fs::write(path, content).map_err(|source| file_error("write", path, source))?;
    Ok(true)
}

/// Copies a file to `to`, below `root`.
pub(super) fn sync(from: &Utf8Path, root: &Utf8Path, to: &Utf8Path, first: bool) -> Result<()> {
    // To open a pipe would wait for somebody to write to it; a dangling link is nobody's source.
    if !from.is_file() {
        return Ok(());
    }
    clear(root, to)?;
    let content = match fs::read(from) {
        Ok(content) => content,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(file_error("read", from, error)),
    };
    if !write_changed(to, &content)? {
        return Ok(());
    }
    if let Ok(metadata) = fs::metadata(from) {
        fs::set_permissions(to, writable(metadata.permissions()))
            .map_err(|source| file_error("write", to, source))?;
    }
    if first { keep_time(from, to) } else { Ok(()) }
}

/// A read-only original still gives a copy we can change.
#[allow(clippy::permissions_set_readonly_false, reason = "unix modes are set exactly below")]
fn writable(mut permissions: fs::Permissions) -> fs::Permissions {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        permissions.set_mode(permissions.mode() | 0o600);
    }
    #[cfg(not(unix))]
    permissions.set_readonly(false);
    permissions
}

pub(super) fn keep_time(from: &Utf8Path, to: &Utf8Path) -> Result<()> {
    let keep = || -> io::Result<()> {
        let modified = fs::metadata(from)?.modified()?;
        File::options().append(true).open(to)?.set_times(FileTimes::new().set_modified(modified))
    };
    keep().map_err(|source| file_error("copy", from, source))
}

/// The text of a manifest after an edit, if `edit` says that it changed something.
pub(super) fn edited_manifest(
    path: &Utf8Path,
    edit: impl FnOnce(&mut DocumentMut) -> bool,
) -> Result<Option<String>> {
    let text = fs::read_to_string(path).map_err(|source| file_error("read", path, source))?;
    let Ok(mut document) = text.parse::<DocumentMut>() else { return Ok(None) };
    Ok(edit(&mut document).then(|| document.to_string()))
}

/// Gives every `path = "…"` the value that `new` has for it, if it has one. Returns whether there was one.
pub(super) fn change_paths(
    table: &mut dyn TableLike,
    new: &dyn Fn(&str) -> Option<Utf8PathBuf>,
) -> bool {
    let mut changed = false;
    for (key, item) in table.iter_mut() {
        if let Some(path) = item.as_str().filter(|_| key == "path") {
            if let Some(path) = new(path) {
                *item = toml_edit::value(path.as_str());
                changed = true;
            }
        } else if let Some(inner) = item.as_table_like_mut() {
            changed |= change_paths(inner, new);
        } else if let Item::ArrayOfTables(tables) = item {
            for inner in tables.iter_mut() {
                changed |= change_paths(inner, new);
            }
        }
    }
    changed
}

/// The absolute form of a path that leads out of `root`.
pub(super) fn absolute_outside(path: &Utf8Path, root: &Utf8Path) -> Option<Utf8PathBuf> {
    path.canonicalize_utf8().ok().filter(|path| !path.starts_with(root))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_made_of_the_sources_is_not_copied() {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(folder.path()).unwrap();
        let write = |path: &str| {
            let path = root.join(path);
            create_dir(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        };
        let sources = ["src/lib.rs", "tests/data/a.txt"];
        sources.into_iter().for_each(write);
        // A result of ours, a target directory under another name, and the workspace itself as a result.
        ["out/src/lib.rs", "out/target/cargo-reduce/written"].into_iter().for_each(write);
        ["built/CACHEDIR.TAG", "built/debug/a.d"].into_iter().for_each(write);
        ["target/cargo-reduce/written"].into_iter().for_each(write);
        let found = walk(root, &[root.join("target")], Ignored::LeftOut).unwrap();
        assert_eq!(found, sources.map(|path| root.join(path)));
    }
}
