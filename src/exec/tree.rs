//! What all processes of a job use together, as the system shows it (Linux; elsewhere nothing is known, and
//! nothing is stopped for it).

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::Limits;

/// How often a watchdog looks.
const TICK: Duration = Duration::from_millis(50);

/// The processes of a job: all of its cell, or where there is none, its group.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tree {
    /// The number of the group, which is that of its leader.
    pub(super) group: u32,
    /// The number of the init process of the cell.
    pub(super) init: Option<u32>,
}

impl Tree {
    /// Whether its processes use more than the limits say.
    pub(super) fn exceeds(self, limits: &Limits) -> bool {
        if limits.processes.is_none() && limits.memory_bytes.is_none() {
            return false;
        }
        let (processes, memory_bytes) = self.usage();
        limits.processes.is_some_and(|limit| processes > limit)
            || limits.memory_bytes.is_some_and(|limit| memory_bytes > limit)
    }

    /// How many they are at this moment, and how many bytes of memory they use.
    fn usage(self) -> (usize, u64) {
        let of_cell = self.init.map(|init| PathBuf::from(format!("/proc/{init}/root/proc")));
        let folder = of_cell.unwrap_or_else(|| PathBuf::from("/proc"));
        // The init process of the cell is the first process there, and is not counted.
        let is_own = |process: &Path| match self.init {
            Some(_) => !process.ends_with("1"),
            None => group_of(process) == Some(self.group),
        };
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let processes =
            entries.map(|entry| entry.path()).filter(|path| is_process(path) && is_own(path));
        let (mut count, mut own) = (0, 0);
        let (mut mapped, mut files) = (0, BTreeMap::new());
        for process in processes {
            count += 1;
            let [private, shared] = memory_of(&process).unwrap_or_default();
            own += private;
            mapped += shared;
            nameless_files(&process, &mut files);
        }
        // A file without a name may be mapped, or else only written to.
        (count, own + mapped.max(files.into_values().sum()))
    }

    /// Kills the leader as soon as they use more than the limits say, if these say anything.
    pub(super) fn watch(self, limits: Limits) -> Option<Watchdog> {
        if limits.processes.is_none() && limits.memory_bytes.is_none() {
            return None;
        }
        let (stop, stopped) = channel::<()>();
        let thread = std::thread::spawn(move || {
            while stopped.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if self.exceeds(&limits) {
                    let _ = kill(Pid::from_raw(self.group.cast_signed()), Signal::SIGKILL);
                }
            }
        });
        Some(Watchdog { stop: Some(stop), thread: Some(thread) })
    }
}

/// Watches a job until it is dropped.
#[derive(Debug)]
pub(super) struct Watchdog {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A panic of it would be a bug of ours, and is no reason for another one.
            let _ = thread.join();
        }
    }
}

fn is_process(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The group of a process, of which `/proc` has that folder.
pub(super) fn group_of(process: &Path) -> Option<u32> {
    let stat = fs::read_to_string(process.join("stat")).ok()?;
    // The name, in parentheses, may hold anything; after it come state, parent and group.
    stat.rsplit(')').next()?.split_whitespace().nth(2)?.parse().ok()
}

/// The private memory of a process that is no part of a file, and the shared memory that it has mapped, in bytes.
fn memory_of(process: &Path) -> Option<[u64; 2]> {
    let status = fs::read_to_string(process.join("status")).ok()?;
    let kibibytes = |name: &str| -> Option<u64> {
        let value = status.lines().find_map(|line| line.strip_prefix(name))?;
        let kibibytes: u64 = value.split_whitespace().next()?.parse().ok()?;
        Some(kibibytes * 1024)
    };
    Some([kibibytes("RssAnon:")?, kibibytes("RssShmem:")?])
}

/// Notes how many bytes the files in memory take that the process has open and that have no name (`memfd`); several
/// processes may share them.
fn nameless_files(process: &Path, files: &mut BTreeMap<(u64, u64), u64>) {
    const BLOCK_BYTES: u64 = 512;
    let open = fs::read_dir(process.join("fd")).into_iter().flatten();
    for path in open.flatten().map(|entry| entry.path()) {
        let is_nameless =
            fs::read_link(&path).is_ok_and(|to| to.as_os_str().as_bytes().starts_with(b"/memfd:"));
        if is_nameless && let Ok(file) = fs::metadata(&path) {
            files.insert((file.dev(), file.ino()), file.blocks() * BLOCK_BYTES);
        }
    }
}
