//! The failure we start from, seen several times.

use std::time::Duration;

use super::libtest::Verdict;
use super::runner::TestRunner;
use super::signature::{FailureKind, Signature};
use crate::exec::{ExecError, Exit, Interrupt, Job, run_tool};

/// How often the unchanged test is run.
const RUNS: u32 = 10;
/// A test that takes longer than this hangs, unless the user gave a limit.
const FIRST_LIMIT: Duration = Duration::from_secs(10);
/// Once it has hung, it hangs if it takes longer than this, and than its other runs by far.
const HANG_LIMIT: Duration = Duration::from_secs(1);
const HANG_TIMES: u32 = 8;

/// What the runs of the unchanged test showed.
#[derive(Debug, Clone, Default)]
pub struct Baseline {
    /// The most frequent failure, if any run failed.
    pub signature: Option<Signature>,
    /// Runs that showed that failure.
    pub failures: u32,
    /// Whether all of these said so in the same words.
    pub is_worded_alike: bool,
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
    /// Runs the test ten times, or once if the binary does not know it.
    ///
    /// # Errors
    /// When it cannot be run, or the user interrupts.
    pub fn observe(
        job: &Job,
        runner: TestRunner,
        test: &str,
        limit: Option<Duration>,
        same: impl Fn(&Signature, &Signature) -> bool,
        interrupt: &Interrupt,
    ) -> Result<Baseline, ExecError> {
        let mut job = job.clone().time(limit.unwrap_or(FIRST_LIMIT));
        let mut seen = Baseline { known: true, is_worded_alike: true, ..Baseline::default() };
        let mut longest = None;
        while seen.runs < RUNS {
            let finished = run_tool(&job, interrupt)?;
            seen.runs += 1;
            seen.slowest = seen.slowest.max(finished.wall);
            if finished.exit != Exit::TimedOut {
                longest = longest.max(Some(finished.wall));
            }
            let signature = match runner.interpret(&finished, test) {
                Verdict::Failed(signature) => signature,
                Verdict::NotRun => {
                    seen.known = false;
                    seen.output = finished.stderr.text();
                    break;
                }
                Verdict::Passed => continue,
            };
            if signature.kind == FailureKind::Timeout {
                let enough = longest.map_or(HANG_LIMIT, |it| HANG_LIMIT.max(it * HANG_TIMES));
                job = job.time(limit.unwrap_or(FIRST_LIMIT).min(enough));
            }
            if seen.signature.is_none() {
                seen.output = finished.stderr.text();
            }
            let first = seen.signature.get_or_insert_with(|| signature.clone());
            seen.is_worded_alike &= first.message == signature.message;
            first.learn_order(&signature);
            seen.failures += u32::from(same(first, &signature));
        }
        Ok(seen)
    }

    /// Whether every run failed in the same way.
    pub fn is_stable(&self) -> bool {
        self.failures == self.runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Observes a shell script that may count its runs in a file.
    fn observe(script: &str, limit: Duration) -> (Baseline, String) {
        let folder = tempfile::tempdir().unwrap();
        let job = Job::new("sh").args(["-c", script]).cwd(folder.path());
        let (limit, interrupt) = (Some(limit), Interrupt::new());
        let seen =
            Baseline::observe(&job, TestRunner::Own, "script", limit, |a, b| a == b, &interrupt)
                .unwrap();
        let runs = std::fs::read_to_string(folder.path().join("runs")).unwrap_or_default();
        (seen, runs)
    }

    #[test]
    fn a_test_is_run_ten_times_however_it_ends() {
        let (long, short) = (Duration::from_secs(20), Duration::from_millis(300));
        for (end, limit) in [("exit 0", long), ("exit 3", long), ("sleep 9", short)] {
            let (seen, runs) = observe(&format!("printf x >> runs; {end}"), limit);
            assert_eq!((seen.runs, runs.len()), (10, 10), "{end}");
            assert_eq!(seen.failures, if end == "exit 0" { 0 } else { 10 });
        }
    }

    #[test]
    fn a_test_that_hangs_now_and_then_is_run_ten_times() {
        let hangs_at = |run: usize| {
            let script = format!("printf x >> runs; [ $(wc -c < runs) -ne {run} ] || sleep 9");
            observe(&script, Duration::from_secs(2))
        };
        for run in [1, 5] {
            let (seen, runs) = hangs_at(run);
            assert_eq!((seen.runs, seen.failures, runs.len()), (10, 1, 10));
        }
    }
}
