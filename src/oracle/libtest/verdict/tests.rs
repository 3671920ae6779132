use super::*;

const NOTE: &str =
    "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n";

const FAILED: &str = "\nrunning 1 test\ntest t ... FAILED\n\nfailures:\n\nfailures:\n    t\n\n\
    test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 43 filtered out; finished in 0.00s\n\n";

fn verdict(exit: Exit, stdout: &str, stderr: &str) -> Verdict {
    interpret(&Finished::printing(exit, stdout, stderr), "t")
}

#[track_caller]
fn check(exit: Exit, stdout: &str, stderr: &str, expected: &str) {
    match verdict(exit, stdout, stderr) {
        Verdict::Failed(signature) => assert_eq!(signature.to_string(), expected),
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn check_failed(stderr: &str, expected: &str) {
    check(Exit::Code(101), FAILED, stderr, expected);
}

#[test]
fn a_test_that_ran_and_passed_is_told_from_one_that_did_not_run() {
    let result =
        |counts: &str| format!("\nrunning 1 test\ntest result: ok. {counts}; 0 measured\n");
    let of = |stdout: &str| verdict(Exit::Code(0), stdout, "");
    assert_eq!(of(&result("1 passed; 0 failed; 0 ignored")), Verdict::Passed);
    assert_eq!(of(&result("0 passed; 0 failed; 1 ignored")), Verdict::NotRun);
    assert_eq!(of(&result("0 passed; 0 failed; 0 ignored")), Verdict::NotRun);
    assert_eq!(of("\nrunning 1 test\ntest exit0 ... "), Verdict::Passed);
    assert_eq!(of("a harness of its own"), Verdict::Passed);
}

#[test]
fn the_last_panic_of_the_own_thread_counts_or_else_the_first_one() {
    let one = format!("\nthread 't' (7) panicked at src/x.rs:10:5:\nbad: 1\n{NOTE}");
    let own = format!(
        "\nthread '<unnamed>' (8) panicked at a.rs:1:1:\ninner\n{NOTE}\n\
         thread 't' (7) panicked at a.rs:2:1:\ncaught\n\n\
         thread 't' (7) panicked at a.rs:3:1:\nreal\n\n\
         thread 'main' (8) panicked at a.rs:4:1:\nlast words\n"
    );
    let others = format!(
        "\nthread 'w k' (8) panicked at a.rs:1:1:\none\n{NOTE}\nthread '<unnamed>' (9) panicked at a.rs:2:1:\ntwo\n"
    );
    for (stderr, expected) in [
        (one.as_str(), "panic at src/x.rs:10:5: bad: 1"),
        (&own, "panic at a.rs:3:1: real"),
        (&others, "panic at a.rs:1:1: one"),
        ("", "panic: "),
    ] {
        check_failed(stderr, expected);
    }
}

#[test]
fn the_panic_of_a_thread_counts_that_the_test_only_passes_on() {
    let thread = |place: &str, message: &str| {
        format!("\nthread '<unnamed>' (8) panicked at {place}:\n{message}\n{NOTE}")
    };
    let own = |message: &str| format!("\nthread 't' (7) panicked at a.rs:9:1:\n{message}\n");
    let joined = "called `Result::unwrap()` on an `Err` value: Any { .. }";
    let two = thread("a.rs:1:1", "caught") + &thread("a.rs:2:1", "real");
    check_failed(&(two.clone() + &own(joined)), "panic at a.rs:2:1: real");
    check_failed(&(two.clone() + &own("a scoped thread panicked")), "panic at a.rs:2:1: real");
    check_failed(&(two + &own("its own")), "panic at a.rs:9:1: its own");
    check_failed(&own(joined), &format!("panic at a.rs:9:1: {joined}"));
}

#[test]
fn a_captured_panic_is_found_on_standard_output() {
    let stdout = format!(
        "running 1 test\ntest t ... FAILED\n\nfailures:\n\n---- t stdout ----\n\n\
         thread 't' (7) panicked at a.rs:1:2:\nboo\n{NOTE}\n\nfailures:\n    t\n"
    );
    check(Exit::Code(101), &stdout, "", "panic at a.rs:1:2: boo");
}

#[test]
fn a_returned_error_is_read_over_several_lines() {
    check_failed(
        "log line\nError: top\n\nCaused by:\n    0: deep\n",
        "error: top\n\nCaused by:\n    0: deep",
    );
    let caught = format!("thread 't' (7) panicked at a.rs:1:2:\ncaught\n{NOTE}Error: returned\n");
    check_failed(&caught, "error: returned");
}

#[test]
fn an_error_inside_the_message_of_a_panic_is_no_returned_one() {
    let stderr = format!("thread 't' (7) panicked at a.rs:1:2:\nfailed:\nError: x\n{NOTE}");
    check_failed(&stderr, "panic at a.rs:1:2: failed:\nError: x");
    let printed = format!("Error: printed\nthread 't' (7) panicked at a.rs:1:2:\nx\n{NOTE}");
    check_failed(&printed, "panic at a.rs:1:2: x");
}

#[test]
fn a_test_that_should_panic_and_does_not_is_read() {
    let stdout = |note: &str| {
        format!(
            "test t - should panic ... FAILED\n\n---- t stdout ----\n{note}\n\nfailures:\n    t\n"
        )
    };
    let panicked = |place: &str, said: &str| {
        format!("\nthread 't' (1) panicked at t.rs:{place}:\n{said}\n{NOTE}")
    };
    let table = [
        (
            "test did not panic as expected at t.rs:12:28",
            "",
            " at t.rs:12:28: test did not panic as expected",
        ),
        ("test did not panic as expected", "", ": test did not panic as expected"),
        (
            "panic did not contain expected string\n      panic message: \"bar\"\n expected substring: \"foo\"",
            &panicked("13:52", "bar"),
            " at t.rs:13:52: panic did not contain expected string: bar",
        ),
        (
            "expected panic with string value,\n found non-string value: `TypeId(0x5)`\n     expected substring: \"foo\"",
            &panicked("14:52", "Box<dyn Any>"),
            " at t.rs:14:52: expected panic with string value: Box<dyn Any>",
        ),
    ];
    for (note, stderr, expected) in table {
        let note = stdout(&format!("note: {note}"));
        check(Exit::Code(101), &note, stderr, &format!("should-panic{expected}"));
    }
}

#[test]
fn signals_are_named_and_other_ends_say_why() {
    let overflow = "\nthread 't' (7) has overflowed its stack\nfatal runtime error: stack overflow, aborting\n";
    let memory = "memory allocation of 70368744177664 bytes failed\n";
    let address = "==5==ERROR: AddressSanitizer: heap-use-after-free on address 0x1\n";
    let error = "Error: ParseIntError { kind: Empty }\n";
    for (exit, stderr, expected) in [
        (Exit::Signal(11), "", "signal: SIGSEGV"),
        (Exit::Signal(4), "", "signal: SIGILL"),
        (Exit::Signal(9), "", "signal: SIGKILL"),
        (Exit::Signal(6), "", "abort: SIGABRT"),
        (Exit::Signal(60), "", "signal: signal 60"),
        (Exit::Signal(6), overflow, "abort: stack overflow"),
        (Exit::Signal(6), memory, "abort: memory allocation of 70368744177664 bytes failed"),
        (Exit::Code(3), "bye\n", "exit: exit status 3"),
        (Exit::Code(1), address, "exit: exit status 1: AddressSanitizer: heap-use-after-free"),
        (Exit::Code(1), error, "error: ParseIntError { kind: Empty }"),
    ] {
        check(exit, "\nrunning 1 test\ntest t ... ", stderr, expected);
    }
}

#[test]
fn a_panic_that_cannot_unwind_keeps_its_cause_on_the_thread_that_aborted() {
    for (caught, thread) in
        [("", "t"), ("\nthread 't' (7) panicked at t.rs:1:1:\ncaught\n", "worker")]
    {
        let stderr = format!(
            "{caught}\nthread '{thread}' (8) panicked at t.rs:22:22:\nin c\n{NOTE}\n\
             thread '{thread}' (8) panicked at /rustc/0/library/core/src/panicking.rs:225:5:\n\
             panic in a function that cannot unwind\nstack backtrace:\n   0: 0x1 - x\n\
             thread caused non-unwinding panic. aborting.\n"
        );
        let expected = "abort at t.rs:22:22: panic in a function that cannot unwind: in c";
        check(Exit::Signal(6), "", &stderr, expected);
    }
}

#[test]
fn a_panic_during_a_panic_is_an_abort_at_the_second() {
    let stderr = format!(
        "\nthread 't' (7) panicked at t.rs:21:32:\nfirst\n{NOTE}\n\
         thread 't' (7) panicked at t.rs:20:50:\nin drop\nstack backtrace:\n   0: 0x1 - x\n\
         thread 't' (7) panicked at /rustc/0/library/core/src/panicking.rs:230:5:\n\
         panic in a destructor during cleanup\nthread caused non-unwinding panic. aborting.\n"
    );
    let expected = "abort at t.rs:20:50: panic in a destructor during cleanup: in drop";
    check(Exit::Signal(6), "", &stderr, expected);
}

#[test]
fn older_versions_say_so_on_a_line() {
    let stderr = "thread 't' panicked at 'first', t.rs:21:32\n\
        thread 't' panicked at 'in drop', t.rs:20:50\n\
        thread panicked while panicking. aborting.\n";
    let expected = "abort at t.rs:20:50: thread panicked while panicking. aborting.: in drop";
    check(Exit::Signal(4), "", stderr, expected);
}

#[test]
fn another_abort_is_not_blamed_on_a_caught_panic() {
    let stderr = format!(
        "\nthread 't' (7) panicked at t.rs:1:1:\ncaught\n{NOTE}\n\
         thread 't' (7) has overflowed its stack\nfatal runtime error: stack overflow, aborting\n"
    );
    check(Exit::Signal(6), "", &stderr, "abort: stack overflow");
    let stderr = format!("\nthread 't' (7) panicked at t.rs:1:1:\ncaught\n{NOTE}");
    check(Exit::Signal(6), "", &stderr, "abort: SIGABRT");
}

#[test]
fn what_a_test_prints_before_it_leaves_is_no_panic() {
    let stderr = format!("\nthread 't' (7) panicked at t.rs:1:1:\nx\n{NOTE}");
    let stdout = "\nrunning 1 test\ntest t ... ";
    check(Exit::Code(101), stdout, &stderr, "exit: exit status 101");
    check(Exit::Code(101), FAILED, &stderr, "panic at t.rs:1:1: x");
}

#[test]
fn running_out_of_time_is_a_failure() {
    let stderr = format!("\nthread 'other' (7) panicked at t.rs:1:1:\nx\n{NOTE}");
    check(
        Exit::TimedOut,
        "\nrunning 1 test\ntest t ... ",
        &stderr,
        "timeout: does not finish in time",
    );
}

#[test]
fn a_documentation_test_that_does_not_build_did_not_run() {
    let stdout = "---- src/lib.rs - f (line 3) stdout ----\nerror[E0308]: mismatched types\nCouldn't compile the test.\n";
    assert_eq!(verdict(Exit::Code(101), stdout, ""), Verdict::NotRun);
}
