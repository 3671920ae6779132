//! The failure we start from, seen several times.

use std::time::Duration;

use super::libtest::Verdict;
use super::runner::TestRunner;
use super::signature::{Kind, Signature};
use crate::exec::{ExecError, Interrupt, Job, run_tool};

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
        (job, runner, test): (&Job, TestRunner, &str),
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
            let finished = run_tool(&job, interrupt)?;
            seen.runs += 1;
            seen.slowest = seen.slowest.max(finished.wall);
            let signature = match runner.interpret(&finished, test) {
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
