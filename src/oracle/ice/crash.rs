//! What a crash of the compiler looks like: read from how rustc ended and what it printed.

use std::sync::LazyLock;

use regex::Regex;

use crate::exec::{Exit, Finished};
use crate::oracle::libtest::panics_in;
use crate::oracle::signature::template;

/// How many frames of the query stack belong to the signature.
const TOP_FRAMES: usize = 1;

/// In which way the compiler crashed. Two ways are never the same crash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CrashKind {
    /// It panicked, or reported an internal compiler error.
    Panic,
    /// Errors that it had put off were never reported.
    DelayedBug,
    /// LLVM gave up: an error or an assertion.
    Llvm,
    /// It was killed by a signal, a stack overflow mostly.
    Signal,
    /// It ran out of memory.
    Memory,
    /// It did not end in time.
    Timeout,
}

/// What identifies a crash.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Crash {
    /// In which way.
    pub kind: CrashKind,
    /// The template of the message.
    pub message: String,
    /// Where in the compiler, as `compiler/…/file.rs:line:column`.
    pub location: Option<String>,
    /// The names of the innermost queries.
    pub queries: Vec<String>,
}

/// What one run of the compiler says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The crash, if there was one.
    pub crash: Option<Crash>,
    /// Whether it reported errors of the source besides.
    pub has_errors: bool,
    /// Whether it compiled the source.
    pub compiles: bool,
}

/// Reads what a run of rustc says.
pub fn interpret(finished: &Finished) -> Verdict {
    let mut output = finished.stderr.text();
    output.push('\n');
    output.push_str(&finished.stdout.text());
    Verdict {
        crash: crash(finished.exit, &output),
        has_errors: has_errors(&output),
        compiles: finished.exit.is_success(),
    }
}

fn crash(exit: Exit, output: &str) -> Option<Crash> {
    if exit == Exit::TimedOut {
        return Some(plain(CrashKind::Timeout, ""));
    }
    if let Some(found) = find(&LLVM, output) {
        return Some(plain(CrashKind::Llvm, &template(found)));
    }
    if MEMORY.is_match(output) {
        return Some(plain(CrashKind::Memory, ""));
    }
    if let Some(found) = find(&INTERRUPTED, output) {
        return Some(plain(CrashKind::Signal, found));
    }
    if let Some(crash) = panic(output) {
        return Some(crash);
    }
    match exit {
        Exit::Signal(signal) => Some(plain(CrashKind::Signal, &format!("signal {signal}"))),
        _ => None,
    }
}

fn panic(output: &str) -> Option<Crash> {
    let panicked = panics_in(output).into_iter().next();
    let internal = INTERNAL.captures(output);
    if panicked.is_none() && internal.is_none() {
        return None;
    }
    // The report names the message and, for `bug!`, the place; a plain panic has both in its own lines.
    let part = |name: &str| Some(internal.as_ref()?.name(name)?.as_str().to_owned());
    let place = || Some(panicked.as_ref()?.location.as_ref()?.to_string());
    let location = part("place").or_else(place);
    let headline = || panicked.as_ref().map(|panic| panic.headline().to_owned());
    let message = part("message").or_else(headline).unwrap_or_default();
    let is_delayed = output.contains("note: delayed at ");
    Some(Crash {
        kind: if is_delayed { CrashKind::DelayedBug } else { CrashKind::Panic },
        message: skeleton(&template(message.trim())),
        location: location.map(|place| from_compiler(&place)),
        queries: queries(output),
    })
}

/// A message without the names in it: crashes print types, paths and ids of the source, which change
/// while it shrinks. What is left are the plain words; the location says the rest.
fn skeleton(message: &str) -> String {
    let mut words: Vec<&str> = Vec::new();
    let mut depth = 0_usize;
    for word in message.split_whitespace() {
        let is_plain = |symbol: char| symbol.is_ascii_lowercase() || "_,.:;!?'-".contains(symbol);
        let is_name =
            depth > 0 || word.contains("::") || !word.chars().all(is_plain) && !words.is_empty();
        if !is_name {
            words.push(word);
        } else if words.last() != Some(&"…") {
            words.push("…");
        }
        depth += word.matches(['<', '(', '[', '{']).count();
        depth = depth.saturating_sub(word.matches(['>', ')', ']', '}']).count());
    }
    words.join(" ")
}

fn plain(kind: CrashKind, message: &str) -> Crash {
    Crash { kind, message: message.to_owned(), location: None, queries: Vec::new() }
}

/// The place without the directory in which the compiler was built.
fn from_compiler(place: &str) -> String {
    ["compiler/", "library/"]
        .into_iter()
        .find_map(|root| place.find(root).map(|start| place[start..].to_owned()))
        .unwrap_or_else(|| place.to_owned())
}

