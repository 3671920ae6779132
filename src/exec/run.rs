//! Running a job to its end.

use std::io::ErrorKind::{Interrupted, WouldBlock};
use std::io::Read;
use std::os::fd::{AsFd, BorrowedFd};
use std::process::{ChildStderr, ChildStdout};
use std::time::{Duration, Instant};

use super::child::{ASKING_INTERVAL, Leader, unblock, wait_readable};
use super::group::Sleep;
use super::overheard::WholeLines;
use super::sandbox::Cage;
use super::{CPU_SIGNAL, Captured, ExecError, Exit, Finished, Interrupt, Job, Overheard};

/// How often we look up from waiting: for interrupts, and for the number of processes.
const TICK: Duration = Duration::from_millis(50);

/// How often we look whether it sleeps, where that matters.
const SLEEP_TICK: Duration = Duration::from_millis(10);

/// How long output may still arrive after the whole group was killed: what is in the pipe is there
/// already, and a process that left the group could keep it open forever.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// A line that is longer than this is not the one after which nothing more is wanted.
const LONGEST_LINE: usize = 1 << 20;

/// What is read from one pipe before the clock is looked at again.
const READ_BYTES: usize = 1 << 16;

/// Runs a tool, unconfined, until it ends, its time is up, or the user interrupts. What runs candidate code is
/// [confined](super::Confined) instead.
///
/// # Errors
/// When the tool cannot be started or watched; [`ExecError::Interrupted`] when the flag is
/// raised. In every case the whole process group is dead when this returns.
pub fn run_tool(job: &Job, interrupt: &Interrupt) -> Result<Finished, ExecError> {
    run_in(Cage::free(), job, interrupt)
}

/// Runs a job in a cage.
pub(super) fn run_in(cage: Cage, job: &Job, interrupt: &Interrupt) -> Result<Finished, ExecError> {
    if interrupt.is_set() {
        return Err(ExecError::Interrupted);
    }
    let (mut leader, stdout, stderr) = Leader::start(cage, job)?;
    let bound = job.limits.output_bytes;
    let mut output = Output {
        stdout: Pipe::open(stdout, bound, None, None)?,
        stderr: Pipe::open(stderr, bound, job.heard.clone(), job.ends_at.map(LastLine::new))?,
    };
    let exit = watch(&mut leader, &mut output, job, interrupt);
    if let Some(heard) = &job.heard {
        heard.end();
    }
    let exit = exit?;
    let wall = leader.started.elapsed();
    output.drain()?;
    Ok(Finished { exit, stdout: output.stdout.captured, stderr: output.stderr.captured, wall })
}

fn watch(
    leader: &mut Leader,
    output: &mut Output,
    job: &Job,
    interrupt: &Interrupt,
) -> Result<Exit, ExecError> {
    let mut next_look = Instant::now() + TICK;
    let mut sleep = Sleep::of(leader.group.as_raw().cast_unsigned());
    loop {
        let left = job.limits.time.map(|time| time.saturating_sub(leader.started.elapsed()));
        let tick = if job.limits.sleep.is_some() {
            SLEEP_TICK
        } else if leader.death.is_some() {
            TICK
        } else {
            ASKING_INTERVAL
        };
        output.read(leader.death.as_ref().map(AsFd::as_fd), left.unwrap_or(tick).min(tick))?;
        if let Some(exit) = leader.try_end()? {
            let has_used_up = job.limits.cpu.is_some() && exit == Exit::Signal(CPU_SIGNAL);
            return Ok(if has_used_up { Exit::TimedOut } else { exit });
        }
        let has_said_it = output.stderr.last.as_ref().is_some_and(|last| last.has_come);
        let is_asleep = job.limits.sleep.is_some_and(|limit| sleep.is_over(limit));
        if has_said_it
            || is_asleep
            || job.limits.time.is_some_and(|time| leader.started.elapsed() >= time)
        {
            leader.kill()?;
            return Ok(Exit::TimedOut);
        }
        if interrupt.is_set() {
            leader.kill()?;
            return Err(ExecError::Interrupted);
        }
        if Instant::now() >= next_look {
            next_look = Instant::now() + TICK;
            if leader.tree().exceeds(&job.limits) {
                return leader.kill();
            }
        }
    }
}

struct Output {
    stdout: Pipe<ChildStdout>,
    stderr: Pipe<ChildStderr>,
}

impl Output {
    /// Waits until there is output, `death` is readable, or `timeout` is over; reads what is there.
    fn read(&mut self, death: Option<BorrowedFd<'_>>, timeout: Duration) -> Result<(), ExecError> {
        let sources = [self.stdout.descriptor(), self.stderr.descriptor(), death];
        wait_readable(sources.into_iter().flatten(), timeout)?;
        self.stdout.read()?;
        self.stderr.read()
    }

    fn drain(&mut self) -> Result<(), ExecError> {
        let end = Instant::now() + LAST_WORDS;
        while self.stdout.source.is_some() || self.stderr.source.is_some() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            self.read(None, left)?;
        }
        Ok(())
    }
}

/// Our end of one output stream; the source is gone when the stream has ended.
struct Pipe<S> {
    source: Option<S>,
    captured: Captured,
    heard: Option<Overheard>,
    last: Option<LastLine>,
}

/// A line after which nothing more is wanted.
struct LastLine {
    /// What it has in it.
    words: &'static str,
    lines: WholeLines,
    has_come: bool,
}

impl LastLine {
    fn new(words: &'static str) -> Self {
        LastLine { words, lines: WholeLines::default(), has_come: false }
    }

    fn look(&mut self, bytes: &[u8]) {
        let ended = self.lines.ended_by(bytes, LONGEST_LINE);
        self.has_come |= ended.is_some_and(|lines| lines.contains(self.words));
    }
}

impl<S: Read + AsFd> Pipe<S> {
    fn open(
        source: S,
        bound: usize,
        heard: Option<Overheard>,
        last: Option<LastLine>,
    ) -> Result<Pipe<S>, ExecError> {
        unblock(&source).map_err(ExecError::Watch)?;
        Ok(Pipe { source: Some(source), captured: Captured::with_bound(bound), heard, last })
    }

    fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        self.source.as_ref().map(AsFd::as_fd)
    }

    fn read(&mut self) -> Result<(), ExecError> {
        let Some(source) = &mut self.source else { return Ok(()) };
        let mut buffer = vec![0; READ_BYTES];
        match source.read(&mut buffer) {
            Ok(0) => self.source = None,
            Ok(read) => {
                self.captured.push(&buffer[..read]);
                if let Some(heard) = &self.heard {
                    heard.hear(&buffer[..read]);
                }
                if let Some(last) = &mut self.last {
                    last.look(&buffer[..read]);
                }
            }
            Err(error) if matches!(error.kind(), WouldBlock | Interrupted) => {}
            Err(error) => return Err(ExecError::Watch(error)),
        }
        Ok(())
    }
}
