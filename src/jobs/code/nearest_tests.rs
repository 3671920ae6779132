//! Tests of the target that pass today and run what the failing test runs: where no inputs next to the failing ones
//! can tell the bug from what is left, or a test compares with one value only, they say what the code has to do.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::code_job::CodeJob;
use super::compile_plan::{CompilePlan, compiler_in, count, with_library};
use super::shape::{CodeShape, Companions, Telling};
use super::trails::{Asked, Ran, Traced, marked};
use crate::app::failure::Result;
use crate::app::search_driver::trouble;
use crate::app::session::Session;
use crate::compile::{Compiled, Depth, Shortcuts};
use crate::oracle::code::TestName;
use crate::oracle::runner::TestRunner;
use crate::rust::runs::entries;
use crate::rust::{
    AddedTest, FailingAlone, OriginalPlace, Part, Rows, Sources, State, failing_alone, function_of,
    function_text, passing_parts, says_what_is_right, with_tests_behind,
};

/// So many have to pass along: a run each, for every candidate.
const MOST: usize = 2;
/// The same where rows of the table of the failing test are among them, of which so many may run the same.
const MOST_WITH_ROWS: usize = 3;
const MOST_ALIKE: usize = 2;
/// Tests are asked what they run for as long as this.
const LONGEST: Duration = Duration::from_secs(20);
/// Of those that say as much, the faster ones are taken where others take longer than this.
const FAST: Duration = Duration::from_millis(50);

/// So many rows a test keeps of its table.
const MOST_ROWS: usize = 3;

/// What may stay beside assertions, the least first.
const STATES: [State; 2] = [State::Free, State::Kept];

/// What of the failing test may fail alone.
enum Alone {
    /// One of these rows.
    Row(Rows),
    /// The assertion that fails.
    Assertion(FailingAlone),
}

impl Alone {
    /// All that may, the shortest first.
    fn all_of(
        sources: &Sources,
        test: &str,
        is_failure: impl Fn(OriginalPlace) -> bool,
    ) -> Vec<Self> {
        if let Some(rows) = Rows::of(sources, test, &is_failure) {
            return vec![Alone::Row(rows)];
        }
        let alone = STATES.map(|state| failing_alone(sources, test, &is_failure, state));
        let mut alone: Vec<FailingAlone> = alone.into_iter().flatten().collect();
        alone.dedup_by(|one, other| one.edit == other.edit);
        alone.into_iter().map(Alone::Assertion).collect()
    }

    /// The tests that have it alone.
    fn tests(&self) -> Vec<AddedTest> {
        match self {
            Alone::Row(rows) => rows.alone(),
            Alone::Assertion(assertion) => vec![assertion.test.clone()],
        }
    }

    /// The rows, if it is one of them.
    fn rows(&self) -> Option<&Rows> {
        match self {
            Alone::Row(rows) => Some(rows),
            Alone::Assertion(_) => None,
        }
    }

    /// These companions of a failing test of which this part fails alone.
    fn of_part(&self, found: Companions, part: Part) -> Companions {
        match (self, part) {
            (Alone::Row(_), Part::Row(_)) => Companions { failing_alone: Some(part), ..found },
            (Alone::Assertion(assertion), Part::Failing(_)) => Companions {
                failing_alone: Some(part),
                like: Some(assertion.test.text.clone()),
                ..found
            },
            _ => found,
        }
    }
}

/// Which tests are wanted.
#[derive(Debug, Clone, Copy)]
pub struct WantedTests {
    /// So many at most, besides rows of the table of the failing test.
    most: usize,
    /// Only those that come as near to the place of the failure as the mark of that number.
    up_to: Option<usize>,
    /// Whether another one is wanted for what these do not run: where the test tells what is wrong, any code would do there.
    is_complete: bool,
}

