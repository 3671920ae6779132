//! The calls that led to a panic, in what a program printed of it.

use std::time::Duration;

use camino::Utf8Path;

use super::Verdict;
use super::panics::panics;
use crate::exec::{Confined, Finished, Job};
use crate::oracle::signature::{Location, Signature};
use crate::probe::RUNTIME_FILE;
use crate::source::{LineColumn, LineIndex};

/// Makes the panic hook print them, all in the same form, files with their whole paths.
pub const BACKTRACE: (&str, &str) = ("RUST_BACKTRACE", "full");

/// How much longer a run may take that prints them: all names of the program are looked up.
const TIME: Duration = Duration::from_secs(10);

/// What stands before a place, in a line of its own.
const AT: &str = "at ";

/// A run that prints which calls led to a panic. It may take longer.
pub fn telling_calls(job: Job) -> Job {
    let (name, value) = BACKTRACE;
    let mut telling = job.env(name, value);
    let limits = &mut telling.limits;
    limits.time = limits.time.map(|time| time + TIME);
    (limits.cpu, limits.sleep) = (None, None);
    telling
}

/// Whose calls count.
#[derive(Debug, Clone, Copy)]
pub enum Callers<'r> {
    /// Those in files below this folder, an absolute path; they are named by their paths from there.
    Below(&'r Utf8Path),
    /// These, and those in all other files but the standard library's and the probe's runtime, which are named
    /// by their whole paths.
    BesidesStd(&'r Utf8Path),
}

impl Callers<'_> {
    /// The place of a call that counts.
    fn place_of(self, call: Location) -> Option<Location> {
        let (Callers::Below(root) | Callers::BesidesStd(root)) = self;
        let file = Utf8Path::new(&call.file);
        let is_below = file.starts_with(root);
        // The runtime's panic hook has printed the calls.
        let is_own = call.file.ends_with(RUNTIME_FILE) || call.is_in_std();
        let counts = match self {
            Callers::Below(_) => is_below && !is_own,
            // The C library may have line tables where the program has none.
            Callers::BesidesStd(_) => !is_own && file.extension() == Some("rs"),
        };
        let mut place = counts.then(|| as_panics_count(call))?;
        if let Ok(file) = Utf8Path::new(&place.file).strip_prefix(root) {
            place.file = file.to_string();
        }
        Some(place)
    }
}

/// The innermost call by one of `callers` that led to the panic `shown`: as `again` tells, a run of the same test
/// with [`BACKTRACE`]. `None` where the panic did not come back, or no such call has a place: a program without
/// line tables has none.
///
/// The column is the one that a panic of the called function would name if it told of its caller
/// (`#[track_caller]`).
pub fn innermost_call(
    verdict: &Verdict,
    again: &Finished,
    shown: &Signature,
    callers: Callers<'_>,
) -> Option<Location> {
    let Verdict::Failed(panic) = verdict else { return None };
    let is_again = panic.kind == shown.kind && panic.location == shown.location;
    let stderr = again.stderr.text();
    let mut calls = calls(&stderr, panic).filter(|_| is_again);
    calls.find_map(|call| callers.place_of(call))
}

/// What a run of a test shows, with the place of a failure exchanged for that of the innermost call by one of
/// `callers`, if there are any for that failure; for them it is run once more, [telling the calls](telling_calls).
///
/// # Errors
/// Those of `look`, which runs it.
pub fn at_call<'j, E>(
    job: &Confined,
    look: impl Fn(&Confined) -> Result<(Verdict, Finished), E>,
    callers: impl FnOnce(&Signature) -> Option<Callers<'j>>,
) -> Result<Verdict, E> {
    let (mut verdict, _) = look(job)?;
    if let Verdict::Failed(shown) = &mut verdict
        && let Some(callers) = callers(shown)
    {
        let (verdict, finished) = look(&job.clone().map(telling_calls))?;
        shown.location = innermost_call(&verdict, &finished, shown, callers);
    }
    Ok(verdict)
}

