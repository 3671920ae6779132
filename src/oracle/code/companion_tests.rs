//! Tests that have to pass along with the one that fails.

use std::time::Duration;

use super::test_run::{TestRun, TimeLimit};
use crate::exec::{Finished, Interrupt, Job};
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
    Ok((named_ok(&finished), finished.wall))
}

/// For how many tests time is allowed at least.
const ALL: usize = 20;

/// The names in lines such as `test tests::parses ... ok`.
fn named_ok(finished: &Finished) -> Vec<String> {
    let stdout = finished.stdout.text();
    let lines = stdout.lines().filter_map(|line| {
        let name = line.strip_prefix("test ")?.strip_suffix(" ... ok")?;
        // `#[should_panic]` is told behind the name.
        Some(name.split(" - ").next().unwrap_or(name).to_owned())
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::Exit;

    #[test]
    fn only_tests_that_passed_are_named() {
        let stdout = "running 4 tests\ntest a ... ok\ntest m::b ... FAILED\ntest c - should panic ... ok\n\
                      test d ... ignored\n\ntest result: FAILED. 2 passed\n";
        let finished = Finished::printing(Exit::Code(101), stdout, "");
        assert_eq!(named_ok(&finished), ["a", "c"]);
    }
}