impl WantedTests {
    /// All that say something; one is enough where inputs pass that come near the failure, beside one for what it does not run
    /// where the test itself tells what is wrong.
    pub fn beside_inputs(are_near: bool, fails_in_test: bool) -> Self {
        let most = if are_near { 1 } else { MOST };
        WantedTests { most, up_to: None, is_complete: fails_in_test }
    }

    /// One that comes to that mark.
    pub fn coming_to(mark: usize) -> Self {
        WantedTests { most: 1, up_to: Some(mark), is_complete: false }
    }

    fn takes(self, ran: &Ran) -> bool {
        self.up_to.is_none_or(|mark| ran.trail.level.is_some_and(|level| level <= mark))
    }
}

/// The nearest tests: of the target, or else of the library that it tests.
///
/// # Errors
/// When the compiler or the tests cannot be run.
pub fn nearest_tests(
    session: &Session,
    code_job: &CodeJob<'_>,
    wanted: WantedTests,
) -> Result<Companions> {
    let subject = code_job.subject;
    if subject.runner != TestRunner::Libtest || !code_job.original.baseline.is_stable() {
        return Ok(Companions::default());
    }
    NearestTests { session, code_job, wanted }.found()
}

/// The search for them.
#[derive(Clone, Copy)]
struct NearestTests<'a> {
    session: &'a Session,
    code_job: &'a CodeJob<'a>,
    wanted: WantedTests,
}

