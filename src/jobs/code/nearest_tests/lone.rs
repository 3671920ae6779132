//! Assertions of the tests that pass along which say nothing of what the failing one runs: all that only they run would have to stay.

use super::{Alone, NearestTests};
use crate::app::failure::Result;
use crate::jobs::code::compile_plan::CompilePlan;
use crate::jobs::code::shape::{CodeShape, Companions};
use crate::jobs::code::trails::{Asked, Ran};
use crate::rust::{AddedTest, LoneAssertions, function_of, with_tests_behind};

/// So many assertions of a test are left out in turn: a run each.
const MOST_LONE: usize = 16;

impl NearestTests<'_> {
    /// The tests that were found without the lone assertions by which they run other code than the failing test, and none that
    /// this runs.
    pub(super) fn without_lone(
        self,
        compile_plan: &CompilePlan,
        found: Companions,
        alone: Option<&Alone>,
    ) -> Result<Companions> {
        let of_failing: Vec<AddedTest> = alone.map(Alone::tests).into_iter().flatten().collect();
        let plan_of = |companions: &Companions, tests: &[(&str, Vec<AddedTest>)]| {
            let added = [&companions.added[..], &of_failing].concat();
            let companions = Companions { added, ..companions.clone() };
            let shape = companions.beside(&compile_plan.shape, compile_plan.name.original());
            let with = |sources, (test, added): &(&str, Vec<AddedTest>)| {
                with_tests_behind(&sources, test, added).unwrap_or(sources)
            };
            let sources = tests.iter().fold(shape.sources.clone(), with);
            CompilePlan { shape: CodeShape { sources, ..shape }, ..compile_plan.clone() }
        };
        let plain = plan_of(&found, &[]);
        let tests = found.names.iter().map(|test| function_of(test)).filter_map(|test| {
            let lone = LoneAssertions::of(&plain.shape.sources, test)?.without_each();
            (lone.len() <= MOST_LONE).then_some((test, lone))
        });
        let tests: Vec<(&str, Vec<AddedTest>)> = tests.collect();
        if tests.is_empty() {
            return Ok(found);
        }
        let Some(asked) = self.asked_in(&plan_of(&found, &tests), alone)? else { return Ok(found) };
        let without =
            tests.iter().map(|(test, each)| ((*test).to_owned(), apart(&asked, test, each)));
        let without: Vec<_> = without.filter(|(_, gone)| !gone.is_empty()).collect();
        if without.is_empty() {
            return Ok(found);
        }
        let fewer = Companions { without, ..found.clone() };
        let Some(again) = self.asked_in(&plan_of(&fewer, &[]), alone)? else { return Ok(found) };
        let is_same = tests.iter().all(|(test, _)| match (ran(&again, test), ran(&asked, test)) {
            (Some(less), Some(whole)) => said(&again, less) == said(&asked, whole),
            _ => false,
        });
        Ok(if is_same { fewer } else { found })
    }
}

/// Without which of its assertions a test runs as much of what the failing one runs, and less beside: `each` is the test without
/// one of them.
fn apart(asked: &Asked, test: &str, each: &[AddedTest]) -> Vec<usize> {
    let Some(whole) = ran(asked, test) else { return Vec::new() };
    let is_apart = |less: &Ran| {
        said(asked, less) == said(asked, whole) && beside(asked, less) < beside(asked, whole)
    };
    let goes = |place: &usize| ran(asked, &each[*place].name).is_some_and(is_apart);
    (0..each.len()).filter(goes).collect()
}

/// What a test has run, if it has passed.
fn ran<'a>(asked: &'a Asked, test: &str) -> Option<&'a Ran> {
    asked.passing.iter().find(|it| function_of(&it.test) == test)
}

/// How near a test comes to the failure, and how many of the functions and branches it runs that the failing one runs.
fn said(asked: &Asked, it: &Ran) -> (Option<usize>, usize, usize) {
    let functions = it.trail.entered.intersection(&asked.failing.entered).count();
    (it.trail.level, functions, it.branches.intersection(&asked.branches).count())
}

/// How many functions a test runs, itself among them, that the failing one does not.
fn beside(asked: &Asked, it: &Ran) -> usize {
    it.trail.entered.difference(&asked.failing.entered).count()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{asked, ran};
    use super::*;
    use crate::rust::Part;

    #[test]
    fn an_assertion_goes_that_runs_only_other_code() {
        // The failing test runs 1, 2 and 3, and each test itself is another function.
        let all = vec![
            ran("m::six", Some(1), &[1, 2, 7, 8, 20]),
            ran("m::six_without_0", Some(1), &[1, 7, 8, 21]),
            ran("m::six_without_1", Some(1), &[1, 2, 22]),
            ran("m::six_without_2", Some(1), &[1, 2, 7, 8, 23]),
            ran("m::six_without_3", Some(2), &[1, 2, 24]),
        ];
        let each = |place| {
            let name = format!("six_without_{place}");
            AddedTest { name, text: String::new(), part: Part::Passing }
        };
        let each: Vec<AddedTest> = (0..5).map(each).collect();
        assert_eq!(apart(&asked(&[1], all), "six", &each), [1]);
    }
}
