//! What candidates have to keep as it was written: tests that have to pass along with what asserts something for them, what
//! runs the test for several inputs, assertions that hold before it fails, and the statement in which it does.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::CodeMatcher;
use crate::rust::operands::added;
use crate::rust::{
    AskedFunctions, Assertions, FixedRange, SourceFile, Sources, Stays, TestRows, ValueCheck,
    asserting_macros, assertions_before, dense_text, functions_in, functions_of, helpers_of_tests,
    lacks_only_arms, named_values, rows_of_tests, value_checks,
};
use crate::source::asserts;

/// So many assertions that hold have to stay.
const MOST_HOLDING: usize = 3;

/// A function as it was written.
#[derive(Debug, Clone)]
struct Written {
    text: String,
    /// Its tokens.
    dense: String,
}

impl Written {
    /// Whether this text is the same, or that of a helper without arms that assert nothing.
    fn is_kept_in(&self, text: &str, is_helper: bool) -> bool {
        self.dense == dense_text(text) || is_helper && lacks_only_arms(&self.text, text)
    }
}

/// Parts of the sources that stay.
#[derive(Debug, Clone, Default)]
pub struct FixedParts {
    names: Vec<String>,
    /// The helpers among them.
    helpers: BTreeSet<String>,
    /// Whether what runs the test was not found, so that nobody could see whether it stays.
    lacks_driver: bool,
    /// How the functions of these names were written.
    functions: BTreeMap<String, Vec<Written>>,
    /// Constants of which something has to be left.
    rows: Vec<TestRows>,
    assertions: Option<Assertions>,
    /// The statement that fails, and the tokens of it.
    failing: Option<(CodeMatcher, String)>,
    /// What shows the operands of the condition that fails.
    operands: Vec<String>,
    /// The functions that the assertion which fails asks.
    asked: AskedFunctions,
}

impl FixedParts {
    /// The functions of these names, as they stand in `original`, with the helpers and the macros of the `companions`: with
    /// others, these could pass for nothing. What comes from the files `of_tests` of the subject is for tests only.
    pub(super) fn new(
        companions: &[&str],
        driver: Option<&str>,
        original: &Sources,
        of_tests: &BTreeSet<usize>,
    ) -> Self {
        let helpers = original.files.iter().enumerate().flat_map(|(file, source)| {
            let is_of_tests = |at: usize| {
                original.origin(file, at).is_some_and(|place| of_tests.contains(&place.file))
            };
            helpers_of_tests(&source.text, companions, is_of_tests)
        });
        let mut passing: Vec<String> = companions.iter().copied().map(str::to_owned).collect();
        let helpers: BTreeSet<String> = helpers.collect();
        passing.extend(helpers.iter().cloned());
        passing.extend(asserting_macros(original, &passing));
        let rows = rows_of_tests(original, &passing, |file, at| {
            original.origin(file, at).is_some_and(|place| of_tests.contains(&place.file))
        });
        let driver_name = driver.map(str::to_owned);
        let names: Vec<String> = passing.into_iter().chain(driver_name).collect();
        let keep = |text: &&str| Written { text: (*text).to_owned(), dense: dense_text(text) };
        let functions: BTreeMap<String, Vec<Written>> = functions_by_name(original, &names)
            .into_iter()
            .map(|(name, texts)| (name.to_owned(), texts.iter().map(keep).collect()))
            .collect();
        let lacks_driver = driver.is_some_and(|driver| !functions.contains_key(driver));
        let operands = operands(original);
        FixedParts {
            names,
            helpers,
            lacks_driver,
            functions,
            rows,
            operands,
            ..FixedParts::default()
        }
    }

    /// Also the last assertions that hold in a function of `original` before that place: a file and a byte.
    #[must_use]
    pub(super) fn holding(mut self, original: &Sources, place: Option<(usize, usize)>) -> Self {
        self.assertions = place.and_then(|(file, offset)| {
            assertions_before(&original.files[file].text, offset, MOST_HOLDING)
        });
        self
    }

    /// Also the statement of the `original` in which it fails, if that has to stay.
    #[must_use]
    pub(super) fn holding_failure(mut self, original: &Sources, matcher: &CodeMatcher) -> Self {
        let statement = matcher.statement_in(original);
        self.failing = statement
            .map(|(file, range)| (matcher.clone(), dense_text(&original.files[file].text[range])));
        self
    }