impl NearestTests<'_> {
    fn found(self) -> Result<Companions> {
        let NearestTests { code_job, .. } = self;
        let subject = code_job.subject;
        let mut own = CompilePlan::as_it_is(subject, Shortcuts::All);
        let (whole, function) = (own.shape.clone(), function_of(&subject.test));
        let is_failure = |place| code_job.matcher.stands_at(place);
        let parts = passing_parts(&whole.sources, function, is_failure);
        let all_alone = Alone::all_of(&whole.sources, function, is_failure);
        let mut found = Companions::default();
        let mut alone = None;
        let mut ways = all_alone.iter().map(Some).chain([None]).peekable();
        while let Some(way) = ways.next() {
            alone = way;
            let tests = alone.map(Alone::tests).into_iter().flatten();
            let added = parts.iter().cloned().chain(tests).collect();
            let parts = Companions { added, ..Companions::default() };
            own.shape = parts.beside(&whole, &subject.test);
            found = self.nearest_in(&own, alone)?;
            let is_chosen =
                |part: &AddedTest| found.names.iter().any(|it| function_of(it) == part.name);
            found.added = parts.added.into_iter().filter(is_chosen).collect();
            let is_last = ways.peek().is_none_or(Option::is_none);
            if !found.names.is_empty() && (is_last || found.failing_alone.is_some()) {
                break;
            }
            // With these tests it may not compile, or none of them fails.
        }
        if found.are_telling() || code_job.config.code.keep_layout {
            let found = self.with_few_rows(&own, found)?;
            return self.trimmed(&own, found, alone);
        }
        let of_library = subject.original.with_library_tests(Companions::default());
        let Some(flat) = of_library.and_then(|shape| shape.flattened().ok()) else {
            return Ok(found);
        };
        let name = TestName::following(&subject.test, &flat.sources);
        let flat = CompilePlan { shape: flat, shortcuts: Shortcuts::All, name };
        let beside = self.nearest_in(&flat, None)?;
        if beside.are_telling() || found.names.is_empty() && !beside.names.is_empty() {
            let beside = self.with_few_rows(&flat, beside)?;
            let beside = self.trimmed(&flat, beside, None)?;
            return Ok(Companions { of_library: true, ..beside });
        }
        let found = self.with_few_rows(&own, found)?;
        self.trimmed(&own, found, alone)
    }

    /// The tests that were found with the rows only of their tables which run most like the failing test, if they say as much
    /// then.
    fn with_few_rows(self, compile_plan: &CompilePlan, found: Companions) -> Result<Companions> {
        let all = &compile_plan.shape;
        let plan_of = |shape: CodeShape| CompilePlan { shape, ..compile_plan.clone() };
        let mut rows = Vec::new();
        for test in found.names.iter().map(|test| function_of(test)) {
            let Some(table) = Rows::longest_in(&all.sources, test, MOST_ROWS) else { continue };
            let alone = Companions { added: table.alone(), ..Companions::default() };
            let Some(sources) = with_tests_behind(&all.sources, test, &alone.added) else {
                continue;
            };
            let shape = CodeShape { sources, companions: Arc::new(alone), ..all.clone() };
            let Some(mut asked) = self.asked_in(&plan_of(shape), None)? else { continue };
            asked.passing.retain(|it| table.row_of(function_of(&it.test)).is_some());
            let wanted = WantedTests { most: MOST_ROWS, ..self.wanted };
            let near = nearest(asked, wanted, |_| true).names;
            let mut near: Vec<usize> =
                near.iter().filter_map(|it| table.row_of(function_of(it))).collect();
            near.sort_unstable();
            if !near.is_empty() {
                rows.push((test.to_owned(), near));
            }
        }
        if rows.is_empty() {
            return Ok(found);
        }
        let fewer = Companions { rows, ..found.clone() };
        let shape = fewer.beside(all, compile_plan.name.original());
        let again = self.nearest_in(&plan_of(shape), None)?;
        let is_same = again.names == found.names && again.telling == found.telling;
        Ok(if is_same { fewer } else { found })
    }

    /// The tests that were found with the assertions only that are most like what the failing one says, if they say as much
    /// then: all that the others run would have to stay.
    fn trimmed(
        self,
        compile_plan: &CompilePlan,
        found: Companions,
        alone: Option<&Alone>,
    ) -> Result<Companions> {
        let all = &compile_plan.shape;
        let assertion = alone.filter(|it| it.rows().is_none());
        let tests = assertion.map(Alone::tests).into_iter().flatten();
        let added: Vec<AddedTest> = found.added.iter().cloned().chain(tests).collect();
        let whole = all.sources.tokens();
        let mut tokens = whole;
        // Where other inputs run, the failing test reads otherwise.
        let failing = || function_text(&all.sources, function_of(compile_plan.name.original()));
        let like = Some(found.like.clone().unwrap_or_else(failing));
        for state in STATES {
            let trimmed = Companions { trimmed: Some(state), like: like.clone(), ..found.clone() };
            let with_alone = Companions { added: added.clone(), ..trimmed.clone() };
            let shape = with_alone.beside(all, compile_plan.name.original());
            // Nothing goes, or nothing more stays than with the state before.
            let left = shape.sources.tokens();
            if left == tokens || left == whole {
                break;
            }
            tokens = left;
            let fewer = CompilePlan { shape, ..compile_plan.clone() };
            let again = self.nearest_in(&fewer, assertion)?;
            if again.names == found.names && again.telling == found.telling {
                return Ok(trimmed);
            }
        }
        Ok(found)
    }

    /// The nearest tests of the target, compiled so; those of what fails `alone` may be among them.
    fn nearest_in(self, compile_plan: &CompilePlan, alone: Option<&Alone>) -> Result<Companions> {
        let Some(asked) = self.asked_in(compile_plan, alone)? else {
            return Ok(Companions::default());
        };
        let part = asked.alone;
        let sources = &compile_plan.shape.sources;
        let says = |test: &str| says_what_is_right(sources, function_of(test));
        let found = nearest(asked, self.wanted, says);
        Ok(match alone.zip(part) {
            Some((alone, part)) => alone.of_part(found, part),
            None => found,
        })
    }

    /// What the tests of the target run, compiled so; nothing where that cannot be told, or takes too long.
    fn asked_in(self, compile_plan: &CompilePlan, alone: Option<&Alone>) -> Result<Option<Asked>> {
        let NearestTests { session, code_job, .. } = self;
        let interrupt = session.interrupt.until(Instant::now() + LONGEST);
        let CodeJob { config, subject, .. } = code_job;
        let compiler = compiler_in("trails", config, subject, compile_plan, &interrupt);
        let Some((compiler, _)) = with_library(compiler, &[], &interrupt) else { return Ok(None) };
        let mut found = Ok(None);
        // Not every block takes a mark.
        for with_branches in [true, false] {
            let entries = entries(&compile_plan.shape.sources, with_branches);
            let sources = marked(code_job, &compile_plan.shape, &entries);
            let look = |compiled: Compiled| match &compiled.binary {
                Some(binary) => {
                    let (entries, interrupt) = (&entries, &interrupt);
                    let rows = alone.and_then(Alone::rows);
                    let traced =
                        Traced { code_job, compile_plan, entries, binary, rows, interrupt };
                    Ok(Some(traced.asked()?))
                }
                None => Ok(None),
            };
            found = compiler.with_compiled(&sources, Depth::Link, &interrupt, look);
            if !matches!(found, Ok(None)) {
                break;
            }
        }
        count(session, &compiler);
        match found {
            Ok(found) => Ok(found.flatten()),
            // It took too long.
            Err(_) if interrupt.is_set() && !session.interrupt.is_set() => Ok(None),
            Err(error) => Err(trouble(&error)),
        }
    }
}

