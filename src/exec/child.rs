//! A started child and its process group.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::process::{ChildStderr, ChildStdout, ExitStatus};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::libc;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill, killpg};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

#[cfg(target_os = "linux")]
use super::orphans;
use super::sandbox::Cage;
use super::spawn::spawn;
use super::tree::Tree;
use super::{ExecError, Exit, Job};

/// How often a child is asked for, where its end cannot be waited for.
pub(super) const ASKING_INTERVAL: Duration = Duration::from_millis(1);

/// The leader of a process group that lives no longer than this value, in its cage.
#[derive(Debug)]
pub(super) struct Leader {
    pub(super) group: Pid,
    cage: Cage,
    /// How it has ended, once that was seen.
    pub(super) end: Option<Exit>,
    pub(super) started: Instant,
    /// A descriptor that becomes readable when the leader ends, where the system has such a thing.
    pub(super) death: Option<OwnedFd>,
}

impl Leader {
    /// Starts a job in a group of its own; also our ends of its streams.
    pub(super) fn start(
        cage: Cage,
        job: &Job,
    ) -> Result<(Leader, ChildStdout, ChildStderr), ExecError> {
        let started = Instant::now();
        let start = || spawn(job, &cage);
        #[cfg(target_os = "linux")]
        let spawned = orphans::starting(start, |spawned| spawned.pid);
        #[cfg(not(target_os = "linux"))]
        let spawned = start();
        let spawned =
            spawned.map_err(|source| ExecError::Spawn { program: job.program.clone(), source })?;
        let leader =
            Leader { group: spawned.pid, cage, end: None, started, death: watch(spawned.pid) };
        Ok((leader, spawned.stdout, spawned.stderr))
    }

    /// All its processes, as the system shows them.
    pub(super) fn tree(&self) -> Tree {
        Tree { group: self.group.as_raw().cast_unsigned(), init: self.cage.init() }
    }

    /// How the leader ended, or `None` while it runs. Once it has ended, the rest of its group is
    /// killed.
    pub(super) fn try_end(&mut self) -> Result<Option<Exit>, ExecError> {
        if self.end.is_some() {
            return Ok(self.end);
        }
        // The leader is left a zombie until its group is dead: as long as it is one, its number
        // cannot be given to another process, and we cannot kill a stranger.
        match has_ended(self.group) {
            Ok(false) | Err(Errno::EINTR) => Ok(None),
            Ok(true) => self.finish().map(Some),
            Err(errno) => Err(ExecError::Watch(errno.into())),
        }
    }

    /// Waits until the leader ends or `timeout` is over; may return early.
    pub(super) fn wait_for_death(&self, timeout: Duration) -> Result<(), ExecError> {
        let Some(death) = &self.death else {
            std::thread::sleep(timeout.min(ASKING_INTERVAL));
            return Ok(());
        };
        wait_readable([death.as_fd()], timeout)
    }

    /// Kills the whole group and waits for the leader.
    pub(super) fn kill(&mut self) -> Result<Exit, ExecError> {
        self.end.map_or_else(|| self.finish(), Ok)
    }

    fn finish(&mut self) -> Result<Exit, ExecError> {
        // Fails only when nobody is left to be killed. The leader may have left its group.
        let _ = killpg(self.group, Signal::SIGKILL);
        let _ = kill(self.group, Signal::SIGKILL);
        let exit = self.reap()?;
        #[cfg(target_os = "linux")]
        orphans::forget(self.group);
        self.reap_orphans();
        self.cage.clean();
        self.end = Some(exit);
        Ok(exit)
    }

