//! What tests of the target run, in a build that tells.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use super::code_job::CodeJob;
use super::compile_plan::CompilePlan;
use super::shape::CodeShape;
use super::with_runs::linked;
use crate::exec::{Interrupt, Job};
use crate::oracle::code::passing;
use crate::oracle::libtest::Verdict;
use crate::probe::runs::{self, Trail};
use crate::project::TestBinary;
use crate::reduce::Answer;
use crate::rust::runs::{Approach, Entries};
use crate::rust::{Part, Rows, Sources, dense_text, function_of, functions_of, words_of_functions};

/// So many are asked what they run.
const MOST_ASKED: usize = 200;
/// One that takes as long would make each candidate slow.
const SLOW: Duration = Duration::from_millis(100);

/// What a test has run.
pub(super) struct Ran {
    pub(super) test: String,
    /// The functions, and how near it has come to the failure.
    pub(super) trail: Trail,
    /// The branches in them.
    pub(super) branches: BTreeSet<usize>,
    pub(super) took: Duration,
    /// By how many bytes its function is longer or shorter than the failing test.
    pub(super) unlike: usize,
    /// Whether it is a part of the failing test.
    pub(super) is_part: bool,
    /// How far the row of a table that it has is from the one with which the test fails.
    pub(super) distance: Option<usize>,
}

impl Ran {
    /// Whether it is fast, and runs something that the failing test runs.
    fn says_something_of(&self, failing: &Ran) -> bool {
        self.took < SLOW && !self.trail.entered.is_disjoint(&failing.trail.entered)
    }
}

/// What the tests of the target have run.
pub(super) struct Asked {
    /// What the one that fails has run beside itself, and which of that it calls itself, by its words.
    pub(super) failing: Trail,
    pub(super) branches: BTreeSet<usize>,
    pub(super) called: BTreeSet<usize>,
    pub(super) passing: Vec<Ran>,
    /// What of it fails, if that fails alone.
    pub(super) alone: Option<Part>,
}

/// The sources with marks around the place of the failure and in all functions.
pub(super) fn marked(code_job: &CodeJob<'_>, shape: &CodeShape, entries: &Entries) -> Sources {
    let approach = Approach::of(&shape.sources, |place| code_job.matcher.stands_at(place));
    let approach = approach.as_ref().map(Approach::marked);
    let marks = approach.iter().chain(&entries.edits);
    let sources = shape.sources.edit_all(marks);
    linked(&shape.crates, &sources)
}

/// The tests, built to tell what they run.
pub(super) struct Traced<'a> {
    pub(super) code_job: &'a CodeJob<'a>,
    pub(super) compile_plan: &'a CompilePlan,
    pub(super) entries: &'a Entries,
    pub(super) binary: &'a TestBinary,
    /// The table of the failing test, if its rows are tests here.
    pub(super) rows: Option<&'a Rows>,
    pub(super) interrupt: &'a Interrupt,
}

