//! Why a process died, in the words of the runtimes that ended it.

use crate::oracle::signature::ALLOCATOR_COMPLAINTS;

/// Why a process died whose stack was too small.
pub const STACK_OVERFLOW: &str = "stack overflow";
/// The environment variable that says how large the stack of a test's thread is, in bytes.
pub const STACK_SIZE: &str = "RUST_MIN_STACK";

/// Beginnings of lines that say why.
const LINES: [&str; 5] = [
    "memory allocation of ",
    "thread caused non-unwinding panic",
    "thread panicked while ",
    "terminate called ",
    "*** ",
];
/// What stands before the words that say why.
const LEADS: [&str; 2] = ["fatal runtime error: ", "error: Undefined Behavior: "];

/// What sanitizers put before their verdict.
const SANITIZERS: [&str; 4] =
    ["AddressSanitizer: ", "LeakSanitizer: ", "MemorySanitizer: ", "ThreadSanitizer: "];

/// Why the process that printed this to standard error died, if it says so.
pub(super) fn reason(stderr: &str) -> Option<String> {
    stderr.lines().find_map(reason_in)
}

/// Whether a line says that the stack of a thread was too small.
pub(super) fn is_stack_overflow(line: &str) -> bool {
    line.starts_with("thread '") && line.ends_with("has overflowed its stack")
}

fn reason_in(line: &str) -> Option<String> {
    if is_stack_overflow(line) {
        return Some(STACK_OVERFLOW.to_owned());
    }
    for sanitizer in SANITIZERS {
        if let Some((_, verdict)) = line.split_once(sanitizer) {
            // What follows are addresses and process numbers.
            let verdict = verdict.split(" on ").next().unwrap_or(verdict);
            let verdict = verdict.split(" (").next().unwrap_or(verdict);
            return Some(format!("{sanitizer}{verdict}"));
        }
    }
    // C's `assert`.
    let is_assertion = line.contains(": Assertion `") && line.ends_with("failed.");
    let mut lines = ALLOCATOR_COMPLAINTS.iter().chain(&LINES);
    let reason = if is_assertion || lines.any(|words| line.starts_with(words)) {
        line
    } else {
        LEADS.iter().find_map(|lead| line.strip_prefix(lead))?
    };
    Some(reason.strip_suffix(", aborting").unwrap_or(reason).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_each_runtime_are_known() {
        for (stderr, expected) in [
            (
                "x\nthread 'so' (1) has overflowed its stack\nfatal runtime error: stack overflow, aborting\n",
                "stack overflow",
            ),
            ("memory allocation of 7 bytes failed\n", "memory allocation of 7 bytes failed"),
            (
                "fatal runtime error: Rust cannot catch foreign exceptions, aborting",
                "Rust cannot catch foreign exceptions",
            ),
            (
                "==12==ERROR: AddressSanitizer: heap-use-after-free on address 0x60 at pc 0x5",
                "AddressSanitizer: heap-use-after-free",
            ),
            ("WARNING: ThreadSanitizer: data race (pid=5)", "ThreadSanitizer: data race"),
            ("t: a.c:3: f: Assertion `x > 1' failed.", "t: a.c:3: f: Assertion `x > 1' failed."),
            ("error: Undefined Behavior: using uninitialized data", "using uninitialized data"),
        ] {
            assert_eq!(reason(stderr).as_deref(), Some(expected));
        }
    }

    #[test]
    fn other_output_is_no_reason() {
        assert_eq!(reason("hello\nthis is not a free(): call\n"), None);
    }
}
