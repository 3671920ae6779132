//! What is read from real test binaries, as the compiler at hand makes them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Verdict, interpret, parse_list};
use crate::exec::{Finished, Interrupt, Job, run_tool};

/// What each test of the fixture is read as; columns are left out.
const EXPECTED: &[(&str, &str)] = &[
    ("aborts", "abort: SIGABRT"),
    ("any_payload", "panic at verdicts.rs:35: Box<dyn Any>"),
    ("cannot_unwind", "abort at verdicts.rs:93: panic in a function that cannot unwind: in C"),
    (
        "compares",
        "panic at verdicts.rs:25: assertion `left == right` failed: and says 5\n  left: [\"a\\nb\"]\n right: []",
    ),
    ("exits", "exit: exit status 3"),
    ("exits_well", "passed"),
    ("hangs", "timeout: does not finish in time"),
    ("ignored", "not run"),
    ("overflows_its_stack", "abort: stack overflow"),
    ("panics_after_a_caught_panic", "panic at verdicts.rs:64: real"),
    ("panics_on_two_threads", "panic at verdicts.rs:57: outer"),
    ("panics_twice", "abort at verdicts.rs:82: panic in a destructor during cleanup: in drop"),
    ("passes", "passed"),
    ("returns_an_error", "error: ParseIntError { kind: InvalidDigit }"),
    ("several_lines", "panic at verdicts.rs:20: one\n\nthree"),
    ("should_panic", "should-panic at verdicts.rs:46: test did not panic as expected"),
    (
        "should_panic_otherwise",
        "should-panic at verdicts.rs:51: panic did not contain expected string: bar",
    ),
    (
        "unwraps",
        "panic at verdicts.rs:30: called `Result::unwrap()` on an `Err` value: ParseIntError { kind: PosOverflow }",
    ),
    ("writes_to_nowhere", "signal: SIGSEGV"),
];

fn compile(folder: &Path) -> PathBuf {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let binary = folder.join("verdicts");
    let rustc = Job::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .cwd(fixtures)
        // The check of null pointers in debug builds would panic before the signal comes.
        .args(["--test", "--edition=2021", "-Cdebug-assertions=off", "verdicts.rs", "-o"])
        .arg(&binary);
    let finished = run_tool(&rustc, &Interrupt::new()).unwrap();
    assert!(finished.exit.is_success(), "{}", finished.stderr.text());
    binary
}

fn finish(binary: &Path, args: &[&str]) -> Finished {
    let job = Job::new(binary).args(args).env("RUST_BACKTRACE", "0").time(Duration::from_secs(2));
    run_tool(&job, &Interrupt::new()).unwrap()
}

fn arguments(test: &str) -> [&str; 4] {
    ["--exact", test, "--nocapture", "--test-threads=1"]
}

fn read(finished: &Finished, test: &str) -> String {
    match interpret(finished, test) {
        Verdict::Passed => "passed".to_owned(),
        Verdict::NotRun => "not run".to_owned(),
        Verdict::Failed(mut signature) => {
            let place = signature.location.take();
            let text = signature.to_string();
            match place {
                Some(place) => {
                    text.replacen(':', &format!(" at {}:{}:", place.file, place.line), 1)
                }
                None => text,
            }
        }
    }
}

#[test]
fn every_end_of_a_test_is_read_from_a_real_binary() {
    let folder = tempfile::tempdir().unwrap();
    let binary = compile(folder.path());
    let list = finish(&binary, &["--list", "--format", "terse"]);
    let tests = parse_list(&list.stdout.text());
    assert_eq!(tests, EXPECTED.iter().map(|(test, _)| *test).collect::<Vec<_>>());
    for (test, expected) in EXPECTED {
        let verdict = read(&finish(&binary, &arguments(test)), test);
        assert_eq!(verdict, *expected, "{test}");
    }
    let nothing = finish(&binary, &arguments("no_such_test"));
    assert_eq!(interpret(&nothing, "no_such_test"), Verdict::NotRun);
}