/// Those of the tests that come nearest to the failure, and miss least of what the failing one calls and runs; `says` of a
/// test whether it says what is right, not only that nothing panics.
fn nearest(asked: Asked, wanted: WantedTests, says: impl Fn(&str) -> bool) -> Companions {
    let Asked { failing, branches, called, mut passing, alone } = asked;
    let row = alone.and_then(Part::row);
    let level = |it: &Ran| it.trail.level.unwrap_or(usize::MAX);
    let missed = |of: &BTreeSet<usize>, it: &Ran| of.difference(&it.trail.entered).count();
    // One that runs less than half of what is called would keep more code than it says something about.
    passing.retain(|it| 2 * missed(&called, it) <= called.len());
    passing.retain(|it| wanted.takes(it));
    let is_row = |it: &Ran| it.distance.is_some();
    let runs =
        |number: &usize| passing.iter().any(|it| is_row(it) && it.trail.entered.contains(number));
    if row.is_some() && called.iter().all(runs) {
        // Other tests would keep more code.
        passing.retain(is_row);
    }
    let more = |it: &Ran| it.trail.entered.difference(&failing.entered).count();
    passing.sort_by_key(|it| {
        let missed = (missed(&called, it), missed(&failing.entered, it));
        // All rows run nearly the same.
        let branches = if is_row(it) { 0 } else { branches.difference(&it.branches).count() };
        (level(it), missed, !it.is_part, branches, it.took > FAST, more(it), it.distance, it.unlike)
    });
    let nearest = passing.first().map(level);
    if let Some(first) = passing.first()
        && says(&first.test)
        && missed(&called, first) == 0
    {
        // It says what is right alone; one that runs twice as much would mostly keep code that has nothing to do with it.
        let most = failing.entered.len().max(more(first));
        passing.retain(|it| more(it) <= most);
    }
    let mut seen: BTreeMap<BTreeSet<usize>, usize> = BTreeMap::new();
    // Two that run the same say little more than one, but for rows beside the one that fails.
    let is_different = |it: &Ran| {
        let alike = seen.entry(it.trail.entered.clone()).or_default();
        *alike += 1;
        *alike <= if is_row(it) { MOST_ALIKE } else { 1 }
    };
    let (near, far): (Vec<Ran>, Vec<Ran>) =
        passing.into_iter().partition(|it| Some(level(it)) == nearest);
    let (mut chosen, mut others): (Vec<Ran>, Vec<Ran>) = near.into_iter().partition(is_different);
    let most = if row.is_some() { MOST_WITH_ROWS } else { wanted.most };
    others = chosen.split_off(most.min(chosen.len())).into_iter().chain(others).collect();
    others.extend(far);
    let says_of = |it: &Ran, number: &usize| says(&it.test) && it.trail.entered.contains(number);
    // A part of the failing test calls what that calls, but expects nothing of it.
    let has_run = |it: &Ran, number: &usize| !it.is_part && says_of(it, number);
    let lacking = called.iter().filter(|number| !chosen.iter().any(|it| has_run(it, number)));
    let lacking: Vec<usize> = lacking.copied().collect();
    let brings = |it: &Ran| lacking.iter().filter(|number| has_run(it, number)).count();
    others.retain(|it| !it.is_part && wanted.is_complete);
    // What none of them says anything of, another one may.
    let most_of_it = others.iter().map(&brings).max().filter(|count| *count > 0);
    if let Some(place) = others.iter().position(|it| Some(brings(it)) == most_of_it) {
        chosen.push(others.swap_remove(place));
    }
    let have_run = |all: &BTreeSet<usize>, runs: &dyn Fn(&Ran, &usize) -> bool| {
        all.iter().all(|number| chosen.iter().any(|it| runs(it, number)))
    };
    let telling = if chosen.is_empty() || !have_run(&called, &says_of) {
        Telling::Little
    } else if have_run(&failing.entered, &has_run) {
        Telling::OfAll
    } else {
        Telling::OfCalled
    };
    Companions {
        telling,
        names: chosen.into_iter().map(|it| it.test).collect(),
        ..Companions::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::runs::Trail;

    fn trail(level: Option<usize>, entered: &[usize]) -> Trail {
        Trail { level, entered: entered.iter().copied().collect(), entries: None }
    }

    fn ran(test: &str, level: Option<usize>, entered: &[usize]) -> Ran {
        let took = Duration::from_millis(1);
        let test = test.to_owned();
        let (trail, branches) = (trail(level, entered), BTreeSet::new());
        Ran { test, trail, branches, took, unlike: 0, is_part: false, distance: None }
    }

    fn asked(called: &[usize], passing: Vec<Ran>) -> Asked {
        Asked {
            failing: trail(Some(0), &[1, 2, 3]),
            branches: [11, 12].into(),
            called: called.iter().copied().collect(),
            passing,
            alone: None,
        }
    }

    /// Where all tests say what is right.
    fn nearest(asked: Asked) -> Companions {
        super::nearest(asked, WantedTests::beside_inputs(false, true), |_| true)
    }

    #[test]
    fn tests_that_come_near_the_failure_and_run_the_same_come_first() {
        let all = vec![
            ran("elsewhere", None, &[7]),
            ran("far", Some(2), &[1, 2, 3]),
            ran("misses", Some(1), &[1, 9]),
            ran("near", Some(1), &[1, 2]),
            ran("alike", Some(1), &[1, 2]),
            ran("more", Some(1), &[1, 2, 3, 4, 5, 6]),
        ];
        let found = nearest(asked(&[1], all));
        assert_eq!(found.names, ["more", "near"]);
        assert!(found.are_telling());
        assert_eq!(nearest(asked(&[1], Vec::new())), Companions::default());
    }

    #[test]
    fn where_one_has_to_come_to_a_mark_only_such_tests_are_taken() {
        let all = || vec![ran("far", Some(2), &[1, 2, 3]), ran("none", None, &[1, 2, 3])];
        let coming =
            |mark| super::nearest(asked(&[1], all()), WantedTests::coming_to(mark), |_| true).names;
        assert_eq!(coming(2), ["far"]);
        assert!(coming(1).is_empty());
    }

    #[test]
    fn of_tests_that_run_the_same_functions_one_that_gets_further_in_them_comes_first() {
        let mut further = ran("further", None, &[1, 2]);
        further.branches = [11, 13].into();
        let all = vec![ran("early", None, &[1, 2]), further];
        assert_eq!(nearest(asked(&[1], all)).names, ["further"]);
    }

    #[test]
    fn of_tests_that_say_as_much_fast_ones_come_first() {
        let mut slow = ran("slow", None, &[1, 2, 3]);
        slow.took = Duration::from_millis(200);
        let all =
            vec![slow, ran("fast", None, &[1, 2, 3, 4]), ran("other", None, &[1, 2, 3, 5, 6])];
        assert_eq!(nearest(asked(&[1], all)).names, ["fast", "other"]);
    }

    #[test]
    fn tests_say_what_is_right_where_they_run_all_that_is_called() {
        let all = || vec![ran("one", None, &[1, 2]), ran("other", None, &[4, 2])];
        let found = nearest(asked(&[1, 2], all()));
        assert_eq!(found.names, ["one", "other"]);
        assert_eq!(found.telling, Telling::OfCalled);
        assert_eq!(nearest(asked(&[1, 2, 3], all())).telling, Telling::Little);
        let with_rest = vec![ran("one", None, &[1, 2]), ran("other", None, &[3, 2])];
        assert_eq!(nearest(asked(&[1, 2], with_rest)).telling, Telling::OfAll);
        assert!(
            !super::nearest(asked(&[1, 2], all()), WantedTests::beside_inputs(false, true), |_| {
                false
            })
            .are_telling()
        );
        assert_eq!(nearest(asked(&[3], all())), Companions::default());
    }

    #[test]
    fn a_part_of_the_failing_test_does_not_say_all_of_what_is_right() {
        let part = Ran { is_part: true, ..ran("part", None, &[1, 2, 3]) };
        let found = nearest(asked(&[1], vec![part]));
        assert_eq!(found.telling, Telling::OfCalled);
    }

    #[test]
    fn where_one_test_is_enough_another_one_says_what_that_does_not_run() {
        let all = || {
            vec![ran("near", None, &[1, 2]), ran("alike", None, &[1, 2]), ran("far", None, &[3, 9])]
        };
        let names = |called: &[usize]| {
            let wanted = WantedTests::beside_inputs(true, true);
            super::nearest(asked(called, all()), wanted, |_| true).names
        };
        assert_eq!(names(&[1, 2]), ["near"]);
        assert_eq!(names(&[1, 2, 3, 9]), ["near", "far"]);
        assert_eq!(names(&[1, 2, 4]), ["near"]);
        let part = Ran { is_part: true, ..ran("part", None, &[1, 3]) };
        let wanted = WantedTests::beside_inputs(true, true);
        let all = vec![part, ran("far", None, &[3, 9])];
        let found = super::nearest(asked(&[1, 3], all), wanted, |_| true);
        assert_eq!(found.names, ["part", "far"]);
    }

    #[test]
    fn rows_next_to_the_one_that_fails_stand_for_other_tests_where_they_run_what_is_called() {
        let row = |distance, entered: &[usize]| {
            let test = format!("row_{distance}");
            Ran { distance: Some(distance), ..ran(&test, None, entered) }
        };
        let all = || {
            vec![
                ran("another", None, &[1, 2, 4]),
                row(7, &[1, 2]),
                row(1, &[1, 2]),
                row(3, &[1, 2]),
                row(0, &[1]),
            ]
        };
        let of =
            |called: &[usize]| nearest(Asked { alone: Some(Part::Row(0)), ..asked(called, all()) });
        assert_eq!(of(&[1]).names, ["row_1", "row_3", "row_0"]);
        assert_eq!(of(&[1, 4]).names, ["another", "row_1", "row_3"]);
    }

    #[test]
    fn a_test_that_runs_much_else_is_left_out_where_another_one_says_what_is_right() {
        let all = |near: &[usize]| {
            vec![ran("much", None, &[1, 2, 3, 4, 5, 6, 7]), ran("near", None, near)]
        };
        assert_eq!(nearest(asked(&[1], all(&[1, 2, 3, 4]))).names, ["near"]);
        // The nearest one runs as much, or does not run all that is called.
        assert_eq!(nearest(asked(&[1], all(&[1, 2]))).names, ["much", "near"]);
        assert_eq!(nearest(asked(&[1, 5], all(&[1, 2, 3, 4]))).names, ["much", "near"]);
    }
}
