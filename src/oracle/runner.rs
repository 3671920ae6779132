//! Who runs a test: libtest, a harness of the target's own, or rustdoc. It decides how one test is
//! selected and how the end of its run is read.

use super::libtest::{Verdict, ended, interpret};
use crate::exec::{Exit, Finished, Job, Limits};
use crate::probe::runs::ends_before_failing;
use crate::project::TestBinary;

/// What runs a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestRunner {
    /// The harness of the standard library.
    Libtest,
    /// A target with `harness = false`: the program is the one test.
    Own,
    /// The harness of documentation tests.
    Rustdoc,
}

impl TestRunner {
    /// A job that runs one test of a built binary as `cargo test` would, with no limits yet.
    pub fn job(self, binary: &TestBinary, test: &str, more: &[String]) -> Job {
        let mut job = Job::new(binary.executable.as_std_path())
            .args(self.selection(test))
            .args(self.in_the_open())
            .args(self.others(more))
            .cwd(binary.cwd.as_std_path())
            .limits(Limits::default())
            .env("RUST_TEST_THREADS", "1")
            .env_remove("RUST_TEST_NOCAPTURE");
        for (key, value) in &binary.env {
            job = job.env(key, value);
        }
        job.without_backtraces()
    }

    /// The user's arguments for the test binary without those that it gets anyway: libtest takes none
    /// twice.
    fn others(self, more: &[String]) -> Vec<&str> {
        if self != TestRunner::Libtest {
            return more.iter().map(String::as_str).collect();
        }
        let mut others = Vec::new();
        let mut more = more.iter().map(String::as_str);
        while let Some(arg) = more.next() {
            match arg {
                "--test-threads" => drop(more.next()),
                "--exact" | "--no-capture" => {}
                _ if arg.starts_with("--test-threads=") || self.in_the_open().contains(&arg) => {}
                _ => others.push(arg),
            }
        }
        others
    }

    /// The arguments of `cargo test`, up to those for the test binary, that select the test.
    pub fn cargo_selection(self, test: &str) -> Vec<String> {
        match self {
            TestRunner::Libtest => [test, "--", "--exact"].map(str::to_owned).to_vec(),
            TestRunner::Own | TestRunner::Rustdoc => {
                std::iter::once("--".to_owned()).chain(self.selection(test)).collect()
            }
        }
    }

    /// The arguments of the test binary that select the test.
    pub fn selection(self, test: &str) -> Vec<String> {
        match self {
            TestRunner::Libtest => vec![test.to_owned(), "--exact".to_owned()],
            TestRunner::Own => Vec::new(),
            // rustdoc splits its arguments at blanks, so the whole name cannot be given.
            TestRunner::Rustdoc => line_of(test).map(str::to_owned).into_iter().collect(),
        }
    }

    /// The arguments that make the test show its output as it comes, in one thread.
    pub fn in_the_open(self) -> &'static [&'static str] {
        match self {
            TestRunner::Libtest => &["--nocapture", "--test-threads=1", "--include-ignored"],
            TestRunner::Own => &[],
            // Only captured output is told apart by test.
            TestRunner::Rustdoc => &["--include-ignored"],
        }
    }

    /// What a run says of the test.
    pub fn interpret(self, finished: &Finished, test: &str) -> Verdict {
        match self {
            TestRunner::Libtest if has_not_begun(finished) => Verdict::NotRun,
            TestRunner::Libtest | TestRunner::Own => match interpret(finished, test) {
                Verdict::Failed(shown)
                    if shown.kind.ends_its_process()
                        && ends_before_failing(&finished.stderr.text()) =>
                {
                    Verdict::NotRun
                }
                verdict => verdict,
            },
            TestRunner::Rustdoc if finished.exit == Exit::TimedOut => interpret(finished, test),
            TestRunner::Rustdoc => of_doc_test(&finished.stdout.text(), test),
        }
    }
}

/// Whether libtest has ended before it ran anything, with the status of a test that panics: it does not take its
/// arguments.
fn has_not_begun(finished: &Finished) -> bool {
    let stdout = finished.stdout.text();
    let mut lines = stdout.lines();
    finished.exit == Exit::Code(101) && !lines.any(|line| line.starts_with("running "))
}

/// `27)` of `src/lib.rs - render (line 27)`.
fn line_of(doc_test: &str) -> Option<&str> {
    let (_, rest) = doc_test.rsplit_once("(line ")?;
    Some(&rest[..=rest.find(')')?])
}

/// The names of the documentation tests that rustdoc says have failed.
pub fn failed_doc_tests(stdout: &str) -> Vec<String> {
    ended(stdout, "FAILED").map(str::to_owned).collect()
}

