//! Tests of the target that pass today and run what the failing test runs: where no inputs next to the failing ones
//! can tell the bug from what is left, or a test compares with one value only, they say what the code has to do.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::code_job::{CodeJob, CompilePlan, compiler_in};
use super::with_runs::linked;
use crate::app::failure::Failure;
use crate::app::session::Session;
use crate::compile::{CompileCounts, Depth, Shortcuts};
use crate::exec::{Interrupt, Job};
use crate::jobs::inputs::search::trouble;
use crate::oracle::code::{TestName, passing};
use crate::oracle::libtest::Verdict;
use crate::oracle::runner::TestRunner;
use crate::probe::runs::{self, LIBRARY, Trail, library};
use crate::project::TestBinary;
use crate::reduce::OracleError;
use crate::rust::Sources;
use crate::rust::runs::{Approach, entries};

/// So many have to pass along: a run each, for every candidate.
const MOST: usize = 2;
/// So many are asked what they run, for as long as this; a slow one would make each candidate slow.
const MOST_ASKED: usize = 200;
const LONGEST: Duration = Duration::from_secs(20);
const SLOW: Duration = Duration::from_millis(500);

/// What a test has run.
struct Ran {
    test: String,
    trail: Trail,
    took: Duration,
}

/// The names of the nearest tests; none where nothing can tell, or they run none of what the failing one runs.
///
/// # Errors
/// When the compiler or the tests cannot be run.
pub fn nearest_tests(
    session: &mut Session,
    code_job: &CodeJob<'_>,
) -> Result<Vec<String>, Failure> {
    let subject = code_job.subject;
    if subject.runner != TestRunner::Libtest || !code_job.original.baseline.is_stable() {
        return Ok(Vec::new());
    }
    let compile_plan = CompilePlan {
        shape: subject.original.clone(),
        shortcuts: Shortcuts::All,
        name: TestName::fixed(&subject.test),
    };
    let interrupt = session.interrupt.until(Instant::now() + LONGEST);
    let config = code_job.config;
    let compiler = compiler_in("trails", config, subject, &compile_plan, &interrupt);
    let Ok(library) = compiler.library(LIBRARY, &library(&[]), &interrupt) else {
        return Ok(Vec::new());
    };
    let compiler = compiler.using(&library);
    let look = |binary: Option<&TestBinary>| match binary {
        Some(binary) => asked(code_job, binary, &interrupt),
        None => Ok(Vec::new()),
    };
    let sources = marked(code_job);
    let found = compiler.with_compiled(&sources, Depth::Link, &interrupt, |compiled| {
        look(compiled.binary.as_ref())
    });
    let CompileCounts { builds, checks } = compiler.counts();
    session.count_builds(builds, checks);
    match found {
        Ok(ran) => Ok(nearest(ran)),
        // It took too long.
        Err(_) if interrupt.is_set() && !session.interrupt.is_set() => Ok(Vec::new()),
        Err(error) => Err(trouble(&error)),
    }
}

/// The sources with marks around the place of the failure and in all functions.
fn marked(code_job: &CodeJob<'_>) -> Sources {
    let original = &code_job.subject.original;
    let approach = Approach::of(&original.sources, |place| code_job.matcher.stands_at(place));
    let entries = entries(&original.sources);
    let mut marks: Vec<_> = approach
        .iter()
        .map(Approach::marked)
        .chain(entries)
        .collect();
    marks.sort_by_key(|(file, _)| *file);
    let sources = original
        .sources
        .edit(marks.iter().map(|(file, edit)| (*file, edit)));
    linked(&original.crates, &sources)
}

/// What the failing test runs, then what those run that pass.
fn asked(
    code_job: &CodeJob<'_>,
    binary: &TestBinary,
    interrupt: &Interrupt,
) -> Result<Vec<Ran>, OracleError> {
    let failing = &code_job.subject.test;
    let confine = |job: Job| code_job.confine(job.env(runs::TRAIL, "1"));
    let plain = |job: Job| code_job.confine(job);
    let mut names = vec![failing.clone()];
    names.extend(passing(
        binary,
        &[],
        &code_job.run(failing, &plain),
        interrupt,
    )?);
    let mut all = Vec::new();
    for name in names.into_iter().take(MOST_ASKED) {
        let (verdict, finished) = code_job.run(&name, &confine).run(binary, interrupt)?;
        if (verdict == Verdict::Passed) != (name == *failing) {
            all.push(Ran {
                test: name,
                trail: Trail::read(&finished.stderr.text()),
                took: finished.wall,
            });
        }
    }
    Ok(all)
}

/// Of the first, which fails, and the others, which pass, the names of those that come nearest to its failure and miss
/// least of what it runs.
fn nearest(mut ran: Vec<Ran>) -> Vec<String> {
    if ran.is_empty() {
        return Vec::new();
    }
    let failing = ran.remove(0).trail;
    let level = |it: &Ran| it.trail.level.unwrap_or(usize::MAX);
    ran.retain(|it| it.took < SLOW && !it.trail.entered.is_disjoint(&failing.entered));
    ran.sort_by_key(|it| {
        let missed = failing.entered.difference(&it.trail.entered).count();
        let more = it.trail.entered.difference(&failing.entered).count();
        (level(it), missed, more, it.took)
    });
    let nearest = ran.first().map(level);
    let near = ran.into_iter().filter(|it| Some(level(it)) == nearest);
    let mut seen: BTreeSet<BTreeSet<usize>> = BTreeSet::new();
    // Two that run the same say little more than one.
    let different = near.filter(|it| seen.insert(it.trail.entered.clone()));
    different.take(MOST).map(|it| it.test).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(test: &str, level: Option<usize>, entered: &[usize]) -> Ran {
        Ran {
            test: test.to_owned(),
            trail: Trail {
                level,
                entered: entered.iter().copied().collect(),
            },
            took: Duration::from_millis(1),
        }
    }

    #[test]
    fn tests_that_come_near_the_failure_and_run_the_same_come_first() {
        let all = vec![
            ran("fails", Some(0), &[1, 2, 3]),
            ran("elsewhere", None, &[7]),
            ran("far", Some(2), &[1, 2, 3]),
            ran("misses", Some(1), &[1, 9]),
            ran("near", Some(1), &[1, 2]),
            ran("alike", Some(1), &[1, 2]),
            ran("more", Some(1), &[1, 2, 3, 4, 5, 6]),
        ];
        assert_eq!(nearest(all), ["more", "near"]);
        assert!(nearest(Vec::new()).is_empty());
    }

    #[test]
    fn slow_tests_and_those_that_run_nothing_of_it_are_left_out() {
        let slow = Ran {
            took: SLOW,
            ..ran("slow", Some(0), &[1])
        };
        let all = vec![ran("fails", None, &[1]), slow, ran("else", None, &[2])];
        assert!(nearest(all).is_empty());
    }
}
