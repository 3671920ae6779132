//! Tests that have to pass along with the one that fails.

use std::time::Duration;

use super::test_run::{TestRun, TimeLimit};
use crate::exec::{Interrupt, Job};
use crate::oracle::libtest::ended;
use crate::oracle::runner::TestRunner;
use crate::project::TestBinary;
use crate::reduce::Answer;

/// The tests of a binary that pass; all of them are asked when `names` is empty.
///
/// # Errors
/// When the binary cannot be run.
pub fn passing(
    binary: &TestBinary,
    names: &[String],
    test_run: &TestRun<'_>,
    interrupt: &Interrupt,
) -> Answer<Vec<String>> {
    Ok(passing_within(TimeLimit::default(), binary, names, test_run, interrupt)?.0)
}

/// As [`passing`], with these limits of time for all of them together; and how long they took.
///
/// # Errors
/// As there.
pub(super) fn passing_within(
    within: TimeLimit,
    binary: &TestBinary,
    names: &[String],
    test_run: &TestRun<'_>,
    interrupt: &Interrupt,
) -> Answer<(Vec<String>, Duration)> {
    let job = (test_run.confine)(TestRunner::Own.job(binary, "", &[]));
    // The limit is one for a single test.
    let limit = job.job().limits.time;
    let count = u32::try_from(names.len().max(ALL)).unwrap_or(u32::MAX);
    let longest = limit.map(|limit| limit.saturating_mul(count));
    let of_names = |job: Job| {
        let mut job = job.args(names).args(["--test-threads=1", "--color=never"]);
        if !names.is_empty() {
            job = job.arg("--exact");
        }
        job.limits.time = within.wall.or(longest);
        job.limits.cpu = within.cpu.or(job.limits.cpu);
        job
    };
    let finished = job.map(of_names).run(interrupt)?;
    let stdout = finished.stdout.text();
    // `#[should_panic]` is told behind the name.
    let passing = ended(&stdout, "ok").map(|name| name.split(" - ").next().unwrap_or(name));
    Ok((passing.map(str::to_owned).collect(), finished.wall))
}

/// For how many tests time is allowed at least.
const ALL: usize = 20;
