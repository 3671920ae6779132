//! How a child process ended.

use std::time::Duration;

use super::Captured;

/// The end of a child process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exit {
    /// It exited with this code.
    Code(i32),
    /// This signal killed it.
    Signal(i32),
    /// It was killed because its time was up.
    TimedOut,
}

impl Exit {
    /// Whether it exited with code 0.
    pub fn is_success(self) -> bool {
        self == Exit::Code(0)
    }
}

/// A child process that has ended, with what it printed.
#[derive(Debug, Clone)]
pub struct Finished {
    /// How it ended.
    pub exit: Exit,
    /// Its standard output.
    pub stdout: Captured,
    /// Its standard error.
    pub stderr: Captured,
    /// The time from start to end.
    pub wall: Duration,
}

impl Finished {
    /// One that ended so and printed this, in no time.
    pub fn printing(exit: Exit, stdout: &str, stderr: &str) -> Self {
        Finished { exit, stdout: stdout.into(), stderr: stderr.into(), wall: Duration::ZERO }
    }
}
