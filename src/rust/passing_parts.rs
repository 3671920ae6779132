//! What of a failing test passes: without the assertion that fails it is a test like others, and the nearest one.

use std::ops::Range;

use syn::Stmt;

use super::free_functions::{FreeFunction, free_functions, functions_named, has_function};
use super::named::{asserting_helpers, is_plain_assertion};
use super::nearest_assertions::{State, not_needed, statements, with_variables};
use super::{OriginalPlace, Reduction, SourceFile, Sources, apply, scan};
use crate::reduce::RangeExt;
use crate::source::asserts;

/// A test that is added to the sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddedTest {
    /// The name of its function.
    pub name: String,
    /// That function with its attributes.
    pub text: String,
    /// How it has come from the failing test.
    pub part: Part,
}

/// What of a failing test another one is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// All but the assertion that fails.
    Passing,
    /// That with one row of its table alone.
    Row(usize),
    /// That with no other assertion than the one that fails, or with all that may change what that looks at.
    Failing(State),
}

impl Part {
    /// The row that it has alone, if it has one.
    pub fn row(self) -> Option<usize> {
        match self {
            Part::Row(row) => Some(row),
            Part::Passing | Part::Failing(_) => None,
        }
    }
}

/// A failing test with no other assertion than the one that fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailingAlone {
    /// The place of the file of the test, and what leaves only that there.
    pub edit: (usize, Reduction),
    /// The same as another test.
    pub test: AddedTest,
}

/// The function of a test in which it fails.
struct FailingTest<'s> {
    /// The place of its file.
    file: usize,
    /// The byte at which it fails.
    place: usize,
    /// It.
    function: FreeFunction<'s>,
}

impl<'s> FailingTest<'s> {
    /// The function `test` around the place that `is_failure`.
    fn find(
        sources: &'s Sources,
        test: &str,
        is_failure: impl Fn(OriginalPlace) -> bool,
    ) -> Option<Self> {
        let (file, place) = sources.find(is_failure)?;
        let named = free_functions(&sources.files[file].text, |name| name == test).into_iter();
        let function = named.into_iter().find(|it| it.body.contains(&place))?;
        Some(FailingTest { file, place, function })
    }
}

/// Gives a function another name: what stands before its body begins at the byte `start`.
pub(super) fn renamed(head: &str, start: usize, old: &str, new: &str) -> Option<Reduction> {
    let at = start + head.rfind(old)?;
    Some(Reduction::replace(at..at + old.len(), new))
}

/// The test in the function `test` without its assertion that holds a place which `is_failure`: with what stands behind
/// that one, and without it, where that is another test. None where no other assertion is left. Whether they
/// pass has to be seen.
pub fn passing_parts(
    sources: &Sources,
    test: &str,
    is_failure: impl Fn(OriginalPlace) -> bool,
) -> Vec<AddedTest> {
    let Some(test) = AssertingTest::find(sources, test, is_failure) else { return Vec::new() };
    let AssertingTest { file, ref assertions, failing, .. } = test;
    let part = |suffix: &str, gone: &[Range<usize>]| {
        let gone = with_idle_end(test.text(), gone.to_vec());
        test.without(with_variables(test.text(), gone), suffix, Part::Passing)
    };
    let mut parts = vec![part("passing", &assertions[failing..=failing])];
    let behind = test.not_passed();
    if failing > 0 && behind.len() > 1 {
        parts.push(part("passing_before", &behind));
    }
    parts.retain(|part| !has_function(&file.text, &part.name));
    parts
}

/// The test in the function `test` with no other assertion than the one that holds a place which is `is_failure`, or with this
/// `state`, and without what the others use alone; `None` where it has no others. Whether it still fails like that has to be seen.
pub fn failing_alone(
    sources: &Sources,
    test: &str,
    is_failure: impl Fn(OriginalPlace) -> bool,
    state: State,
) -> Option<FailingAlone> {
    let test = AssertingTest::find(sources, test, is_failure)?;
    let mut others = test.assertions.clone();
    let failing = others.remove(test.failing);
    let gone = match state {
        State::Free => with_variables(test.text(), others),
        State::Kept => not_needed(test.text(), &[failing], &others),
    };
    let start = test.function.range.start;
    let removals = gone.iter().map(|range| range.clone().offset_by(start));
    let edit = removals.fold(Reduction::default(), Reduction::and_remove);
    let alone = test.without(gone, "alone", Part::Failing(state));
    let is_new = !has_function(&test.file.text, &alone.name);
    is_new.then_some(FailingAlone { edit: (test.place, edit), test: alone })
}

/// A test with several assertions, of which one fails.
struct AssertingTest<'s> {
    name: &'s str,
    /// Its file, and the place of that.
    file: &'s SourceFile,
    place: usize,
    function: FreeFunction<'s>,
    /// The assertions, in the text of its function.
    assertions: Vec<Range<usize>>,
    /// The place of the one that fails among them.
    failing: usize,
}