impl Traced<'_> {
    /// What the failing test runs, and what those run that pass; `None` if it does not fail. Where a part of it fails alone,
    /// that is what this part runs.
    pub(super) fn asked(&self) -> Answer<Option<Asked>> {
        let Traced { code_job, compile_plan, interrupt, .. } = self;
        let test = compile_plan.name.original();
        let (verdict, failing) = self.ran(test)?;
        if verdict == Verdict::Passed {
            return Ok(None);
        }
        let plain = |job: Job| code_job.confine(job);
        let mut names = passing(self.binary, &[], &code_job.run(test, &plain), interrupt)?;
        let (alone, failing) = match self.failing_alone(&verdict, &names)? {
            Some((part, alone)) => (Some(part), alone),
            None => (None, failing),
        };
        // Tests of the same module are about the same code, more likely.
        names.sort_by_key(|name| Reverse(shared_modules(name, test)));
        let added = &compile_plan.shape.companions.added;
        // Rows take no other test's place.
        let (parts, alone_ones): (Vec<_>, Vec<_>) =
            added.iter().partition(|added| added.part == Part::Passing);
        let mut passing = Vec::new();
        for name in names.iter().take(MOST_ASKED + alone_ones.len()) {
            let ran = self.ran(name).and_then(|(verdict, ran)| {
                let is_wanted = verdict == Verdict::Passed && ran.says_something_of(&failing);
                Ok((is_wanted && self.is_steady(&ran)?).then_some(ran))
            });
            match ran {
                Ok(ran) => passing.extend(ran),
                // There is no time for more.
                Err(_) if interrupt.is_set() => break,
                Err(error) => return Err(error),
            }
        }
        // A part of the failing test with more assertions says all that one with fewer says.
        let parts = parts.into_iter().map(|part| &*part.name);
        let passes = |part: &&str| passing.iter().any(|it| function_of(&it.test) == *part);
        let less: Vec<&str> = parts.filter(passes).skip(1).collect();
        passing.retain(|it| !less.contains(&function_of(&it.test)));
        let row = alone.and_then(Part::row);
        let names = passing.iter().map(|ran| function_of(&ran.test));
        let names: Vec<&str> = names.chain([function_of(test)]).collect();
        let files = compile_plan.shape.sources.files.iter();
        let lengths: BTreeMap<String, usize> = files
            .flat_map(|file| functions_of(&file.text, &names))
            .map(|(name, function)| (name.to_owned(), dense_text(function).len()))
            .collect();
        for ran in &mut passing {
            let length = |test: &str| lengths.get(function_of(test)).copied().unwrap_or_default();
            ran.unlike = length(&ran.test).abs_diff(length(test));
            ran.distance = row.and_then(|failing| self.distance(failing, &ran.test));
        }
        let called = self.called(&failing.trail);
        let Ran { trail: failing, branches, .. } = failing;
        Ok(Some(Asked { failing, branches, called, passing, alone }))
    }

    fn ran(&self, test: &str) -> Answer<(Verdict, Ran)> {
        let Traced { code_job, compile_plan, .. } = self;
        let confine = |job: Job| code_job.confine(job.env(runs::TRAIL, "1"));
        let run = code_job.run(test, &confine);
        let ended = run.run(self.binary, self.interrupt)?;
        let function = function_of(test);
        let mut trail = Trail::read(&ended.finished.stderr.text());
        let branches = trail.entered.split_off(&self.entries.functions.len());
        let mut added = compile_plan.shape.companions.added.iter();
        let part = added.find(|it| it.name == function).map(|it| it.part);
        if test == compile_plan.name.original() || part.is_some_and(|it| it != Part::Passing) {
            // What is the test itself is no part of what it runs.
            trail.entered.retain(|number| !self.entries.is_test(*number, function));
        }
        let test = test.to_owned();
        let took = ended.finished.wall;
        Ok((
            ended.verdict,
            Ran { test, trail, branches, took, unlike: 0, is_part: part.is_some(), distance: None },
        ))
    }

    /// Whether a test does the same when it is run again. One that draws its inputs by chance would let many candidates pass
    /// sooner or later, of which each passes now and then.
    fn is_steady(&self, ran: &Ran) -> Answer<bool> {
        let (verdict, again) = self.ran(&ran.test)?;
        Ok(verdict == Verdict::Passed && again.trail == ran.trail)
    }

    /// Which row a test has alone.
    fn row_of(&self, test: &str) -> Option<usize> {
        let added = &self.compile_plan.shape.companions.added;
        added.iter().find(|it| it.name == function_of(test))?.part.row()
    }

    /// The first part of the test that does not pass alone, and its run, where that fails as the whole test does.
    fn failing_alone(&self, whole: &Verdict, passing: &[String]) -> Answer<Option<(Part, Ran)>> {
        let test = self.compile_plan.name.original();
        let modules = &test[..test.len() - function_of(test).len()];
        let added = &self.compile_plan.shape.companions.added;
        let mut alone = added
            .iter()
            .filter(|it| it.part != Part::Passing)
            .map(|it| (it.part, format!("{modules}{}", it.name)));
        let Some((part, name)) = alone.find(|(_, name)| !passing.contains(name)) else {
            return Ok(None);
        };
        let (verdict, ran) = self.ran(&name)?;
        let is_same = match (whole, &verdict) {
            (Verdict::Failed(whole), Verdict::Failed(shown)) => whole.message == shown.message,
            _ => false,
        };
        Ok(is_same.then_some((part, ran)))
    }

    fn distance(&self, failing: usize, test: &str) -> Option<usize> {
        let (rows, other) = (self.rows?, self.row_of(test)?);
        Some(rows.distance(failing, other))
    }

    /// What the failing test calls itself of what it has run.
    fn called(&self, failing: &Trail) -> BTreeSet<usize> {
        let function = function_of(self.compile_plan.name.original());
        let files = self.compile_plan.shape.sources.files.iter();
        let words: BTreeSet<String> =
            files.flat_map(|file| words_of_functions(&file.text, function)).collect();
        if words.is_empty() {
            // A macro has made the test, so that nobody can say what it calls itself.
            return failing.entered.clone();
        }
        let function = |number: &usize| self.entries.functions.get(*number);
        let is_called =
            |number: &usize| function(number).is_some_and(|it| words.contains(&it.name));
        failing.entered.iter().copied().filter(is_called).collect()
    }
}

/// In how many modules, from the root, two tests both stand.
fn shared_modules(one: &str, other: &str) -> usize {
    let modules = |test: &str| test.matches("::").count();
    let pairs = one.split("::").zip(other.split("::")).take(modules(one).min(modules(other)));
    pairs.take_while(|(one, other)| one == other).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(took: Duration, entered: &[usize]) -> Ran {
        let trail = Trail { entered: entered.iter().copied().collect(), ..Trail::default() };
        let (test, branches) = (String::new(), BTreeSet::new());
        Ran { test, trail, branches, took, unlike: 0, is_part: false, distance: None }
    }

    #[test]
    fn slow_tests_and_those_that_run_nothing_of_it_say_nothing() {
        let fast = SLOW / 2;
        let failing = ran(fast, &[1, 2]);
        assert!(ran(fast, &[2, 3]).says_something_of(&failing));
        assert!(!ran(SLOW, &[2, 3]).says_something_of(&failing));
        assert!(!ran(fast, &[3]).says_something_of(&failing));
    }

    #[test]
    fn tests_of_the_same_module_are_asked_first() {
        let failing = "path::tests::arcs";
        let shared = ["path::tests::lines", "path::more", "paths::tests::arcs", "arcs"]
            .map(|test| shared_modules(test, failing));
        assert_eq!(shared, [2, 1, 0, 0]);
    }
}
