//! The file system of a cell, prepared so that it can be set up by system calls alone.

use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use super::own_folder::{DEVICE_FOLDER, OVERLAY_FOLDER, PRIVATE_FOLDERS};

/// Where sockets of services are; so many entries are looked at.
const RUN: &str = "/run";
const MOST_ENTRIES: usize = 20_000;

/// How much can be written to each private folder, and to all discarded ones together.
const DISK_BYTES: u64 = 1 << 30;

/// So many files can be made in a private folder.
const MOST_FILES: u32 = 200_000;

/// Devices that programs use, and no harm done.
const DEVICES: [&str; 6] = ["null", "zero", "full", "random", "urandom", "tty"];

/// What a cell looks like from inside.
#[derive(Debug, Clone)]
pub(super) struct Ground {
    /// Below these files and folders changes stay.
    pub(super) kept: Vec<PathBuf>,
    /// Below these folders changes are thrown away.
    pub(super) discarded: Vec<PathBuf>,
    /// The folder of the session: it holds empty folders that become private ones, are for the devices and for the changes
    /// that are thrown away; below it are sockets of ours, which candidates connect to.
    pub(super) folder: PathBuf,
    /// Whether there is a loopback.
    pub(super) loopback: bool,
}

/// What is mounted in a cell.
#[derive(Debug)]
pub(super) struct Mounts {
    /// Files and folders that stay writable.
    pub(super) kept: Vec<CString>,
    /// Sockets of services, which are covered: to connect to one needs no right to write.
    pub(super) covered: Vec<CString>,
    /// Devices: where they stand, and where the cell's own folder of devices has them.
    pub(super) devices: Vec<(CString, CString)>,
    /// Links of the folder of devices: what they say, and where they stand.
    pub(super) links: Vec<(CString, CString)>,
    /// The folder of devices, and folders in it: for terminals and for shared memory.
    pub(super) device_folder: CString,
    pub(super) terminals: CString,
    pub(super) shared_memory: CString,
    /// Private folders, `/dev/shm` among them: they are emptied after each candidate.
    pub(super) temporary: Vec<CString>,
    /// The options of the private folders.
    pub(super) private: CString,
    /// Folders whose changes are thrown away, and the folder for these changes.
    pub(super) overlays: Vec<Overlay>,
    pub(super) overlay_folder: CString,
    /// Whether there is a loopback.
    pub(super) loopback: bool,
}

/// A folder whose changes are kept apart from it.
#[derive(Debug)]
pub(super) struct Overlay {
    pub(super) target: CString,
    pub(super) options: CString,
    /// The folder of changes, and what is in it: the changes and a folder for the kernel's own use.
    pub(super) folders: [CString; 3],
}

impl Mounts {
    /// The mounts of a cell that looks like this.
    pub(super) fn of(ground: &Ground) -> io::Result<Mounts> {
        let [folder, overlay_folder] =
            [DEVICE_FOLDER, OVERLAY_FOLDER].map(|name| ground.folder.join(name));
        let sockets = sockets(&ground.folder);
        let devices = DEVICES.into_iter().map(|name| {
            let device = Path::new("/dev").join(name);
            Ok((text(&device)?, text(&folder.join(name))?))
        });
        let links = [
            ("/proc/self/fd", "fd"),
            ("/proc/self/fd/0", "stdin"),
            ("/proc/self/fd/1", "stdout"),
            ("/proc/self/fd/2", "stderr"),
            ("pts/ptmx", "ptmx"),
        ];
        let links = links
            .into_iter()
            .map(|(says, name)| Ok((text(Path::new(says))?, text(&folder.join(name))?)));
        let temporary = PRIVATE_FOLDERS.iter().map(|name| text(&ground.folder.join(name)));
        let overlays = ground.discarded.iter().enumerate();
        let overlays = overlays
            .map(|(index, target)| Overlay::of(target, &overlay_folder.join(index.to_string())));
        let private = format!("size={DISK_BYTES},nr_inodes={MOST_FILES},mode=0700");
        Ok(Mounts {
            kept: ground.kept.iter().map(|path| text(path)).collect::<io::Result<_>>()?,
            covered: sockets.iter().map(|path| text(path)).collect::<io::Result<_>>()?,
            devices: devices.collect::<io::Result<_>>()?,
            links: links.collect::<io::Result<_>>()?,
            device_folder: text(&folder)?,
            terminals: text(&folder.join("pts"))?,
            shared_memory: text(&folder.join("shm"))?,
            temporary: temporary.chain([Ok(c"/dev/shm".to_owned())]).collect::<io::Result<_>>()?,
            private: CString::new(private)?,
            overlays: overlays.collect::<io::Result<_>>()?,
            overlay_folder: text(&overlay_folder)?,
            loopback: ground.loopback,
        })
    }
}

impl Overlay {
    fn of(target: &Path, folder: &Path) -> io::Result<Overlay> {
        let (changes, work) = (folder.join("changes"), folder.join("work"));
        let mut options = b"userxattr,lowerdir=".to_vec();
        options.extend(escaped(target));
        for (name, path) in [(",upperdir=", &changes), (",workdir=", &work)] {
            options.extend(name.as_bytes());
            options.extend(escaped(path));
        }
        Ok(Overlay {
            target: text(target)?,
            options: CString::new(options)?,
            folders: [text(folder)?, text(&changes)?, text(&work)?],
        })
    }
}

/// A path among the options of an overlay, where commas and colons separate.
fn escaped(path: &Path) -> Vec<u8> {
    let bytes = path.as_os_str().as_bytes().iter();
    bytes
        .flat_map(|byte| match byte {
            b',' | b':' | b'\\' => vec![b'\\', *byte],
            _ => vec![*byte],
        })
        .collect()
}

fn text(path: &Path) -> io::Result<CString> {
    Ok(CString::new(path.as_os_str().as_bytes())?)
}

/// Sockets of services: those that have a path in our network namespace, and those below `/run`, which may be of
/// the host that a container runs on; but none below `own`.
fn sockets(own: &Path) -> Vec<PathBuf> {
    let table = std::fs::read("/proc/net/unix").unwrap_or_default();
    let table = String::from_utf8_lossy(&table).into_owned();
    let mut found: Vec<PathBuf> = table
        .lines()
        .filter_map(|line| line.split_whitespace().nth(7))
        .filter(|path| path.starts_with('/'))
        .map(PathBuf::from)
        .collect();
    let mut folders = vec![PathBuf::from(RUN)];
    let mut left = MOST_ENTRIES;
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            left = left.saturating_sub(1);
            match entry.file_type() {
                Ok(kind) if kind.is_socket() => found.push(entry.path()),
                Ok(kind) if kind.is_dir() && left > 0 => folders.push(entry.path()),
                _ => {}
            }
        }
    }
    let is_of_service = |path: &PathBuf| {
        !path.starts_with(own)
            && std::fs::symlink_metadata(path)
                .is_ok_and(|metadata| metadata.file_type().is_socket())
    };
    found.retain(is_of_service);
    found.sort();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_separates_options_is_escaped_in_paths() {
        assert_eq!(escaped(Path::new("/a,b:c\\d")), b"/a\\,b\\:c\\\\d");
    }
}