fn queries(output: &str) -> Vec<String> {
    QUERY.captures_iter(output).take(TOP_FRAMES).map(|found| found["name"].to_owned()).collect()
}

fn has_errors(output: &str) -> bool {
    output.lines().any(|line| {
        let is_error = line.starts_with("error[") || line.starts_with("error: ");
        is_error && !OWN_ERRORS.iter().any(|own| line.contains(own))
    })
}

/// Lines that come with a crash and are no errors of the source.
const OWN_ERRORS: [&str; 5] = [
    "internal compiler error",
    "the compiler unexpectedly panicked",
    "rustc interrupted by",
    "aborting due to",
    "could not compile",
];

fn find<'t>(regex: &Regex, text: &'t str) -> Option<&'t str> {
    regex.find(text).map(|found| found.as_str().trim())
}

macro_rules! patterns {
    ($($name:ident = $pattern:literal;)*) => {$(
        static $name: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new($pattern).unwrap_or_else(|error| panic!("a fixed pattern: {error}"))
        });
    )*};
}

patterns! {
    INTERNAL = r"(?m)^error: internal compiler error: (?:(?P<place>\S+\.rs:\d+:\d+): )?(?P<message>.*)$";
    LLVM = r"(?m)^(?:rustc-)?LLVM ERROR: .*$|^.*Assertion `.*' failed\.?.*$";
    MEMORY = r"(?m)^memory allocation of \d+ bytes failed|^fatal: out of memory|std::bad_alloc";
    INTERRUPTED = r"(?m)rustc interrupted by SIG[A-Z]+|has overflowed its stack";
    QUERY = r"(?m)^#\d+ \[(?P<name>\w+)\]";
}

#[cfg(test)]
mod tests {
    use super::*;

    const PANIC: &str = "error[E0412]: cannot find type\n\nthread 'rustc' (14428) panicked at /rustc-dev/598/compiler/rustc_a/src/lib.rs:611:55:\nno entry for node id: `NodeId(34)`\nnote: run\n\nerror: the compiler unexpectedly panicked. This is a bug\n\nquery stack during panic:\n#0 [hir_crate] lowering\n#1 [hir_attrs] x\nend of query stack\nerror: aborting due to 1 previous error\n";

    #[test]
    fn a_panic_has_a_template_a_place_and_a_query() {
        let crash = crash(Exit::Code(101), PANIC).unwrap();
        assert_eq!(crash.kind, CrashKind::Panic);
        assert_eq!(crash.message, "no entry for node id: …");
        assert_eq!(crash.location.as_deref(), Some("compiler/rustc_a/src/lib.rs:611:55"));
        assert_eq!(crash.queries, ["hir_crate"]);
        assert!(has_errors(PANIC));
    }

    #[test]
    fn an_internal_error_names_its_own_place() {
        let output = "error: internal compiler error: compiler/rustc_b/src/x.rs:1:2: broken MIR in 5\n  |\nthread 'rustc' panicked at compiler/rustc_errors/src/lib.rs:9:9:\nBox<dyn Any>\n";
        let crash = crash(Exit::Code(101), output).unwrap();
        assert_eq!(crash.location.as_deref(), Some("compiler/rustc_b/src/x.rs:1:2"));
        assert_eq!(crash.message, "broken … in …");
        assert!(!has_errors(output));
    }

    #[test]
    fn names_of_the_source_do_not_belong_to_the_message() {
        let same = |one, other| assert_eq!(skeleton(one), skeleton(other));
        same(
            "failed to resolve instance for <T as Foo>::bar",
            "failed to resolve instance for any::<&()>",
        );
        same(
            "broken MIR in DefId(0:7 ~ a[1]::f) (after x) at bb0",
            "broken MIR in DefId(0:9 ~ b[2]::{impl#1}::g) (after x) at bb3",
        );
        assert_ne!(
            skeleton("error performing operation: fully_perform"),
            skeleton("error performing operation: x")
        );
    }

    #[test]
    fn ends_without_a_panic_are_told_apart() {
        let kind = |exit, output: &str| crash(exit, output).map(|crash| crash.kind);
        assert_eq!(kind(Exit::TimedOut, ""), Some(CrashKind::Timeout));
        assert_eq!(
            kind(Exit::Signal(11), "error: rustc interrupted by SIGSEGV, printing backtrace"),
            Some(CrashKind::Signal)
        );
        assert_eq!(kind(Exit::Signal(6), "rustc-LLVM ERROR: cannot select"), Some(CrashKind::Llvm));
        assert_eq!(
            kind(Exit::Signal(6), "memory allocation of 64 bytes failed"),
            Some(CrashKind::Memory)
        );
        assert_eq!(kind(Exit::Code(1), "error: expected one of"), None);
        assert_eq!(kind(Exit::Code(0), ""), None);
    }
}
