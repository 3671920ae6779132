//! The line to a test binary that runs candidates in a loop.

use std::io::{ErrorKind, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::time::{Duration, Instant};

use super::answers::{Ear, End, Heard, Said, Word};
use super::wire::{Encode, put_behind_length, put_bytes, put_len, put_u32};
use crate::exec::{Confined, ExecError, Exit, Running};
use crate::reduce::Until;

/// How long a fresh process may take until it calls back.
const START_LIMIT: Duration = Duration::from_secs(20);
/// The environment variable in which the runtime finds the socket.
const SOCKET: &str = "__CARGO_REDUCE_SOCKET";

/// Where a panic must happen to be told in full.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PanicSite {
    /// Anywhere.
    Anywhere,
    /// At this file, line and column of the rewritten source.
    At(String, u32, u32),
}

/// When the runtime tells its results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Telling {
    /// Some at a time, which is fast.
    Bundled,
    /// One by one, so that it is known which candidate hangs or kills the process.
    EachAtOnce,
}

/// How long one candidate may take.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// In all.
    pub wall: Duration,
    /// Computing, where that is less and the system tells it: nothing that goes on beside it counts.
    pub cpu: Option<Duration>,
}

/// Candidates that are to be run in order.
#[derive(Debug)]
pub struct Batch<'b, C> {
    /// The base that the runtime has.
    pub known: &'b C,
    /// The base that it shall have.
    pub base: &'b C,
    /// What differs from that.
    pub candidates: &'b [C],
    /// How far to go.
    pub until: Until,
    /// Where a panic has to be to count.
    pub place: &'b PanicSite,
    /// When each of them is told of.
    pub telling: Telling,
}

/// A running test binary and the socket to it. It is killed when this is dropped.
#[derive(Debug)]
pub struct Link {
    running: Running,
    stream: UnixStream,
    frame: Vec<u8>,
}

impl Link {
    /// Starts the test binary and waits for its call. `folder` is where the socket is made; its path
    /// must be short (some 90 bytes), and nobody else may use it. Once it has called, nobody else can.
    ///
    /// # Errors
    /// When it cannot be started; `Ok(None)` when it ends or keeps silent without having called.
    pub fn start(job: &Confined, folder: &Path) -> Result<Option<Link>, ExecError> {
        let path = folder.join("link");
        let _ = std::fs::remove_file(&path);
        let listener = UnixListener::bind(&path).map_err(ExecError::Watch)?;
        let link = Self::accept(job, &path, &listener);
        drop(listener);
        let _ = std::fs::remove_file(&path);
        link
    }

    fn accept(
        job: &Confined,
        path: &Path,
        listener: &UnixListener,
    ) -> Result<Option<Link>, ExecError> {
        listener.set_nonblocking(true).map_err(ExecError::Watch)?;
        let job = job.clone().map(|job| job.env(SOCKET, path.as_os_str()));
        let mut running = job.start()?;
        let deadline = Instant::now() + START_LIMIT;
        loop {
            match listener.accept() {
                Ok((stream, _)) => {
                    stream.set_nonblocking(false).map_err(ExecError::Watch)?;
                    return Ok(Some(Link { running, stream, frame: Vec::new() }));
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(ExecError::Watch(error)),
            }
            if running.try_exit()?.is_some() || Instant::now() > deadline {
                return Ok(None);
            }
            std::thread::sleep(Duration::from_micros(200));
        }
    }

    /// Runs a batch. Returns what was heard, in order, and how it ended.
    pub fn run<E: Encode>(
        &mut self,
        wire: &E,
        batch: &Batch<'_, E::Candidate>,
        patience: Patience,
    ) -> (Vec<Heard>, End) {
        let Batch { known, base, candidates, until, place, telling } = *batch;
        let word: Word = rand::random();
        let (file, line, column) = match place {
            PanicSite::Anywhere => ("", 0, 0),
            PanicSite::At(file, line, column) => (file.as_str(), *line, *column),
        };
        self.frame.clear();
        put_behind_length(&mut self.frame, |frame| {
            frame.extend(word);
            wire.changes(known, base, frame);
            frame.push(u8::from(telling == Telling::EachAtOnce));
            frame.push(u8::from(until == Until::Failure));
            frame.push(u8::from(*place == PanicSite::Anywhere));
            put_bytes(frame, file.as_bytes());
            put_u32(frame, line);
            put_u32(frame, column);
            put_len(frame, candidates.len());
            for candidate in candidates {
                wire.changes(base, candidate, frame);
            }
        });
        if self.stream.write_all(&self.frame).is_err() {
            return (Vec::new(), End::Gone);
        }
        self.listen(word, patience)
    }

    /// How the process ended; waits a moment for it. Also what it printed to standard error.
    ///
    /// # Errors
    /// When the system does not tell.
    pub fn end(mut self) -> Result<(Exit, String), ExecError> {
        let exit = match self.running.wait_timeout(Duration::from_secs(2))? {
            Some(exit) => exit,
            None => self.running.kill()?,
        };
        Ok((exit, self.running.stderr().text()))
    }

    fn listen(&mut self, word: Word, patience: Patience) -> (Vec<Heard>, End) {
        let mut heard = Vec::new();
        if self.stream.set_read_timeout(Some(patience.look_after())).is_err() {
            return (heard, End::Gone);
        }
        let mut silence = Silence::after(0, &self.running);
        let mut ear = Ear::new(&mut self.stream, word);
        let end = loop {
            match ear.next() {
                Ok(Said::Heard(result)) => heard.push(result),
                Ok(Said::End(end)) => break end,
                Err(error)
                    if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) =>
                {
                    if silence.heard < heard.len() {
                        silence = Silence::after(heard.len(), &self.running);
                    } else if silence.is_too_long(patience, &self.running) {
                        break End::Hung;
                    }
                }
                Err(_) => break End::Gone,
            }
        };
        (heard, end)
    }
}

impl Patience {
    /// How long to listen before looking what the process does: somewhat longer than it may compute.
    fn look_after(&self) -> Duration {
        let computing = self.cpu.map_or(self.wall, |cpu| cpu + cpu / 8);
        computing.min(self.wall)
    }
}

/// Nothing was heard since then.
struct Silence {
    /// How many results had been heard.
    heard: usize,
    began: Instant,
    /// How long the process had computed, where that is known.
    cpu: Option<Duration>,
}

impl Silence {
    fn after(heard: usize, running: &Running) -> Self {
        Silence { heard, began: Instant::now(), cpu: running.cpu_time() }
    }

    fn is_too_long(&self, patience: Patience, running: &Running) -> bool {
        let has_computed = || Some(running.cpu_time()?.saturating_sub(self.cpu?) >= patience.cpu?);
        self.began.elapsed() >= patience.wall || has_computed().unwrap_or(false)
    }
}
