//! What the plain `cargo test` must show of a result.

use std::time::Duration;

use super::config::Config;
use super::failure::{Failure, Result};
use super::limits::time_limit;
use super::plain_test::PlainTest;
use crate::exec::Interrupt;
use crate::oracle::baseline::Baseline;
use crate::oracle::libtest::Verdict;
use crate::oracle::signature::{FailureKind, Signature};
use crate::reduce::rate::tries_to_see;
use crate::report::Status;

/// cargo itself needs some time before the test begins.
const CARGO_TIME: Duration = Duration::from_secs(30);
/// A hang is watched for this long.
const HANG_TIME: Duration = Duration::from_secs(3);
/// The risk of missing a flaky failure.
const MISS_RISK: f64 = 0.01;

/// How a plain test is watched.
#[derive(Debug, Clone, Copy)]
pub struct Proof {
    /// How often the failure is looked for: a flaky one until it would hardly be missed.
    pub looks: u32,
    /// How long each time.
    pub limit: Duration,
}

/// What a plain test shows instead of the failure.
#[derive(Debug)]
pub struct Instead {
    /// In words.
    pub said: String,
    /// Whether it did not even run.
    pub not_run: bool,
}

impl Proof {
    /// For the failure with this `signature`, as the baseline has seen it.
    pub fn new(config: &Config, signature: &Signature, baseline: &Baseline) -> Self {
        let rate = f64::from(baseline.failures) / f64::from(baseline.runs.max(1));
        let looks = || tries_to_see(config.control.min_rate.unwrap_or(rate / 3.0), MISS_RISK);
        let limit = time_limit(config, signature, baseline);
        Proof {
            looks: if baseline.is_stable() { 1 } else { looks() },
            limit: watched(signature.kind, limit),
        }
    }

    /// Runs `test` until `judge` takes what it shows for the failure, or says what it is instead.
    ///
    /// # Errors
    /// When cargo cannot be run.
    pub fn show(
        &self,
        test: &PlainTest<'_>,
        mut judge: impl FnMut(Signature) -> Result<Result<Signature, String>>,
    ) -> Result<Result<Signature, Instead>> {
        let mut instead = String::new();
        for _ in 0..self.looks {
            // The user may have stopped the search, but wants its result.
            instead = match test.observe(self.limit, &Interrupt::new())? {
                (Verdict::Passed, _) => "it passes".to_owned(),
                (Verdict::NotRun, said) => {
                    return Ok(Err(Instead {
                        said: format!("it does not run\n{said}"),
                        not_run: true,
                    }));
                }
                (Verdict::Failed(shown), _) => match judge(shown)? {
                    Ok(shown) => return Ok(Ok(shown)),
                    Err(instead) => instead,
                },
            };
        }
        Ok(Err(Instead { said: instead, not_run: false }))
    }
}

/// The plain test shows something else.
pub fn not_confirmed(instead: &str) -> Failure {
    let message = format!("`cargo test` does not confirm the reduced test: {instead}");
    Failure::new(Status::NotReproduced, message)
}

/// How long a plain test of that kind of failure is watched, when candidates may take `limit`. What hangs
/// is built before, so that cargo takes no time of its own.
fn watched(kind: FailureKind, limit: Duration) -> Duration {
    match kind {
        FailureKind::Timeout => HANG_TIME.max(limit),
        _ => CARGO_TIME + limit,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hang_is_not_watched_until_cargo_could_have_built_it() {
        let limit = Duration::from_millis(100);
        assert_eq!(watched(FailureKind::Timeout, limit), HANG_TIME);
        assert_eq!(watched(FailureKind::Timeout, HANG_TIME * 2), HANG_TIME * 2);
        assert_eq!(watched(FailureKind::Panic, limit), CARGO_TIME + limit);
    }
}
