//! What one candidate may use, and a whole search.

use std::time::Duration;

use super::config::Config;
use super::failure::{Failure, Result};
use crate::exec::{Interrupt, Limits};
use crate::oracle::baseline::Baseline;
use crate::oracle::flaky::{Plan, Tally};
use crate::oracle::signature::{FailureKind, Signature};
use crate::reduce::Stop;
use crate::report::Status;

/// A candidate may take this long even if the original takes no time at all.
pub const LEAST_LIMIT: Duration = Duration::from_millis(300);
/// It may compute this long.
const LEAST_CPU: Duration = Duration::from_millis(60);
/// It may take so many times as long as the original.
const TIMES_SLOWEST: u32 = 20;
/// A hang is recognized after this.
const HANG_LIMIT: Duration = Duration::from_millis(100);
/// How long one test of a suite may take before it counts as hanging.
pub const SUITE_LIMIT: Duration = Duration::from_secs(20);
/// No candidate needs to write a larger file.
pub const FILE_BYTES: u64 = 1 << 30;
/// Nor more processes.
pub const PROCESSES: usize = 256;

/// The time that one candidate may take.
pub fn time_limit(config: &Config, signature: &Signature, baseline: &Baseline) -> Duration {
    if let Some(limit) = config.control.timeout {
        return limit;
    }
    if signature.kind == FailureKind::Timeout {
        HANG_LIMIT
    } else {
        LEAST_LIMIT.max(baseline.slowest * TIMES_SLOWEST)
    }
}

/// How long one candidate may compute: less than it may take, as nothing that goes on beside it counts. No
/// limit of its own where the user gave one, or where the failure is that the test does not end.
pub fn cpu_limit(config: &Config, signature: &Signature, baseline: &Baseline) -> Option<Duration> {
    let is_free = config.control.timeout.is_some() || signature.kind == FailureKind::Timeout;
    (!is_free).then(|| LEAST_CPU.max(baseline.slowest * TIMES_SLOWEST))
}

/// What one run of a test may use.
pub fn run_limits(config: &Config) -> Limits {
    Limits {
        memory_bytes: Some(config.control.memory_bytes),
        file_bytes: Some(FILE_BYTES),
        processes: Some(PROCESSES),
        ..Limits::default()
    }
}

/// How often candidates are run.
///
/// # Errors
/// When the failure is too rare for the runs that the user allows.
pub fn plan(config: &Config, baseline: &Baseline) -> Result<Plan> {
    let tally = Tally { runs: baseline.runs, failures: baseline.failures };
    let runs = config.control.runs.unwrap_or(1);
    Plan::new(tally, config.control.min_rate, runs).map_err(|error| {
        Failure::new(Status::Flaky, error.to_string()).hint("use a larger `--runs N`")
    })
}

/// Why a search has to end after so many candidates, if it has to: `interrupt` ends it, or `most` are enough.
pub fn stop_reason(interrupt: &Interrupt, candidates: u64, most: Option<u64>) -> Option<Stop> {
    if interrupt.is_late() {
        return Some(Stop::TimeUp);
    }
    if interrupt.is_set() {
        return Some(Stop::Interrupted);
    }
    most.is_some_and(|most| candidates >= most).then_some(Stop::CandidateLimit)
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn a_search_ends_with_its_time_with_the_user_and_with_its_candidates() {
        let user = Interrupt::new();
        assert!(stop_reason(&user, 9, Some(10)).is_none());
        assert!(matches!(stop_reason(&user, 10, Some(10)), Some(Stop::CandidateLimit)));
        let late = user.until(Instant::now());
        assert!(matches!(stop_reason(&late, 0, None), Some(Stop::TimeUp)));
        user.set();
        assert!(matches!(stop_reason(&user, 0, None), Some(Stop::Interrupted)));
    }
}
