//! The panics in what a program printed.

use super::reason::is_stack_overflow;
use crate::oracle::signature::{FailureKind, Location, PanicHead, Signature};

/// One panic, as the default hook prints it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Panic<'a> {
    /// The name of the thread.
    pub(super) thread: &'a str,
    /// What it says, without the newline at its end.
    pub(super) message: &'a str,
    /// Where it happened.
    pub(super) location: Location,
    /// Where in the text it stands.
    pub(super) start: usize,
    /// Where in the text its message ends.
    pub(super) end: usize,
}

impl Panic<'_> {
    /// Whether it only passes on the panic of another thread, which had to be told by that one: what
    /// `join().unwrap()` and a scope of threads say is the same for every failure.
    pub(super) fn is_passed_on(&self) -> bool {
        self.message.contains("Any { .. }") || self.message == "a scoped thread panicked"
    }
}

/// The thread in which a program starts.
const MAIN: &str = "main";

/// Lines that the hook, the runtime or libtest print after a message.
const AFTER_MESSAGE: [&str; 10] = [
    "note: run with `RUST_BACKTRACE",
    "note: Run with `RUST_BACKTRACE",
    "note: Some details are omitted",
    "stack backtrace:",
    "thread caused non-unwinding panic",
    "thread panicked while",
    "fatal runtime error:",
    "failures:",
    "---- ",
    "test result:",
];

/// All panics in a text, in order.
pub(super) fn panics(text: &str) -> Vec<Panic<'_>> {
    let mut panics: Vec<Panic<'_>> = Vec::new();
    let mut from = 0;
    while let Some(head) = PanicHead::find(text, from) {
        if let Some(panic) = panic_of(text, head) {
            from = panic.end;
            panics.push(panic);
        } else {
            from = head.start + 1;
        }
    }
    panics
}

/// All panics in a text as failures, in order.
pub fn panics_in(text: &str) -> Vec<Signature> {
    panics(text)
        .into_iter()
        .map(|panic| Signature::new(FailureKind::Panic, panic.message).at(panic.location))
        .collect()
}

fn panic_of<'t>(text: &'t str, head: PanicHead<'t>) -> Option<Panic<'t>> {
    let PanicHead { thread, start, place } = head;
    let line_end = line_end(text, place);
    if let Some(location) = text[place..line_end].strip_suffix(':').and_then(|it| it.parse().ok()) {
        let begin = (line_end + 1).min(text.len());
        let end = message_end(text, begin);
        let end = end_with_child(text, thread, end).unwrap_or(end);
        return Some(Panic {
            thread,
            message: text[begin..end].trim_end_matches('\n'),
            location,
            start,
            end,
        });
    }
    let (message, location, end) = quoted_message(text, place)?;
    Some(Panic { thread, message, location, start, end })
}

/// Before Rust 1.73 the message came first: `'MESSAGE', FILE:LINE:COLUMN`.
fn quoted_message(text: &str, place: usize) -> Option<(&str, Location, usize)> {
    if !text[place..].starts_with('\'') {
        return None;
    }
    let begin = place + 1;
    let mut end = line_end(text, begin);
    loop {
        let parts = text[begin..end].rsplit_once("', ");
        if let Some((message, location)) = parts
            && let Ok(location) = location.parse()
        {
            return Some((message, location, end));
        }
        if end == text.len() {
            return None;
        }
        end = line_end(text, end + 1);
    }
}

/// Where a message ends that has begun at `begin`. Only the first panic of a process is followed by
/// a note; after another the next panic ends it, or the text.
fn message_end(text: &str, begin: usize) -> usize {
    let mut at = begin;
    while at < text.len() {
        let end = line_end(text, at);
        let line = &text[at..end];
        let is_after = AFTER_MESSAGE.iter().any(|it| line.starts_with(it))
            || PanicHead::find(line, 0).is_some_and(|head| head.start == 0)
            || is_stack_overflow(line);
        if is_after {
            return at;
        }
        at = end + 1;
    }
    text.len()
}

