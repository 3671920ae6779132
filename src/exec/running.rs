//! A child that stays alive and is talked to.

use std::io;
use std::os::fd::OwnedFd;
use std::process::{ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

use super::child::Leader;
use super::collector::Collector;
use super::sandbox::Cage;
use super::spawn::Stdin;
use super::starter::on_lasting_thread;
use super::tree::Watchdog;
use super::{Captured, ExecError, Exit, Job};

/// Where the standard streams of a [`Running`] child lead, and what else it inherits.
#[derive(Debug, Default)]
pub struct Streams {
    /// Whether we write to its standard input ([`Running::take_stdin`]); else it is empty.
    pub stdin: bool,
    /// Whether we read its standard output ([`Running::take_stdout`]); else it is collected.
    pub stdout: bool,
    /// Descriptors that stay open in the child, under the same numbers.
    pub inherited: Vec<OwnedFd>,
}

/// A child that runs beside us, and dies with its whole group when this value is dropped.
///
/// [`Limits::time`](super::Limits::time) does not apply: whoever talks to the child has its own deadlines.
/// It may be started on one thread and used on another that lives longer.
#[derive(Debug)]
pub struct Running {
    /// Stops watching before the leader is gone, whose number may then be given to another process.
    watchdog: Option<Watchdog>,
    leader: Leader,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Collector,
    collected_stdout: Option<Collector>,
}

impl Running {
    /// Starts a job in a cage and returns at once.
    pub(super) fn start_in(cage: Cage, job: &Job, streams: Streams) -> Result<Running, ExecError> {
        let stdin = if streams.stdin {
            Stdin::Piped
        } else {
            Stdin::Null
        };
        let bound = job.limits.output_bytes;
        let limits = job.limits.clone();
        let job = job.clone();
        let inherited = streams.inherited;
        let (leader, ours) = on_lasting_thread(move || Leader::start(cage, &job, stdin, inherited))
            .ok_or_else(|| ExecError::Watch(io::ErrorKind::BrokenPipe.into()))??;
        let (stdout, collected_stdout) = if streams.stdout {
            (Some(ours.stdout), None)
        } else {
            (None, Some(Collector::start(ours.stdout, bound)))
        };
        let watchdog = leader.tree().watch(limits);
        Ok(Running {
            watchdog,
            leader,
            stdin: ours.stdin,
            stdout,
            stderr: Collector::start(ours.stderr, bound),
            collected_stdout,
        })
    }

    /// The number of the process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.leader.group().as_raw().cast_unsigned()
    }

    /// Its standard input, once, if [`Streams::stdin`] was asked for.
    pub fn take_stdin(&mut self) -> Option<ChildStdin> {
        self.stdin.take()
    }

    /// Its standard output, once, if [`Streams::stdout`] was asked for.
    pub fn take_stdout(&mut self) -> Option<ChildStdout> {
        self.stdout.take()
    }

    /// Whether it still runs.
    ///
    /// # Errors
    /// When the system does not tell.
    pub fn is_alive(&mut self) -> Result<bool, ExecError> {
        Ok(self.try_exit()?.is_none())
    }

    /// How it ended, or `None` while it runs.
    ///
    /// # Errors
    /// When the system does not tell.
    pub fn try_exit(&mut self) -> Result<Option<Exit>, ExecError> {
        let exit = self.leader.try_end()?;
        if exit.is_some() {
            self.watchdog = None;
        }
        Ok(exit)
    }

    /// Waits for its end, at most this long; `None` when it still runs then.
    ///
    /// # Errors
    /// When the system does not tell.
    pub fn wait_timeout(&mut self, timeout: Duration) -> Result<Option<Exit>, ExecError> {
        let end = Instant::now() + timeout;
        loop {
            if let Some(exit) = self.try_exit()? {
                return Ok(Some(exit));
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            self.leader.wait_for_death(left)?;
        }
    }

    /// How long it has computed so far, its children not counted; `None` where the system does not tell.
    #[must_use]
    pub fn cpu_time(&self) -> Option<Duration> {
        #[cfg(target_os = "linux")]
        {
            let clock = nix::time::clock_getcpuclockid(self.leader.group()).ok()?;
            nix::time::clock_gettime(clock).ok().map(Duration::from)
        }
        #[cfg(not(target_os = "linux"))]
        None
    }

    /// Kills the whole group; answers how the child ended, which may have been before.
    ///
    /// # Errors
    /// When the system does not tell.
    pub fn kill(&mut self) -> Result<Exit, ExecError> {
        self.watchdog = None;
        self.leader.kill()
    }

    /// What it printed to standard error so far; all of it when it has ended.
    #[must_use]
    pub fn stderr(&self) -> Captured {
        self.collected(Some(&self.stderr))
    }

    /// What it printed to standard output so far; nothing if [`Streams::stdout`] was asked for.
    #[must_use]
    pub fn stdout(&self) -> Captured {
        self.collected(self.collected_stdout.as_ref())
    }

    fn collected(&self, collector: Option<&Collector>) -> Captured {
        match collector {
            None => Captured::default(),
            Some(collector) if self.leader.has_ended() => collector.completed(),
            Some(collector) => collector.collected(),
        }
    }
}
