//! The calls that led to a panic, in what a program printed of it.

use camino::Utf8Path;

use super::Verdict;
use super::panics::panics;
use crate::exec::Finished;
use crate::oracle::signature::{Location, Signature};

/// Makes the panic hook print them, all in the same form, files with their whole paths.
pub const BACKTRACE: (&str, &str) = ("RUST_BACKTRACE", "full");

/// What stands before a place, in a line of its own.
const AT: &str = "at ";

/// The innermost call in a file below `root`, an absolute path, that led to the panic `shown`: as `again` tells,
/// a run of the same test with [`BACKTRACE`], by the file's path from there. `None` where the panic did not come
/// back, or no such call has a place: a program without line tables has none.
///
/// The column is the one that a panic of the called function would name if it told of its caller
/// (`#[track_caller]`).
#[must_use]
pub fn innermost_call(
    (verdict, again): (&Verdict, &Finished),
    shown: &Signature,
    root: &Utf8Path,
) -> Option<Location> {
    let Verdict::Failed(panic) = verdict else {
        return None;
    };
    let is_again = panic.kind == shown.kind && panic.location == shown.location;
    let stderr = again.stderr.text();
    let mut calls = calls(&stderr, panic).filter(|_| is_again);
    calls.find_map(|call| {
        let file = Utf8Path::new(&call.file).strip_prefix(root).ok()?;
        Some(Location::new(file.as_str(), call.line, call.column))
    })
}

/// Where the calls stand that led to a panic, the innermost first.
fn calls<'p>(printed: &'p str, panic: &Signature) -> impl Iterator<Item = Location> + use<'p> {
    let panics = panics(printed);
    let is_it = |at: &Location, message: &str| {
        message == panic.message && panic.location.as_ref() == Some(at)
    };
    let found = { panics.iter() }.rposition(|it| is_it(&it.location, it.message));
    let told = found.map_or("", |found| {
        let end = panics.get(found + 1).map_or(printed.len(), |it| it.start);
        &printed[panics[found].end..end]
    });
    told.lines()
        .filter_map(|line| line.trim_start().strip_prefix(AT)?.parse().ok())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::exec::{Captured, Exit};
    use crate::oracle::signature::Kind;

    const PRINTED: &str = "thread 'a' (1) panicked at /rustc/0/core/src/num/f64.rs:1502:9:\nmin > max\n\
        stack backtrace:\n   0:     0x55e0002561fa - std[e28293b1]::panic::{closure}\n\
        \x20                              at /rustc/0/std/src/x.rs:117:9\n   1:     0x55e0001ddc84 - shop::inner\n\
        \x20                              at /a b/src/lib.rs:6:16\n   2:     0x55e0001ddc90 - no_place\n\n\
        thread 'b' (2) panicked at src/lib.rs:1:2:\nanother\nstack backtrace:\n   0:     0x1 - shop::other\n\
        \x20                              at /a b/src/lib.rs:9:9\n";

    fn call_below(root: &str, message: &str, place: &str) -> Option<String> {
        let shown = Signature::new(Kind::Panic, message).at(place.parse().unwrap());
        let again = Finished {
            exit: Exit::Code(101),
            stdout: Captured::default(),
            stderr: PRINTED.into(),
            wall: Duration::ZERO,
        };
        let verdict = Verdict::Failed(shown.clone());
        let call = innermost_call((&verdict, &again), &shown, Utf8Path::new(root));
        call.map(|place| place.to_string())
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
}
