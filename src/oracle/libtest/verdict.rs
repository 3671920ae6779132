//! From a finished run to a verdict.

use std::fmt;

use nix::sys::signal::Signal;

use super::panics::{Panic, panics};
use super::reason::reason;
use crate::exec::{Exit, Finished};
use crate::oracle::signature::{FailureKind, Location, Signature};
use crate::reduce::Outcome;

/// The status with which libtest and the panic runtime exit.
const EXIT_PANIC: i32 = 101;

/// How the line of a returned error begins.
const ERROR: &str = "Error: ";

/// What one run of one test says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The test passed, or left the process with status 0, which cargo takes for the same.
    Passed,
    /// The test failed.
    Failed(Signature),
    /// No test ran: none has the name, it is ignored, or (for a documentation test) does not build.
    NotRun,
}

/// What the test does.
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Passed => f.write_str("passes"),
            Verdict::Failed(shown) => write!(f, "fails with {shown}"),
            Verdict::NotRun => f.write_str("does not run"),
        }
    }
}

impl Verdict {
    /// What it means, where `is_same` tells the failure that is looked for from others.
    pub fn outcome(&self, is_same: impl FnOnce(&Signature) -> bool) -> Outcome {
        match self {
            Verdict::Passed => Outcome::Pass,
            Verdict::Failed(shown) if is_same(shown) => Outcome::Fail,
            Verdict::Failed(shown) if shown.kind == FailureKind::Timeout => Outcome::Timeout,
            Verdict::Failed(_) | Verdict::NotRun => Outcome::Unresolved,
        }
    }
}

/// Says how a test went, from one run of it alone that captures nothing. Also understands binaries with a harness
/// of their own, and the output of rustdoc and of captured runs.
///
/// Of several panics the last one on the test's own thread counts, since it is the one that was not
/// caught; if there is none, the first one. If it only passes on the panic of another thread, that one
/// counts.
pub fn interpret(finished: &Finished, test: &str) -> Verdict {
    let stdout = finished.stdout.text();
    let stderr = finished.stderr.text();
    let run = Run { stdout: &stdout, stderr: &stderr, test };
    match finished.exit {
        Exit::TimedOut => {
            Verdict::Failed(Signature::new(FailureKind::Timeout, "does not finish in time"))
        }
        Exit::Signal(signal) => Verdict::Failed(run.killed(signal)),
        Exit::Code(0) => run.success(),
        Exit::Code(_) if run.does_not_build() => Verdict::NotRun,
        Exit::Code(EXIT_PANIC) if !run.left_early() => Verdict::Failed(run.failure()),
        Exit::Code(status) => Verdict::Failed(run.exited(status)),
    }
}

struct Run<'a> {
    stdout: &'a str,
    stderr: &'a str,
    test: &'a str,
}