/// Where the calls stand that led to a panic, the innermost first.
fn calls<'p>(printed: &'p str, panic: &Signature) -> impl Iterator<Item = Location> + use<'p> {
    let panics = panics(printed);
    let is_it = |at: &Location, message: &str| {
        message == panic.message && panic.location.as_ref() == Some(at)
    };
    let found = panics.iter().rposition(|it| is_it(&it.location, it.message));
    let below = found.map_or("", |found| {
        let end = panics.get(found + 1).map_or(printed.len(), |it| it.start);
        &printed[panics[found].end..end]
    });
    below.lines().filter_map(|line| line.trim_start().strip_prefix(AT)?.parse().ok())
}

/// The place with its column as panics tell it: a backtrace counts bytes.
fn as_panics_count(call: Location) -> Location {
    let Ok(text) = std::fs::read_to_string(&call.file) else { return call };
    let line_start = LineColumn { line: call.line as usize, column: 1 };
    let start = LineIndex::new(&text).offset(&text, line_start);
    let place = start.and_then(|start| {
        let offset = start + (call.column as usize).saturating_sub(1);
        Location::of_offset(&call.file, &text, offset)
    });
    place.filter(|place| place.line == call.line).unwrap_or(call)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::Exit;
    use crate::oracle::signature::FailureKind;

    const PRINTED: &str = "thread 'a' (1) panicked at /rustc/0/core/src/num/f64.rs:1502:9:\nmin > max\n\
        stack backtrace:\n   0:     0x55e0002561fa - std[e28293b1]::panic::{closure}\n\
        \x20                              at /rustc/0/std/src/x.rs:117:9\n\
        \x20                              at /a b/cargo_reduce_runtime.rs:662:13\n   1:     0x55e0001ddc84 - shop::inner\n\
        \x20                              at /a b/src/lib.rs:6:16\n   2:     0x55e0001ddc90 - no_place\n\n\
        thread 'b' (2) panicked at src/lib.rs:1:2:\nanother\nstack backtrace:\n   0:     0x1 - shop::other\n\
        \x20                              at /a b/src/lib.rs:9:9\n";

    fn call_by(callers: Callers<'_>, message: &str, place: &str) -> Option<String> {
        let shown = Signature::new(FailureKind::Panic, message).at(place.parse().unwrap());
        let again = Finished::printing(Exit::Code(101), "", PRINTED);
        let verdict = Verdict::Failed(shown.clone());
        let call = innermost_call(&verdict, &again, &shown, callers);
        call.map(|place| place.to_string())
    }

    fn call_below(root: &str, message: &str, place: &str) -> Option<String> {
        call_by(Callers::Below(Utf8Path::new(root)), message, place)
    }

    #[test]
    fn the_innermost_call_in_the_folder_counts_of_those_to_that_panic() {
        let inner = "/rustc/0/core/src/num/f64.rs:1502:9";
        let found = call_below("/a b", "min > max", inner);
        assert_eq!(found.as_deref(), Some("src/lib.rs:6:16"));
        assert_eq!(call_below("/a", "min > max", inner), None);
        let found = call_below("/a b/src", "another", "src/lib.rs:1:2");
        assert_eq!(found.as_deref(), Some("lib.rs:9:9"));
        assert_eq!(call_below("/a b", "another", "src/lib.rs:1:3"), None);
    }

    #[test]
    fn a_call_in_a_dependency_counts_by_its_whole_path_where_only_std_does_not() {
        let inner = "/rustc/0/core/src/num/f64.rs:1502:9";
        let by = |root| call_by(Callers::BesidesStd(Utf8Path::new(root)), "min > max", inner);
        assert_eq!(by("/a b").as_deref(), Some("src/lib.rs:6:16"));
        assert_eq!(by("/elsewhere").as_deref(), Some("/a b/src/lib.rs:6:16"));
        let of_libc = Location::new("./nptl/pthread_create.c", 442, 8);
        let callers = Callers::BesidesStd(Utf8Path::new("/a b"));
        assert_eq!(callers.place_of(of_libc), None);
    }
}