/// Where a message ends that holds what a child process has printed, the panic of its main thread: that does not panic in
/// the process of the test after the test itself has. The child's own note is a part of the message, too.
fn end_with_child(text: &str, thread: &str, end: usize) -> Option<usize> {
    const NOTE: &str = "\nnote: run with `RUST_BACKTRACE";
    let is_of_child = |inner: &PanicHead<'_>| inner.start == end && inner.thread == MAIN;
    let inner = PanicHead::find(text, end).filter(is_of_child).filter(|_| thread != MAIN)?;
    let inner_end = message_end(text, (line_end(text, inner.place) + 1).min(text.len()));
    let between = &text[inner_end..];
    let listed = between.find("\nfailures:").unwrap_or(between.len());
    let note = between[..listed].rfind(NOTE)?;
    Some(inner_end + note)
}

fn line_end(text: &str, from: usize) -> usize {
    text[from..].find('\n').map_or(text.len(), |end| from + end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(&str, &str, String)> {
        panics(text)
            .into_iter()
            .map(|it| (it.thread, it.message, it.location.to_string()))
            .collect()
    }

    fn one<'a>(thread: &'a str, message: &'a str, location: &str) -> (&'a str, &'a str, String) {
        (thread, message, location.to_owned())
    }

    #[test]
    fn a_message_goes_on_over_blank_lines_up_to_the_note() {
        let text = "\nthread 'multi' (19579) panicked at t.rs:39:22:\nline1\nline2\n\nline4\n\
            note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n";
        assert_eq!(read(text), [one("multi", "line1\nline2\n\nline4", "t.rs:39:22")]);
    }

    #[test]
    fn several_panics_are_told_apart() {
        let text = "noise\n\nthread '<unnamed>' (1) panicked at a b.rs:16:50:\ninner\n\
            note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n\n\
            thread 'it's mine' (2) panicked at t.rs:16:75:\nouter\n";
        assert_eq!(
            read(text),
            [one("<unnamed>", "inner", "a b.rs:16:50"), one("it's mine", "outer", "t.rs:16:75")]
        );
    }

    #[test]
    fn the_panic_of_a_child_that_a_message_quotes_is_a_part_of_it() {
        let note =
            "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n";
        let child = format!("thread 'main' (2) panicked at src/a.rs:1:2:\ninner\n{note}");
        let text =
            format!("\nthread 'test' (1) panicked at t.rs:3:4:\nit failed:\n{child}\n{note}");
        let message = format!("it failed:\n{}", child.trim_end());
        assert_eq!(read(&text), [one("test", &message, "t.rs:3:4")]);
        let text =
            "thread 'test' (1) panicked at t.rs:3:4:\nthread 'main' (2) panicked at src/a.rs:1:2:";
        assert_eq!(read(text).len(), 2);
        // What stands before the header was printed by the child itself.
        let text = format!("{child}\nthread 'test' (1) panicked at t.rs:3:4:\nit failed\n{note}");
        let (inner, outer) =
            (one("main", "inner", "src/a.rs:1:2"), one("test", "it failed", "t.rs:3:4"));
        assert_eq!(read(&text), [inner, outer]);
    }

    #[test]
    fn heads_and_messages_of_older_versions_are_read_and_empty_messages() {
        let place = "/rustc/0/library/core/src/str.rs:1:2";
        let no_number = format!("thread 'a::b' panicked at {place}:\nno newline at the end");
        let quoted = "running thread 'main' panicked at 'it's\nfoo', src/a', b.rs', src/x.rs:1:2\n\
            note: run with `RUST_BACKTRACE=1`\nthread 'b' panicked at 'again', src/y.rs:3:4\n";
        let empty = "thread 'a' (1) panicked at a.rs:1:2:";
        let nothing = format!("{empty}\n\nnote: run with `RUST_BACKTRACE=1`\n");
        let first = one("main", "it's\nfoo', src/a', b.rs", "src/x.rs:1:2");
        assert_eq!(read(&no_number), [one("a::b", "no newline at the end", place)]);
        assert_eq!(read(quoted), [first, one("b", "again", "src/y.rs:3:4")]);
        for text in [empty, &nothing] {
            assert_eq!(read(text), [one("a", "", "a.rs:1:2")]);
        }
    }

    #[test]
    fn what_only_looks_like_a_panic_is_left_alone() {
        for text in [
            "thread 'a' has overflowed its stack\n",
            "left: \"thread 'a' panicked at a.rs:1:2:\\nfoo\"\n",
            "thread 'a' panicked at the disco\n",
            "thread '",
            "thread 'a' panicked at 'b",
        ] {
            assert_eq!(read(text), [], "{text}");
        }
    }
}
