//! The failure we start from, seen several times.

use std::time::Duration;

use super::libtest::{Verdict, interpret};
use super::signature::{Kind, Signature};
use crate::exec::{ExecError, Interrupt, Job, Limits, run};
use crate::project::TestBinary;

/// How often the unchanged test is run.
const RUNS: u32 = 10;
/// A test that takes longer than this hangs, unless the user gave a limit.
const FIRST_LIMIT: Duration = Duration::from_secs(10);
/// A hang is looked at less often, and not as long.
const HANG_RUNS: u32 = 2;
const HANG_LIMIT: Duration = Duration::from_secs(1);

/// What the runs of the unchanged test showed.
#[derive(Debug, Clone)]
pub struct Baseline {
    /// The most frequent failure, if any run failed.
    pub signature: Option<Signature>,
    /// Runs that showed that failure.
    pub failures: u32,
    /// All runs.
    pub runs: u32,
    /// The longest run.
    pub slowest: Duration,
    /// Whether the binary knows the test at all.
    pub known: bool,
    /// What the first failing run printed.
    pub output: String,
}

impl Baseline {
    /// Runs the test ten times (a hang three times).
    ///
    /// # Errors
    /// When it cannot be run, or the user interrupts.
    pub fn observe(
        (job, test): (&Job, &str),
        limit: Option<Duration>,
        same: impl Fn(&Signature, &Signature) -> bool,
        interrupt: &Interrupt,
    ) -> Result<Baseline, ExecError> {
        let mut job = job.clone().time(limit.unwrap_or(FIRST_LIMIT));
        let mut seen = Baseline {
            signature: None,
            failures: 0,
            runs: 0,
            slowest: Duration::ZERO,
            known: true,
            output: String::new(),
        };
        let mut planned = RUNS;
        while seen.runs < planned {
            let finished = run(&job, interrupt)?;
            seen.runs += 1;
            seen.slowest = seen.slowest.max(finished.wall);
            let signature = match interpret(&finished, test) {
                Verdict::Failed(signature) => signature,
                Verdict::NotRun => {
                    seen.known = false;
                    break;
                }
                Verdict::Passed => continue,
            };
            if signature.kind == Kind::Timeout && planned == RUNS {
                planned = 1 + HANG_RUNS;
                job = job.time(limit.unwrap_or(HANG_LIMIT).min(HANG_LIMIT));
            }
            if seen.signature.is_none() {
                seen.output = finished.stderr.text();
            }
            let first = seen.signature.get_or_insert_with(|| signature.clone());
            seen.failures += u32::from(same(first, &signature));
        }
        Ok(seen)
    }

    /// Whether every run failed in the same way.
    #[must_use]
    pub fn is_stable(&self) -> bool {
        self.failures == self.runs
    }
}

/// A job that runs one test of a binary as `cargo test` would, with no limits yet.
#[must_use]
pub fn test_job(binary: &TestBinary, test: &str, more: &[String]) -> Job {
    let mut job = Job::new(binary.executable.as_std_path())
        .args([
            test,
            "--exact",
            "--nocapture",
            "--test-threads=1",
            "--include-ignored",
        ])
        .args(more)
        .cwd(binary.cwd.as_std_path())
        .limits(Limits::default())
        .env("RUST_BACKTRACE", "0")
        .env("RUST_LIB_BACKTRACE", "0")
        .env("RUST_TEST_THREADS", "1")
        .env_remove("RUST_TEST_NOCAPTURE");
    for (key, value) in &binary.env {
        job = job.env(key, value);
    }
    job
}