    /// Also that the functions look at what they are given which the test asks that fails at that place of `original`.
    #[must_use]
    pub(super) fn answering(self, original: &Sources, place: Option<(usize, usize)>) -> Self {
        let asked = place.map(|place| AskedFunctions::of(original, place));
        FixedParts { asked: asked.unwrap_or_default(), ..self }
    }

    /// Whether `sources`, which fail, do so in the same statement.
    pub(super) fn keeps_failure(&self, sources: &Sources) -> bool {
        self.failing.as_ref().is_none_or(|(matcher, dense)| {
            let statement = matcher.statement_in(sources);
            statement
                .is_some_and(|(file, range)| dense_text(&sources.files[file].text[range]) == *dense)
        })
    }

    /// Whether all of it is in `sources`, as it was written.
    pub fn is_in(&self, sources: &Sources) -> bool {
        let has_all = |assertions: &Assertions| {
            sources.files.iter().any(|file| assertions.are_in(&file.text))
        };
        !self.lacks_driver
            && (self.names.is_empty() || self.has_functions(sources))
            && TestRows::are_some_left(&self.rows, sources)
            && self.asked.look(sources)
            && (self.operands.is_empty() || operands(sources) == self.operands)
            && self.assertions.as_ref().is_none_or(has_all)
    }

    /// Whether the functions are in `sources`, as they were written.
    fn has_functions(&self, sources: &Sources) -> bool {
        let now = functions_by_name(sources, &self.names);
        let is_kept = |(name, were): (&String, &Vec<Written>)| {
            let is_helper = self.helpers.contains(name);
            now.get(&**name).is_some_and(|are| {
                let mut both = were.iter().zip(are);
                were.len() == are.len() && both.all(|(was, is)| was.is_kept_in(is, is_helper))
            })
        };
        now.len() == self.functions.len() && self.functions.iter().all(is_kept)
    }

    /// Where it stands in `sources`.
    pub fn ranges_in(&self, sources: &Sources) -> Vec<FixedRange> {
        let files = sources.files.iter().enumerate();
        let assertions = files.flat_map(|(file, source)| {
            let all = self.assertions.iter().flat_map(|them| them.ranges_in(&source.text));
            all.map(move |range| (file, range))
        });
        let failing = self.failing.iter().filter_map(|(matcher, _)| matcher.statement_in(sources));
        let failing: Vec<(usize, Range<usize>)> = failing.collect();
        let names = failing.iter().flat_map(|(file, statement)| {
            let text = &sources.files[*file].text;
            // What a test compares may be written where it does so.
            let is_free = asserts(&text[statement.clone()]);
            let all = if is_free { Vec::new() } else { named_values(text, statement) };
            all.into_iter().map(|range| FixedRange { file: *file, range, stays: Stays::Name })
        });
        let names: Vec<FixedRange> = names.collect();
        let (helpers, others): (Vec<&str>, Vec<&str>) =
            self.names.iter().map(|name| &**name).partition(|name| self.helpers.contains(*name));
        let functions = functions_in(sources, &others).into_iter();
        let helpers = functions_in(sources, &helpers).into_iter();
        let of_operands = |(file, source): (usize, &SourceFile)| {
            added(&source.text).into_iter().map(move |range| (file, range))
        };
        let operands = sources.files.iter().enumerate().filter(|_| !self.operands.is_empty());
        let operands = operands.flat_map(of_operands);
        let others = functions.chain(assertions).chain(failing).chain(operands);
        let fixed = |stays: Stays| {
            move |(file, range): (usize, Range<usize>)| FixedRange {
                file,
                range,
                stays: stays.clone(),
            }
        };
        let helpers = helpers.map(fixed(Stays::AllButArms));
        let checks = self.failing.iter().flat_map(|(matcher, _)| checks(sources, matcher));
        others.map(fixed(Stays::Tokens)).chain(helpers).chain(names).chain(checks).collect()
    }
}

/// The checks of the values with which the code fails.
fn checks(sources: &Sources, matcher: &CodeMatcher) -> Vec<FixedRange> {
    let all = matcher.place_in(sources).map(|place| value_checks(sources, place));
    let fixed = |ValueCheck { file, range, guarded }| FixedRange {
        file,
        range,
        stays: Stays::Check { guarded },
    };
    all.unwrap_or_default().into_iter().map(fixed).collect()
}

/// What shows the operands of a condition, as it is written.
fn operands(sources: &Sources) -> Vec<String> {
    let files = sources.files.iter();
    let added = files.flat_map(|file| added(&file.text).into_iter().map(|it| &file.text[it]));
    added.map(dense_text).collect()
}

