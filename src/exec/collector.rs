//! Reading a stream in the background.

use std::io::{ErrorKind, Read};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::Captured;

/// What is read at once.
const READ_BYTES: usize = 1 << 16;

/// How long to wait for a stream to end whose writers should be dead.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// A thread that reads a stream to its end.
#[derive(Debug)]
pub(super) struct Collector {
    captured: Arc<Mutex<Captured>>,
    thread: JoinHandle<()>,
}

impl Collector {
    pub(super) fn start(source: impl Read + Send + 'static, bound: usize) -> Collector {
        let captured = Arc::new(Mutex::new(Captured::with_bound(bound)));
        let shared = Arc::clone(&captured);
        Collector { captured, thread: std::thread::spawn(move || collect(source, &shared)) }
    }

    /// What has been read so far.
    pub(super) fn collected(&self) -> Captured {
        self.captured.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What has been read when the stream is at its end, or when there has been time enough for it.
    pub(super) fn completed(&self) -> Captured {
        let end = Instant::now() + LAST_WORDS;
        while !self.thread.is_finished() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.collected()
    }
}

/// A stream that cannot be read has ended as far as we are concerned.
fn collect(mut source: impl Read, captured: &Mutex<Captured>) {
    let mut buffer = vec![0; READ_BYTES];
    loop {
        match source.read(&mut buffer) {
            Ok(0) => return,
            Ok(read) => {
                captured.lock().unwrap_or_else(PoisonError::into_inner).push(&buffer[..read]);
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}