impl Run<'_> {
    fn success(&self) -> Verdict {
        let result =
            self.stdout.lines().rev().find_map(|line| line.strip_prefix("test result: ok. "));
        match result {
            Some(result) if result.starts_with("0 passed") => Verdict::NotRun,
            _ => Verdict::Passed,
        }
    }

    fn does_not_build(&self) -> bool {
        self.stdout.lines().any(|line| line == "Couldn't compile the test.")
    }

    /// Whether libtest began and did not come to tell a result: then the status is the test's own, and so is what was
    /// printed, though it may read like a panic.
    fn left_early(&self) -> bool {
        let has = |start: &str| self.stdout.lines().any(|line| line.starts_with(start));
        has("running 1 test") && !has("failures:") && !has("test result: ")
    }

    fn failure(&self) -> Signature {
        self.should_have_panicked()
            .or_else(|| self.returned_error())
            .or_else(|| self.panicked())
            .unwrap_or_else(|| Signature::new(FailureKind::Panic, ""))
    }

    /// The status is part of what is compared; a harness of its own that returns an error from
    /// `main` exits with 1.
    fn exited(&self, status: i32) -> Signature {
        if let Some(error) = self.returned_error() {
            return error;
        }
        let message = match reason(self.stderr) {
            Some(reason) => format!("exit status {status}: {reason}"),
            None => format!("exit status {status}"),
        };
        Signature::new(FailureKind::Exit, message)
    }

    fn killed(&self, signal: i32) -> Signature {
        let name = Signal::try_from(signal)
            .map_or_else(|_| format!("signal {signal}"), |it| it.as_str().to_owned());
        let reason = reason(self.stderr);
        if reason.is_none() && signal != Signal::SIGABRT as i32 {
            return Signature::new(FailureKind::Signal, name);
        }
        let reason = reason.unwrap_or(name);
        self.panicked_without_way_out(&reason)
            .unwrap_or_else(|| Signature::new(FailureKind::Abort, reason))
    }

    /// A panic that cannot unwind, or comes during another. It is followed by one inside the standard
    /// library, or (in older versions) by a line, that says so.
    fn panicked_without_way_out(&self, reason: &str) -> Option<Signature> {
        let panics = panics(self.stderr);
        let last = panics.last()?;
        let verdict = if last.location.is_in_std() {
            last.message
        } else if reason.starts_with("thread ") {
            reason
        } else {
            return None;
        };
        let cause = panics
            .iter()
            .rfind(|panic| panic.thread == last.thread && !panic.location.is_in_std())?;
        let message = format!("{verdict}: {}", cause.message);
        Some(Signature::new(FailureKind::Abort, message).at(cause.location.clone()))
    }

    fn should_have_panicked(&self) -> Option<Signature> {
        let note = self.stdout.lines().rev().find_map(should_panic_note)?;
        let (text, location) = match note.rsplit_once(" at ") {
            Some((text, place)) => (text, place.parse::<Location>().ok()),
            None => (note, None),
        };
        let text = text.trim_end_matches([',', '.', ':']);
        // A panic with a message that was not expected is known by its own message.
        let panic = self.panicked();
        let message = match &panic {
            Some(panic) => format!("{text}: {}", panic.message),
            None => text.to_owned(),
        };
        Some(Signature {
            kind: FailureKind::ShouldPanic,
            message,
            location: location.or_else(|| panic.and_then(|it| it.location)),
            is_unordered: false,
        })
    }

    /// The `Err` that the test returned; it is printed after everything else.
    fn returned_error(&self) -> Option<Signature> {
        let panics = panics(self.stderr);
        let from = self.own(panics.iter()).map_or(0, |panic| panic.end);
        let start = line_starts(self.stderr)
            .filter(|at| *at >= from && self.stderr[*at..].starts_with(ERROR))
            .rfind(|at| !panics.iter().any(|it| (it.start..it.end).contains(at)))?;
        let end = panics
            .iter()
            .map(|panic| panic.start)
            .find(|at| *at > start)
            .unwrap_or(self.stderr.len());
        let message = self.stderr[start + ERROR.len()..end].trim_end();
        Some(Signature::new(FailureKind::Error, message))
    }

    fn panicked(&self) -> Option<Signature> {
        // A captured run and rustdoc repeat standard error on standard output.
        [self.stderr, self.stdout].into_iter().find_map(|text| {
            let panics = panics(text);
            let panic = self.own(panics.iter()).or(panics.first())?;
            let panic = cause(&panics, panic).unwrap_or(panic);
            Some(Signature::new(FailureKind::Panic, panic.message).at(panic.location.clone()))
        })
    }

    /// The last panic on the test's own thread, which is the main one with some versions of libtest.
    fn own<'a, 'b: 'a>(
        &self,
        panics: impl DoubleEndedIterator<Item = &'a Panic<'b>>,
    ) -> Option<&'a Panic<'b>> {
        let mut on_main = None;
        for panic in panics.rev() {
            if panic.thread == self.test {
                return Some(panic);
            }
            if panic.thread == "main" {
                on_main = on_main.or(Some(panic));
            }
        }
        on_main
    }
}

/// The panic of another thread that a panic passes on.
fn cause<'a, 'b>(panics: &'a [Panic<'b>], passed_on: &Panic<'b>) -> Option<&'a Panic<'b>> {
    if !passed_on.is_passed_on() {
        return None;
    }
    panics.iter().rfind(|panic| {
        panic.start < passed_on.start && panic.thread != passed_on.thread && !panic.is_passed_on()
    })
}

/// What libtest or rustdoc say about a test that should have panicked.
fn should_panic_note(line: &str) -> Option<&str> {
    let note = line.strip_prefix("note: ").unwrap_or(line);
    let known = [
        "test did not panic as expected",
        "panic did not contain expected string",
        "expected panic with string value",
        "Test executable succeeded, but it's marked `should_panic`",
    ];
    known.iter().any(|it| note.starts_with(it)).then_some(note)
}

fn line_starts(text: &str) -> impl DoubleEndedIterator<Item = usize> + '_ {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1))
}

#[cfg(test)]
mod tests;