/// The texts of the functions of these names, by them.
fn functions_by_name<'s>(
    sources: &'s Sources,
    names: &'s [String],
) -> BTreeMap<&'s str, Vec<&'s str>> {
    let mut functions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, text) in sources.files.iter().flat_map(|file| functions_of(&file.text, names)) {
        functions.entry(name).or_default().push(text);
    }
    functions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::sources_of as sources;

    #[test]
    fn the_macros_by_which_passing_tests_assert_stay_as_they_were_written() {
        let text = |body: &str| {
            format!(
                "macro_rules! made {{ ($name:ident, $x:expr) => {{ #[test] fn $name() {{ {body} }} }} }} \
                 made!(a, 1); macro_rules! other {{ () => {{ assert!(true); }} }} #[test] fn b() {{ other!() }}"
            )
        };
        let original = sources(&text("assert!(f($x));"));
        let kept = FixedParts::new(&["a"], None, &original, &BTreeSet::new());
        assert!(kept.is_in(&original));
        assert!(!kept.is_in(&sources(&text(""))));
        let less = text("assert!(f($x));").replace("assert!(true);", "");
        assert!(kept.is_in(&sources(&less)));
    }

    #[test]
    fn helpers_of_passing_tests_may_lose_only_arms_that_assert_nothing() {
        let text = "struct T; impl T { fn run(self) { assert!(f(0)); } fn other(self) {} } \
                    fn made(x: u8) -> u8 { match x { 0 => 1, 1 => { assert!(f(1)); 2 } _ => 3 } } \
                    #[test] fn a() { T.run(); assert_eq!(made(1), 2); }";
        let original = sources(text);
        let kept = FixedParts::new(&["a"], None, &original, &BTreeSet::from([0]));
        let is_kept = |part: &str| kept.is_in(&sources(&text.replacen(part, "", 1)));
        assert!(kept.is_in(&original));
        for free in ["fn other(self) {}", "0 => 1, ", "_ => 3"] {
            assert!(is_kept(free), "{free}");
        }
        for fixed in ["assert!(f(0));", "1 => { assert!(f(1)); 2 }", "assert!(f(1)); ", "T.run(); "]
        {
            assert!(!is_kept(fixed), "{fixed}");
        }
    }

    #[test]
    fn of_the_rows_that_a_passing_test_goes_through_some_stay_as_they_were_written() {
        let text = |rows: &str| {
            format!(
                "const DEEP: u8 = 1; #[cfg(test)] mod tests {{ const ROWS: &[(u8, u8)] = &[{rows}]; \
                 #[test] fn all() {{ for row in ROWS {{ assert_eq!(f(row.0), row.1); }} }} }}"
            )
        };
        let original = sources(&text("(1, 2), (2, 3)"));
        let kept = FixedParts::new(&["all"], None, &original, &BTreeSet::new());
        assert!(kept.is_in(&sources(&text("(2, 3)"))));
        assert!(!kept.is_in(&sources(&text(""))));
        assert!(!kept.is_in(&sources(&text("(0, 2), (2, 3)"))));
        let empty = sources(&text(""));
        assert!(FixedParts::new(&["all"], None, &empty, &BTreeSet::new()).is_in(&empty));
        let other = text("(1, 2), (2, 3)").replace("DEEP: u8 = 1", "DEEP: u8 = 0");
        assert!(kept.is_in(&sources(&other)));
    }

    #[test]
    fn a_macro_that_defines_a_passing_test_stays_as_it_was_written() {
        let text = |body: &str| {
            format!(
                "macro_rules! tests {{ ($kind:ty) => {{ #[test] fn each() {{ {body} }} }} }} mod m {{ tests!(A); }}"
            )
        };
        let original = sources(&text("assert!(f::<$kind>());"));
        let kept = FixedParts::new(&["each"], None, &original, &BTreeSet::new());
        assert!(kept.is_in(&original));
        assert!(!kept.is_in(&sources(&text(""))));
    }

    #[test]
    fn what_runs_the_test_stays_as_it_was_written() {
        let original = sources("#![allow(a)] mod m { #[test] fn all() { run(&[1], t) } }");
        let kept = FixedParts::new(&[], Some("all"), &original, &BTreeSet::new());
        assert!(kept.is_in(&original));
        assert!(!kept.is_in(&sources("#![allow(a)] mod m { #[test] fn all() { t() } }")));
        // Where it is not found nothing is kept.
        let hidden = sources("m! { fn all() { run(&[1], t) } }");
        assert!(!FixedParts::new(&[], Some("all"), &hidden, &BTreeSet::new()).is_in(&hidden));
    }
}
