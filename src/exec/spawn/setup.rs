//! What a child does to itself before it runs the program.
//!
//! Only system calls are allowed here: another thread may have held the allocator's lock at the
//! moment of the `fork`, or the memory may be that of this process still. So all that allocates is
//! prepared before.

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::time::Duration;

use nix::libc;
use nix::sys::resource::{Resource, setrlimit};

use crate::exec::Job;

#[cfg(any(target_os = "linux", target_os = "android"))]
const MEMORY: Resource = Resource::RLIMIT_DATA;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const MEMORY: Resource = Resource::RLIMIT_AS;

/// The limits and the confinement of a child.
#[derive(Debug)]
pub(super) struct Setup {
    parent: u32,
    limits: [(Resource, Option<u64>); 3],
    cpu: Option<Duration>,
    rules: Option<OwnedFd>,
    inherited: Vec<OwnedFd>,
}

impl Setup {
    /// `rules` is what [`crate::exec::confine::rules`] made of the job, `inherited` stay open in the
    /// child under their numbers.
    pub(super) fn new(job: &Job, rules: Option<OwnedFd>, inherited: Vec<OwnedFd>) -> Setup {
        Setup {
            parent: std::process::id(),
            limits: [
                (Resource::RLIMIT_CORE, Some(0)),
                (MEMORY, job.limits.memory_bytes),
                (Resource::RLIMIT_FSIZE, job.limits.file_bytes),
            ],
            cpu: job.limits.cpu,
            rules,
            inherited,
        }
    }

    /// Limits and confines the calling process, for good.
    pub(super) fn apply(&self) -> io::Result<()> {
        die_with(self.parent)?;
        for (resource, limit) in self.limits {
            if let Some(limit) = limit {
                setrlimit(resource, limit, limit)?;
            }
        }
        self.cpu.map_or(Ok(()), limit_cpu)?;
        self.inherited.iter().try_for_each(keep_open)?;
        self.rules.as_ref().map_or(Ok(()), restrict)
    }
}

/// Has the kernel kill this process when the thread that started it ends.
#[cfg(target_os = "linux")]
fn die_with(parent: u32) -> io::Result<()> {
    nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGKILL)?;
    // The parent may have died before the request was made.
    if std::os::unix::process::parent_id() != parent {
        return Err(io::Error::from_raw_os_error(libc::ESRCH));
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn die_with(_parent: u32) -> io::Result<()> {
    Ok(())
}

/// Has this process sent [`CPU_SIGNAL`](crate::exec::CPU_SIGNAL) when it has used so much CPU time; that
/// stays so when it runs the program.
fn limit_cpu(limit: Duration) -> io::Result<()> {
    let time = |duration: Duration| libc::timeval {
        tv_sec: libc::time_t::try_from(duration.as_secs()).unwrap_or(libc::time_t::MAX),
        tv_usec: duration.subsec_micros().cast_signed().into(),
    };
    let timer = libc::itimerval {
        it_interval: time(Duration::ZERO),
        it_value: time(limit.max(Duration::from_micros(1))),
    };
    #[expect(unsafe_code, reason = "nix has no binding for this call")]
    // SAFETY: `timer` is valid for reading, and the old value is not asked for.
    let answer =
        unsafe { libc::setitimer(libc::ITIMER_PROF, &raw const timer, std::ptr::null_mut()) };
    if answer == -1 {
        return Err(io::Error::last_os_error());
    }
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
