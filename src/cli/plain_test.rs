//! The plain `cargo test` of one test, as the user would run it.

use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};

use super::config::Config;
use super::failure::Failure;
use super::prober::scratch_manifest;
use super::subject::Subject;
use crate::exec::{Captured, Exit, Finished, Interrupt, Job, run};
use crate::oracle::libtest::{Verdict, interpret};
use crate::project::{Scratch, TargetChoice};

/// A plain `cargo test` of one test.
pub struct PlainTest<'a> {
    /// How cargo is called.
    pub config: &'a Config,
    /// What is reduced.
    pub subject: &'a Subject,
    /// Where.
    pub scratch: &'a Scratch,
    /// The target that holds the test.
    pub target: &'a TargetChoice,
    /// The test's name.
    pub test: &'a str,
}

impl PlainTest<'_> {
    fn args(&self, manifest: &Utf8Path) -> Vec<String> {
        let mut args = vec![
            "test".to_owned(),
            "--manifest-path".to_owned(),
            manifest.to_string(),
        ];
        args.extend(["-p".to_owned(), self.subject.chosen.package.clone()]);
        args.extend(self.config.cargo.build_args());
        args.extend(self.target.args());
        args.extend([self.test, "--", "--exact"].map(str::to_owned));
        args
    }

    /// As the user would type it.
    #[must_use]
    pub fn shown(&self) -> String {
        let manifest = scratch_manifest(self.subject, self.scratch);
        let relative = manifest
            .strip_prefix(&self.config.cwd)
            .map(Utf8Path::to_owned);
        let manifest: Utf8PathBuf = relative.unwrap_or(manifest);
        format!("cargo {}", shell_words::join(self.args(&manifest)))
    }

    /// Runs it; also what it said.
    ///
    /// # Errors
    /// When cargo cannot be run.
    pub fn observe(&self, limit: Duration) -> Result<(Verdict, String), Failure> {
        let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
        let job = Job::new(cargo)
            .args(self.args(&scratch_manifest(self.subject, self.scratch)))
            .args(["--nocapture", "--test-threads=1", "--include-ignored"])
            .cwd(self.config.cwd.as_std_path())
            .env("CARGO_TARGET_DIR", self.scratch.target_dir().as_str())
            .env("RUST_BACKTRACE", "0")
            .env("CARGO_TERM_COLOR", "never")
            .time(limit);
        // The user may have stopped the search, but wants its result.
        let finished = as_if_run_directly(run(&job, &Interrupt::new())?);
        Ok((interpret(&finished, self.test), finished.stderr.text()))
    }
}

/// cargo tells in words how the test's process ended, and always exits with 101 itself.
fn as_if_run_directly(mut finished: Finished) -> Finished {
    let stderr = finished.stderr.text();
    let told = stderr
        .lines()
        .rev()
        .find(|line| line.contains("process didn't exit successfully"));
    if let Some(told) = told {
        let number = |label: &str| -> Option<i32> {
            let (_, rest) = told.rsplit_once(label)?;
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            digits.parse().ok()
        };
        if let Some(signal) = number("(signal: ") {
            finished.exit = Exit::Signal(signal);
        } else if let Some(code) = number("(exit status: ") {
            finished.exit = Exit::Code(code);
        }
    }
    let own: Vec<&str> = stderr
        .lines()
        .filter(|line| !line.starts_with("error: test failed"))
        .collect();
    finished.stderr = Captured::from(own.join("\n").as_str());
    finished
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cargo_says_of_a_signal_counts_as_the_signal() {
        let stderr = "thread 'main' has overflowed its stack\nerror: test failed, to rerun pass `--test lint`\n\n\
                      Caused by:\n  process didn't exit successfully: `/t/lint x --exact` (signal: 6, SIGABRT: process abort signal)\n";
        let finished = Finished {
            exit: Exit::Code(101),
            stdout: Captured::default(),
            stderr: stderr.into(),
            wall: Duration::ZERO,
        };
        assert_eq!(as_if_run_directly(finished).exit, Exit::Signal(6));
    }
}
