//! How the program ends: the exit codes.

use std::process::ExitCode;

use super::failure::Failure;
use crate::report::{Status, Summary};

/// The documented exit codes; a bug of ours panics, which is 101.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Reduced, or shown to be already minimal.
    Done,
    /// Nothing to reduce, or the environment prevents it.
    Prevented,
    /// Wrong usage.
    Usage,
    /// Reduced, but the result may fail with correct code, too, and the user wants to know by the exit code.
    InDoubt,
    /// Stopped by the user; the best so far is written and shown.
    Interrupted,
}

impl Exit {
    /// The exit code for the way a job ended.
    pub fn of(status: Status) -> Self {
        match status.exit_code() {
            0 => Exit::Done,
            130 => Exit::Interrupted,
            _ => Exit::Prevented,
        }
    }

    /// The exit code for what the summary says; where the user is `strict`, it tells of doubt.
    pub fn of_summary(summary: &Summary, strict: bool) -> Self {
        let is_doubted = summary.doubt.is_some() && summary.status == Status::Reduced;
        if strict && is_doubted { Exit::InDoubt } else { Exit::of(summary.status) }
    }

    /// The exit code for a job that cannot go on.
    pub fn of_failure(failure: &Failure) -> Self {
        if failure.is_usage { Exit::Usage } else { Exit::of(failure.status) }
    }

    /// The one that tells more of two jobs: what prevents a result tells more than a doubt of it.
    #[must_use]
    pub fn and(self, other: Exit) -> Exit {
        let weight = |exit| match exit {
            Exit::Done => 0,
            Exit::InDoubt => 1,
            Exit::Prevented => 2,
            Exit::Usage => 3,
            Exit::Interrupted => 4,
        };
        if weight(other) > weight(self) { other } else { self }
    }

    /// The number the shell sees.
    pub fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Prevented => 1,
            Exit::Usage => 2,
            Exit::InDoubt => 3,
            Exit::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_are_those_of_the_documentation() {
        let codes = [
            (Status::Reduced, 0),
            (Status::Minimal, 0),
            (Status::Limited, 0),
            (Status::NotFailing, 1),
            (Status::NotReproduced, 1),
            (Status::Flaky, 1),
            (Status::Error, 1),
            (Status::Interrupted, 130),
        ];
        for (status, code) in codes {
            assert_eq!(Exit::of(status).code(), code, "{status:?}");
        }
        assert_eq!(Exit::Usage.code(), 2);
        assert_eq!(Exit::InDoubt.code(), 3);
    }
}