/// What rustdoc says of one of the tests that it ran.
fn of_doc_test(stdout: &str, test: &str) -> Verdict {
    let line = format!("test {test} ... ");
    let status = stdout.lines().find_map(|said| said.strip_prefix(&line));
    match status {
        Some("FAILED") => {}
        Some(status) if !status.starts_with("ignored") => return Verdict::Passed,
        _ => return Verdict::NotRun,
    }
    let heading = format!("---- {test} stdout ----\n");
    let block = stdout.split_once(&heading).map_or("", |(_, rest)| rest);
    let end = block.find("\n---- ").or_else(|| block.find("\nfailures:\n"));
    interpret(&as_if_run_alone(&block[..end.unwrap_or(block.len())]), test)
}

/// rustdoc tells in words how the test's process ended, and repeats its output.
fn as_if_run_alone(block: &str) -> Finished {
    let (stdout, stderr) = block.split_once("stderr:\n").unwrap_or((block, ""));
    let exit = exit_in(stdout).unwrap_or(Exit::Code(101));
    Finished::printing(exit, stdout, stderr.trim_start_matches('\n'))
}

/// The way a process ended, in the words of the standard library: `(exit status: 1)`,
/// `(signal: 6, SIGABRT)`.
pub fn exit_in(text: &str) -> Option<Exit> {
    let number = |label: &str| -> Option<i32> {
        let (_, rest) = text.rsplit_once(label)?;
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    };
    number("(signal: ").map(Exit::Signal).or_else(|| number("(exit status: ").map(Exit::Code))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::signature::FailureKind;

    const STDOUT: &str = "running 3 tests\ntest src/lib.rs - f (line 3) ... ok\n\
        test src/lib.rs - f (line 15) ... FAILED\ntest src/lib.rs - g (line 30) ... FAILED\n\nfailures:\n\n\
        ---- src/lib.rs - f (line 15) stdout ----\nTest executable failed (exit status: 101).\n\nstderr:\n\n\
        thread 'main' (7) panicked at src/inner.rs:19:10:\nnever opened\n\n\n\
        ---- src/lib.rs - g (line 30) stdout ----\nTest executable failed (signal: 6, SIGABRT).\n\nstderr:\n\n\
        fatal runtime error: stack overflow, aborting\n\n\nfailures:\n    src/lib.rs - f (line 15)\n";

    #[test]
    fn what_libtest_gets_anyway_is_not_given_twice() {
        let more = "--exact --skip slow --test-threads 4 --nocapture --test-threads=2 --ignored";
        let more: Vec<String> = more.split(' ').map(str::to_owned).collect();
        let others = ["--skip", "slow", "--ignored"];
        assert_eq!(TestRunner::Libtest.others(&more), others);
        assert_eq!(TestRunner::Own.others(&more).len(), more.len());
    }

    #[test]
    fn a_test_binary_that_refuses_its_arguments_runs_nothing() {
        let run = |stdout: &str| {
            let said = "error: Unrecognized option: 'none'\n";
            let finished = Finished::printing(Exit::Code(101), stdout, said);
            TestRunner::Libtest.interpret(&finished, "t")
        };
        assert_eq!(run(""), Verdict::NotRun);
        assert_ne!(run("\nrunning 1 test\ntest t ... FAILED\n"), Verdict::NotRun);
    }

    #[test]
    fn a_run_that_has_to_pass_and_ends_the_process_is_not_the_failure() {
        let killed = |lines: &str| {
            let stderr = format!("{lines}thread 't' has overflowed its stack\n");
            let finished = Finished::printing(Exit::Signal(6), "running 1 test\n", &stderr);
            TestRunner::Libtest.interpret(&finished, "t")
        };
        let begun = "cargo-reduce-passing-begins\n";
        assert_eq!(killed(begun), Verdict::NotRun);
        let passed = killed(&format!("{begun}cargo-reduce-passing-ends\n"));
        assert!(matches!(&passed, Verdict::Failed(shown) if shown.kind == FailureKind::Abort));
        assert_eq!(killed(""), passed);
    }

    #[test]
    fn each_doc_test_has_a_verdict_of_its_own() {
        let of = |test: &str| of_doc_test(STDOUT, test);
        assert_eq!(of("src/lib.rs - f (line 3)"), Verdict::Passed);
        assert_eq!(of("src/lib.rs - f (line 4)"), Verdict::NotRun);
        let Verdict::Failed(panic) = of("src/lib.rs - f (line 15)") else {
            panic!("it failed");
        };
        assert_eq!((panic.kind, panic.message.as_str()), (FailureKind::Panic, "never opened"));
        assert_eq!(panic.location.unwrap().to_string(), "src/inner.rs:19:10");
        let Verdict::Failed(abort) = of("src/lib.rs - g (line 30)") else {
            panic!("it failed");
        };
        assert_eq!(abort.kind, FailureKind::Abort);
        assert_eq!(failed_doc_tests(STDOUT).len(), 2);
    }

    #[test]
    fn a_doc_test_is_selected_by_its_line() {
        let name = "src/lib.rs - render (line 27) - compile";
        assert_eq!(TestRunner::Rustdoc.selection(name), ["27)"]);
    }
}
