//! A cell: namespaces that are made once and entered by many candidates, one after the other.
//!
//! A candidate can neither make its namespaces itself (that takes milliseconds) nor be the first process of a process
//! namespace (the kernel spares such a process signals that would end any other). So each cell has an init process, a
//! copy of this one that only makes system calls (see [`super::init`]): it sets up the mounts, adopts orphans, and when
//! a candidate has ended kills whatever is left and throws its changes away.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::Duration;

use nix::libc;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::waitpid;
use nix::unistd::Pid;

use super::Access;
use super::init::{self, CLEAN, DONE, ENTER, GO, READY};
use super::mounts::{Ground, Mounts};
use crate::exec::starter::on_lasting_thread;
use crate::exec::{ExecError, orphans};

/// How long the init process may take for its answers; it may wait for processes that the kernel is slow to end.
const PATIENCE: Duration = Duration::from_secs(10);

/// The namespaces of a cell.
pub(in crate::exec) const NAMESPACES: libc::c_int = libc::CLONE_NEWUSER
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC;

/// Namespaces and their init process, which dies with this value.
#[derive(Debug)]
pub(in crate::exec) struct Cell {
    access: Access,
    /// The folders that the access names, as they were when they were mounted; no other folder gets the number of one that
    /// is open.
    folders: Vec<Option<File>>,
    /// Whether changes below some folders are thrown away.
    has_overlays: bool,
    init: Pid,
    descriptor: OwnedFd,
    control: UnixStream,
}

impl Cell {
    /// Makes the namespaces and mounts.
    ///
    /// # Errors
    /// When the system refuses it.
    pub(super) fn new(access: Access, ground: &Ground) -> Result<Cell, ExecError> {
        let mounts = Mounts::of(ground).map_err(refused)?;
        // The init process is to die when this process does, not when the thread that needs it does.
        let started =
            on_lasting_thread(move || orphans::starting(|| start(&mounts), |(init, ..)| *init))
                .ok_or_else(|| refused(io::ErrorKind::BrokenPipe.into()))?;
        let (init, descriptor, control) = started.map_err(refused)?;
        let folders = access.folders().map(|folder| File::open(folder).ok()).collect();
        let has_overlays = !ground.discarded.is_empty();
        let mut cell = Cell { access, folders, has_overlays, init, descriptor, control };
        cell.set_up().map_err(refused)?;
        Ok(cell)
    }

    fn set_up(&mut self) -> io::Result<()> {
        self.control.set_read_timeout(Some(PATIENCE))?;
        map_ids(self.init)?;
        match self.ask(GO)? {
            READY => Ok(()),
            step => {
                let mut number = [0; 4];
                self.control.read_exact(&mut number)?;
                let source = io::Error::from_raw_os_error(i32::from_le_bytes(number));
                Err(io::Error::new(source.kind(), format!("step {step} of a cell: {source}")))
            }
        }
    }

    fn ask(&mut self, question: u8) -> io::Result<u8> {
        let mut answer = [0];
        self.control.write_all(&[question])?;
        self.control.read_exact(&mut answer)?;
        Ok(answer[0])
    }

    /// Whether this is what can be changed from inside.
    pub(super) fn gives(&self, access: &Access) -> bool {
        self.access == *access && self.is_current()
    }

    /// Whether its folders are still there. One that was removed and made again is another one: the mount was one of the
    /// folder before, and nothing can be done in it any more.
    pub(super) fn is_current(&self) -> bool {
        let is_there = |(folder, mounted): (&PathBuf, &Option<File>)| {
            let number = |found: io::Result<Metadata>| found.ok().map(|it| (it.dev(), it.ino()));
            let mounted = mounted.as_ref().and_then(|mounted| number(mounted.metadata()));
            mounted == number(fs::metadata(folder))
        };
        self.access.folders().zip(&self.folders).all(is_there)
    }

    /// The number of the init process.
    pub(in crate::exec) fn init(&self) -> u32 {
        self.init.as_raw().cast_unsigned()
    }

    /// A descriptor of the init process, by which others enter its namespaces.
    pub(in crate::exec) fn descriptor(&self) -> RawFd {
        self.descriptor.as_raw_fd()
    }

    /// Makes it ready for a candidate.
    ///
    /// # Errors
    /// When the system refuses it.
    pub(super) fn prepare(&mut self) -> Result<(), ExecError> {
        if !self.has_overlays || self.ask(ENTER).map_err(refused)? == DONE {
            return Ok(());
        }
        Err(ExecError::Confine("an overlay cannot be mounted".into()))
    }

    /// Kills all that runs in it and throws changes away; whether that went well.
    pub(super) fn clean(&mut self) -> bool {
        self.ask(CLEAN).is_ok_and(|answer| answer == DONE)
    }
}

impl Drop for Cell {
    fn drop(&mut self) {
        // The end of the first process of a process namespace is the end of all others.
        let _ = kill(self.init, Signal::SIGKILL);
        let _ = waitpid(self.init, None);
        orphans::forget(self.init);
    }
}

fn refused(error: io::Error) -> ExecError {
    ExecError::Confine(Box::new(error))
}

/// Starts the init process of a cell.
fn start(mounts: &Mounts) -> io::Result<(Pid, OwnedFd, UnixStream)> {
    let (ours, theirs) = UnixStream::pair()?;
    let mut descriptor: RawFd = -1;
    let flags = NAMESPACES | libc::CLONE_PIDFD | libc::SIGCHLD;
    #[expect(unsafe_code, reason = "no safe call makes namespaces along with a process")]
    // SAFETY: without CLONE_VM the child gets a copy of our memory, and goes on here on a copy of this stack;
    // until its end it only makes system calls on what was prepared for it. The kernel writes a number to `descriptor`.
    let pid = unsafe {
        libc::syscall(libc::SYS_clone, libc::c_long::from(flags), 0, &raw mut descriptor, 0, 0)
    };
    match pid {
        -1 => Err(io::Error::last_os_error()),
        0 => init::live(theirs.as_raw_fd(), mounts),
        pid => {
            #[expect(unsafe_code, reason = "takes ownership of a raw descriptor")]
            // SAFETY: the kernel has just opened this descriptor for us, and nobody else knows it.
            let descriptor = unsafe { OwnedFd::from_raw_fd(descriptor) };
            let pid = libc::pid_t::try_from(pid).map_err(io::Error::other)?;
            Ok((Pid::from_raw(pid), descriptor, ours))
        }
    }
}

/// Users and groups are the same inside: for root all that there are, else the user's own.
fn map_ids(init: Pid) -> io::Result<()> {
    let write = |name: &str, text: &str| std::fs::write(format!("/proc/{init}/{name}"), text);
    if nix::unistd::geteuid().is_root() {
        let same = |name: &str| -> io::Result<String> {
            let map = std::fs::read_to_string(format!("/proc/self/{name}"))?;
            let line = |line: &str| {
                let mut fields = line.split_whitespace();
                let (inside, count) = (fields.next()?, fields.nth(1)?);
                Some(format!("{inside} {inside} {count}\n"))
            };
            Ok(map.lines().filter_map(line).collect())
        };
        write("uid_map", &same("uid_map")?)?;
        return write("gid_map", &same("gid_map")?);
    }
    let (user, group) = (nix::unistd::geteuid(), nix::unistd::getegid());
    write("setgroups", "deny")?;
    write("uid_map", &format!("{user} {user} 1\n"))?;
    write("gid_map", &format!("{group} {group} 1\n"))
}
