//! A started child and its process group.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid, waitpid};
use nix::unistd::Pid;

use super::{ExecError, Exit, Job, confine, setup};

/// How often a child is asked for, where its end cannot be waited for.
pub(super) const ASKING_INTERVAL: Duration = Duration::from_millis(1);

/// The leader of a process group that lives no longer than this value.
#[derive(Debug)]
pub(super) struct Leader {
    child: Child,
    group: Pid,
    end: Option<Exit>,
    started: Instant,
    death: Option<OwnedFd>,
}

/// Where the standard streams of a child lead.
pub(super) struct Stdios {
    pub(super) stdin: Stdio,
    pub(super) stdout: Stdio,
    pub(super) stderr: Stdio,
}

impl Leader {
    /// Starts a job in a group of its own.
    pub(super) fn start(
        job: &Job,
        streams: Stdios,
        inherited: Vec<OwnedFd>,
    ) -> Result<Leader, ExecError> {
        let mut command = Command::new(&job.program);
        command
            .args(&job.args)
            .stdin(streams.stdin)
            .stdout(streams.stdout)
            .stderr(streams.stderr);
        for (name, value) in &job.env {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        if let Some(cwd) = &job.cwd {
            command.current_dir(cwd);
        }
        setup::prepare(&mut command, job, confine::rules(job)?, inherited);
        let started = Instant::now();
        let child = command.spawn().map_err(|source| ExecError::Spawn {
            program: job.program.clone(),
            source,
        })?;
        let group = Pid::from_raw(child.id().cast_signed());
        Ok(Leader {
            child,
            group,
            end: None,
            started,
            death: watch(group),
        })
    }

    /// The standard library's handle, to take the streams from.
    pub(super) fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    pub(super) fn group(&self) -> Pid {
        self.group
    }

    pub(super) fn age(&self) -> Duration {
        self.started.elapsed()
    }

    /// A descriptor that becomes readable when the leader ends, where the system has such a thing.
    pub(super) fn death(&self) -> Option<&OwnedFd> {
        self.death.as_ref()
    }

    /// How the leader ended, or `None` while it runs. Once it has ended, the rest of its group is
    /// killed.
    pub(super) fn try_end(&mut self) -> Result<Option<Exit>, ExecError> {
        if self.end.is_some() {
            return Ok(self.end);
        }
        // The leader is left a zombie until its group is dead: as long as it is one, its number
        // cannot be given to another process, and we cannot kill a stranger.
        let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
        match waitid(Id::Pid(self.group), flags) {
            Ok(WaitStatus::StillAlive) | Err(Errno::EINTR) => Ok(None),
            Ok(_) => self.finish().map(Some),
            Err(errno) => Err(ExecError::Watch(errno.into())),
        }
    }

    /// Whether the end of the leader has been seen.
    pub(super) fn has_ended(&self) -> bool {
        self.end.is_some()
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
        match self.end {
            Some(exit) => Ok(exit),
            None => self.finish(),
        }
    }

    fn finish(&mut self) -> Result<Exit, ExecError> {
        // Fails only when nobody is left to be killed.
        let _ = killpg(self.group, Signal::SIGKILL);
        let status = self.child.wait().map_err(ExecError::Watch)?;
        self.reap_orphans();
        let exit = exit_of(status);
        self.end = Some(exit);
        Ok(exit)
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

fn exit_of(status: std::process::ExitStatus) -> Exit {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => Exit::Code(code),
        (None, Some(signal)) => Exit::Signal(signal),
        (None, None) => Exit::Signal(0),
    }
}

/// A descriptor that becomes readable when process `pid`, a child of ours, ends; `None` where the
/// kernel is too old (before Linux 5.3), and then the child is asked for at intervals.
#[cfg(target_os = "linux")]
fn watch(pid: Pid) -> Option<OwnedFd> {
    use nix::libc;
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