impl<'s> AssertingTest<'s> {
    fn find(
        sources: &'s Sources,
        name: &'s str,
        is_failure: impl Fn(OriginalPlace) -> bool,
    ) -> Option<Self> {
        let found = FailingTest::find(sources, name, is_failure)?;
        let FailingTest { file: place, place: failure, function } = found;
        let file = &sources.files[place];
        let Range { start, .. } = function.range;
        let assertions = statements(&file.text[function.range.clone()], is_plain_assertion);
        let assertions: Vec<Range<usize>> = assertions.into_iter().map(|it| it.range).collect();
        let failing = assertions.iter().position(|range| range.contains(&(failure - start)))?;
        (assertions.len() > 1).then_some(AssertingTest {
            name,
            file,
            place,
            function,
            assertions,
            failing,
        })
    }

    fn text(&self) -> &str {
        &self.file.text[self.function.range.clone()]
    }

    /// The assertion that fails, and the statements behind it.
    fn not_passed(&self) -> Vec<Range<usize>> {
        let failing = &self.assertions[self.failing];
        let is_value = |text: &str| !text.ends_with([';', '}']);
        let behind = statements(self.text(), |it| !matches!(it, Stmt::Item(_))).into_iter();
        let behind = behind.filter(|it| it.range.start > failing.start);
        // What the test returns has to stay.
        let gone = behind.filter(|it| !is_value(&it.text) || self.assertions.contains(&it.range));
        std::iter::once(failing.clone()).chain(gone.map(|it| it.range)).collect()
    }

    /// The same as another test without these statements.
    fn without(&self, gone: Vec<Range<usize>>, suffix: &str, part: Part) -> AddedTest {
        let name = format!("{}_{suffix}", self.name);
        let Range { start, .. } = self.function.range;
        let head = &self.file.text[start..self.function.body.start];
        let renamed = renamed(head, 0, self.name, &name).into_iter();
        let edits: Vec<Reduction> =
            renamed.chain(gone.into_iter().map(Reduction::remove)).collect();
        AddedTest { text: apply(self.text(), &edits), name, part }
    }
}

/// These statements of a test, and those behind all of its other assertions: nobody looks at what they do.
fn with_idle_end(test: &str, mut gone: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let all = statements(test, |_| true).into_iter().rev();
    let left = all.filter(|statement| !gone.contains(&statement.range));
    let is_idle = |text: &str| text.ends_with([';', '}']) && !says_something(text);
    let idle = left.take_while(|statement| is_idle(&statement.text));
    let idle: Vec<Range<usize>> = idle.map(|statement| statement.range).collect();
    gone.extend(idle);
    gone
}

/// Whether code says by itself that something is wrong: by an assertion, a macro that may be one, or where there is no value.
fn says_something(text: &str) -> bool {
    let tokens: Vec<&str> = scan::tokens(text).map(|token| token.text).collect();
    let is_macro = |pair: &[&str]| pair[1] == "!" && pair[0].starts_with(char::is_alphabetic);
    asserts(text)
        || tokens.windows(2).any(is_macro)
        || tokens.iter().any(|token| matches!(*token, "unwrap" | "expect" | "?"))
}

/// Whether the function of a test says by itself that something is wrong, or a helper of tests does that it calls; of what a
/// macro makes nobody knows.
pub fn says_what_is_right(sources: &Sources, test: &str) -> bool {
    let mut functions = functions_named(sources, test).peekable();
    let says = |(_, file, function): (usize, &SourceFile, FreeFunction<'_>)| {
        let text = &file.text[function.range];
        text.contains("should_panic")
            || says_something(text)
            || !asserting_helpers(&file.text, &[test]).is_empty()
    };
    functions.peek().is_none() || functions.any(says)
}

