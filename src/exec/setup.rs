//! What a child does to itself between `fork` and `exec`.
//!
//! Only calls that are safe in a signal handler are allowed there (another thread may have held the
//! allocator's lock at the moment of the `fork`), so all that allocates is prepared before.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::Command;

use nix::libc;
use nix::sys::resource::{Resource, setrlimit};

use super::Job;

#[cfg(any(target_os = "linux", target_os = "android"))]
const MEMORY: Resource = Resource::RLIMIT_DATA;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const MEMORY: Resource = Resource::RLIMIT_AS;

/// Makes `command` start as the leader of a new process group, limited and confined as `job` says.
/// `rules` is what [`super::confine::rules`] made of the job, `inherited` stay open in the child
/// under their numbers.
pub(super) fn prepare(
    command: &mut Command,
    job: &Job,
    rules: Option<OwnedFd>,
    inherited: Vec<OwnedFd>,
) {
    let parent = std::process::id();
    let limits = [
        (Resource::RLIMIT_CORE, Some(0)),
        (MEMORY, job.limits.memory_bytes),
        (Resource::RLIMIT_FSIZE, job.limits.file_bytes),
    ];
    let in_child = move || {
        die_with(parent)?;
        for (resource, limit) in limits {
            if let Some(limit) = limit {
                setrlimit(resource, limit, limit)?;
            }
        }
        inherited.iter().try_for_each(keep_open)?;
        rules.as_ref().map_or(Ok(()), restrict)
    };
    command.process_group(0);
    #[expect(unsafe_code, reason = "the only way to run code between fork and exec")]
    // SAFETY: the closure makes system calls only; it neither allocates nor takes a lock.
    unsafe {
        command.pre_exec(in_child);
    }
}

/// Has the kernel kill this process when the thread that started it ends.
#[cfg(target_os = "linux")]
fn die_with(parent: u32) -> io::Result<()> {
    nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGKILL)?;
    // The parent may have died before the request was made.
    if std::os::unix::process::parent_id() != parent {
        return Err(io::ErrorKind::BrokenPipe.into());
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn die_with(_parent: u32) -> io::Result<()> {
    Ok(())
}

fn keep_open(descriptor: &OwnedFd) -> io::Result<()> {
    #[expect(unsafe_code, reason = "a system call on a descriptor that we own")]
    // SAFETY: the descriptor is open, and setting its flags touches no memory.
    let answer = unsafe { libc::fcntl(descriptor.as_raw_fd(), libc::F_SETFD, 0) };
    if answer == -1 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

#[cfg(target_os = "linux")]
fn restrict(rules: &OwnedFd) -> io::Result<()> {
    nix::sys::prctl::set_no_new_privs()?;
    #[expect(unsafe_code, reason = "the landlock crate's own call may allocate")]
    // SAFETY: the descriptor is a ruleset that we own; the call touches no memory.
    let answer =
        unsafe { libc::syscall(libc::SYS_landlock_restrict_self, rules.as_raw_fd(), 0_u32) };
    if answer == -1 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn restrict(_rules: &OwnedFd) -> io::Result<()> {
    Ok(())
}
