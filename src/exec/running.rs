//! A child that stays alive and is talked to.

use std::io;
use std::time::{Duration, Instant};

use super::child::Leader;
use super::collector::Collector;
use super::sandbox::Cage;
use super::starter::on_lasting_thread;
use super::tree::Watchdog;
use super::{Captured, ExecError, Exit, Job};

/// A child that runs beside us, and dies with its whole group when this value is dropped.
///
/// [`Limits::time`](super::Limits::time) does not apply: whoever talks to the child has its own deadlines.
/// It may be started on one thread and used on another that lives longer.
#[derive(Debug)]
pub struct Running {
    /// Stops watching before the leader is gone, whose number may then be given to another process.
    watchdog: Option<Watchdog>,
    leader: Leader,
    stderr: Collector,
}

impl Running {
    /// Starts a job in a cage and returns at once.
    pub(super) fn start_in(cage: Cage, job: &Job) -> Result<Running, ExecError> {
        let bound = job.limits.output_bytes;
        let limits = job.limits.clone();
        let job = job.clone();
        let (leader, stdout, stderr) = on_lasting_thread(move || Leader::start(cage, &job))
            .ok_or_else(|| ExecError::Watch(io::ErrorKind::BrokenPipe.into()))??;
        // Nobody asks for its standard output, but it must not wait for a reader, or die for want of one.
        Collector::start(stdout, 0);
        let watchdog = leader.tree().watch(limits);
        Ok(Running { watchdog, leader, stderr: Collector::start(stderr, bound) })
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
    pub fn cpu_time(&self) -> Option<Duration> {
        #[cfg(target_os = "linux")]
        {
            let clock = nix::time::clock_getcpuclockid(self.leader.group).ok()?;
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
    pub fn stderr(&self) -> Captured {
        if self.leader.end.is_some() { self.stderr.completed() } else { self.stderr.collected() }
    }
}