/// The sources with these tests behind the function `test`, but for those that are there; `None` if there is no such
/// function.
pub fn with_tests_behind(sources: &Sources, test: &str, added: &[AddedTest]) -> Option<Sources> {
    let (file, source, function) = functions_named(sources, test).next()?;
    let new = added.iter().filter(|it| !has_function(&source.text, &it.name));
    let texts: Vec<String> = new.map(|it| format!("\n\n{}", it.text)).collect();
    let end = function.range.end;
    Some(sources.edit([(file, &Reduction::replace(end..end, texts.concat()))]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::Sameness;

    const TEXT: &str = "mod tests {\n    #[test]\n    fn t() {\n        let x = f();\n        assert_eq!(x, 1);\n        \
                        assert!(wrong(x));\n        assert!(right(x));\n    }\n}\n";

    fn parts(text: &str, failing: &str) -> Vec<AddedTest> {
        let sources = Sources::of_file("t.rs", text, Sameness::Tokens);
        let at = text.find(failing).unwrap();
        passing_parts(&sources, "t", |place| sources.origin(0, at) == Some(place))
    }

    fn dense(text: &str) -> String {
        text.split_whitespace().collect::<Vec<&str>>().join(" ")
    }

    #[test]
    fn what_stands_behind_the_failure_is_no_part_of_what_has_passed() {
        let parts = |text: &str| {
            let parts = parts(text, "assert!(wrong").into_iter();
            parts.map(|part| dense(&part.text)).collect::<Vec<String>>()
        };
        let text = "#[test] fn t() -> R { let x = f(); assert_eq!(x, 1); assert!(wrong(x)); \
                    for y in all() { assert!(right(y)); } Ok(()) }";
        let before = "#[test] fn t_passing_before() -> R { let x = f(); assert_eq!(x, 1); Ok(()) }";
        assert_eq!(parts(text)[1..], [before]);
        assert_eq!(parts("#[test] fn t() { assert_eq!(f(), 1); assert!(wrong(2)); }").len(), 1);
    }

    #[test]
    fn a_test_without_the_assertion_that_fails_is_another_test() {
        let parts = parts(TEXT, "assert!(wrong");
        let texts: Vec<String> = parts.iter().map(|part| dense(&part.text)).collect();
        assert_eq!(
            texts,
            [
                "#[test] fn t_passing() { let x = f(); assert_eq!(x, 1); assert!(right(x)); }",
                "#[test] fn t_passing_before() { let x = f(); assert_eq!(x, 1); }",
            ]
        );
        let sources = Sources::of_file("t.rs", TEXT, Sameness::Tokens);
        let with = with_tests_behind(&sources, "t", &parts[1..]).unwrap();
        assert!(dense(&with.files[0].text).ends_with(&format!("}} {} }}", texts[1])));
        let again = with_tests_behind(&with, "t", &parts[1..]).unwrap();
        assert_eq!(again.files[0].text, with.files[0].text);
        assert!(with_tests_behind(&sources, "gone", &parts).is_none());
    }

    #[test]
    fn a_test_can_have_the_assertion_that_fails_alone() {
        let text = "#[test] fn t() { let x = f(); let y = g(); assert_eq!(y, x); let x = h(y); x.i(); assert!(wrong(x)); \
                    assert!(right(x)); }";
        let sources = Sources::of_file("t.rs", text, Sameness::Tokens);
        let at = text.find("assert!(wrong").unwrap();
        let alone = |test: &str| {
            failing_alone(&sources, test, |place| sources.origin(0, at) == Some(place), State::Free)
        };
        let FailingAlone { edit: (file, edit), test } = alone("t").unwrap();
        let left = "let y = g(); let x = h(y); x.i(); assert!(wrong(x)); }";
        assert_eq!(
            dense(&apply(&sources.files[file].text, [&edit])),
            format!("#[test] fn t() {{ {left}")
        );
        assert_eq!(dense(&test.text), format!("#[test] fn t_alone() {{ {left}"));
        assert!(alone("u").is_none());
    }

    #[test]
    fn what_nobody_looks_at_behind_the_other_assertions_is_left_out() {
        let text = "#[test] fn t() { let mut x = f(); assert_eq!(x, 1); for y in x.all() { *y = 2; } let z = x.g(); \
                    assert!(wrong(z)); }";
        let parts = parts(text, "assert!(wrong");
        assert_eq!(
            dense(&parts[0].text),
            "#[test] fn t_passing() { let mut x = f(); assert_eq!(x, 1); }"
        );
    }

    #[test]
    fn tests_say_what_is_right_by_assertions_helpers_and_values_that_have_to_be_there() {
        let text = "fn checks(x: X) { assert!(x.y()); } #[test] fn f() { assert!(true); } #[test] fn runs() { f(); } #[test] fn holds() { checks(f()); } \
                    #[test] fn reads() { f().unwrap(); } #[test] #[should_panic] fn panics() { f(); }";
        let sources = Sources::of_file("t.rs", text, Sameness::Tokens);
        let says = |test: &&str| says_what_is_right(&sources, test);
        let all = ["runs", "holds", "reads", "panics", "made_by_a_macro"];
        let saying: Vec<&str> = all.into_iter().filter(says).collect();
        assert_eq!(saying, ["holds", "reads", "panics", "made_by_a_macro"]);
    }

    #[test]
    fn what_is_no_assertion_or_the_only_one_leaves_no_test() {
        assert_eq!(parts(TEXT, "let x"), []);
        assert_eq!(parts("#[test] fn t() { assert!(wrong()); }", "assert!"), []);
        assert_eq!(parts(TEXT, "assert!(right").len(), 1);
    }
}