    /// Waits for the leader; nix refuses a status with a signal that has no name.
    fn reap(&self) -> Result<Exit, ExecError> {
        let mut status = 0;
        loop {
            #[expect(unsafe_code, reason = "nix has no call that gives the bare status")]
            // SAFETY: `status` is valid for writing.
            let answer = unsafe { libc::waitpid(self.group.as_raw(), &raw mut status, 0) };
            match Errno::result(answer) {
                Ok(_) => {
                    let status = ExitStatus::from_raw(status);
                    let signal = || Exit::Signal(status.signal().unwrap_or_default());
                    return Ok(status.code().map_or_else(signal, Exit::Code));
                }
                Err(Errno::EINTR) => {}
                Err(errno) => return Err(ExecError::Watch(errno.into())),
            }
        }
    }

    /// Members of the group whose parents died may have become our children.
    fn reap_orphans(&self) {
        let group = Pid::from_raw(-self.group.as_raw());
        while matches!(
            waitpid(group, Some(WaitPidFlag::WNOHANG)),
            Ok(status) if status != WaitStatus::StillAlive
        ) {}
    }
}

impl Drop for Leader {
    fn drop(&mut self) {
        // There is nobody left to tell about an error.
        let _ = self.kill();
    }
}

/// Whether a child has ended; it stays a zombie.
fn has_ended(child: Pid) -> nix::Result<bool> {
    #[expect(unsafe_code, reason = "nix has this call for some systems only")]
    // SAFETY: all fields are numbers and addresses, and `info` is valid for writing.
    let (answer, ended) = unsafe {
        let mut info: libc::siginfo_t = std::mem::zeroed();
        let flags = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
        let id = child.as_raw().cast_unsigned();
        let answer = libc::waitid(libc::P_PID, id, &raw mut info, flags);
        // It is left as it was where nothing has ended.
        (answer, info.si_signo != 0)
    };
    Errno::result(answer).map(|_| ended)
}

/// A descriptor that becomes readable when process `pid`, a child of ours, ends; `None` where the
/// kernel is too old (before Linux 5.3), and then the child is asked for at intervals.
#[cfg(target_os = "linux")]
fn watch(pid: Pid) -> Option<OwnedFd> {
    use std::os::fd::{FromRawFd, RawFd};
    #[expect(unsafe_code, reason = "nix has no binding for this call")]
    // SAFETY: the call takes two numbers and touches no memory.
    let descriptor = unsafe { libc::syscall(libc::SYS_pidfd_open, pid.as_raw(), 0_u32) };
    let descriptor = RawFd::try_from(descriptor).ok().filter(|it| *it >= 0)?;
    #[expect(unsafe_code, reason = "takes ownership of a raw descriptor")]
    // SAFETY: the kernel has just opened this descriptor for us, and nobody else knows it.
    Some(unsafe { OwnedFd::from_raw_fd(descriptor) })
}

#[cfg(not(target_os = "linux"))]
fn watch(_pid: Pid) -> Option<OwnedFd> {
    None
}

/// Waits until one of the descriptors is readable or closed, or `timeout` is over; a signal to this
/// thread ends the waiting early.
pub(super) fn wait_readable<'a>(
    descriptors: impl IntoIterator<Item = BorrowedFd<'a>>,
    timeout: Duration,
) -> Result<(), ExecError> {
    let mut polled: Vec<PollFd<'_>> = descriptors
        .into_iter()
        .map(|descriptor| PollFd::new(descriptor, PollFlags::POLLIN))
        .collect();
    // Rounded down, the last millisecond before a deadline would be spent spinning.
    let milliseconds = timeout.as_micros().div_ceil(1000);
    let timeout = PollTimeout::try_from(milliseconds).unwrap_or(PollTimeout::MAX);
    match poll(&mut polled, timeout) {
        Ok(_) | Err(Errno::EINTR) => Ok(()),
        Err(errno) => Err(ExecError::Watch(errno.into())),
    }
}

/// Puts a descriptor into non-blocking mode.
pub(super) fn unblock(descriptor: impl AsFd) -> io::Result<()> {
    use nix::fcntl::{FcntlArg, OFlag, fcntl};
    fcntl(descriptor, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
    Ok(())
}
