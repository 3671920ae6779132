//! Assertions of tests that have nothing to do with the others: what they look at no other statement uses.

use std::collections::BTreeSet;
use std::ops::Range;

use syn::Stmt;

use super::free_functions::functions_named;
use super::named::asserting_helpers;
use super::nearest_assertions::{asserting_statements, statements, with_variables};
use super::passing_parts::renamed;
use super::scan::{self, has_word};
use super::{AddedTest, Part, Reduction, Sources, apply};
use crate::reduce::RangeExt;

/// A test of which some assertions can go, each with what only it uses.
pub struct LoneAssertions<'s> {
    name: &'s str,
    /// The place of its file.
    file: usize,
    /// Its function, and where it and its body start in the file.
    text: &'s str,
    start: usize,
    body: usize,
    /// What goes with each of the assertions, in the text of the function.
    gone: Vec<Vec<Range<usize>>>,
}

impl<'s> LoneAssertions<'s> {
    /// Those of the function `test`; `None` if it has none, or nothing else asserts something.
    pub fn of(sources: &'s Sources, test: &'s str) -> Option<Self> {
        let (file, source, function) = functions_named(sources, test).next()?;
        let helpers = asserting_helpers(&source.text, &[test]);
        let Range { start, end } = function.range;
        let text = &source.text[start..end];
        let all = asserting_statements(text, &helpers);
        let lone = |assertion: &Range<usize>| {
            let gone = with_variables(text, vec![assertion.clone()]);
            is_lone(text, assertion, &gone).then_some(gone)
        };
        let gone: Vec<_> = all.iter().filter_map(|it| lone(&it.range)).collect();
        let has_others = all.len() > 1 && !gone.is_empty();
        has_others.then_some(LoneAssertions {
            name: test,
            file,
            text,
            start,
            body: function.body.start,
            gone,
        })
    }

    /// The test without each of them: other tests, in the same order.
    pub fn without_each(&self) -> Vec<AddedTest> {
        let without = |(place, gone): (usize, &Vec<Range<usize>>)| {
            let name = format!("{}_without_{place}", self.name);
            let head = &self.text[..self.body - self.start];
            let renamed = renamed(head, 0, self.name, &name).into_iter();
            let edits: Vec<Reduction> =
                renamed.chain(gone.iter().cloned().map(Reduction::remove)).collect();
            AddedTest { text: apply(self.text, &edits), name, part: Part::Passing }
        };
        self.gone.iter().enumerate().map(without).collect()
    }

    /// What takes those of these places out of the test, with the place of its file.
    pub fn without(&self, places: &[usize]) -> (usize, Reduction) {
        let mut gone: Vec<&Range<usize>> = places.iter().flat_map(|it| &self.gone[*it]).collect();
        gone.sort_by_key(|range| range.start);
        gone.dedup();
        let removals = gone.into_iter().map(|range| range.clone().offset_by(self.start));
        (self.file, removals.fold(Reduction::default(), Reduction::and_remove))
    }
}

/// Whether the variables that the assertion names are those that go with it.
fn is_lone(function: &str, assertion: &Range<usize>, gone: &[Range<usize>]) -> bool {
    let mut names: BTreeSet<&str> =
        scan::tokens(&function[assertion.clone()]).map(|it| it.text).collect();
    let before = statements(function, |it| matches!(it, Stmt::Local(_))).into_iter().rev();
    before.filter(|it| it.range.start < assertion.start).all(|it| {
        let pattern = it.text["let".len()..].split(['=', ':']).next().unwrap_or_default();
        // The one nearest before the assertion is meant.
        let meant: BTreeSet<&str> =
            names.iter().copied().filter(|name| has_word(pattern, name)).collect();
        names.retain(|name| !meant.contains(name));
        meant.is_empty() || gone.contains(&it.range)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::sources_of;

    #[test]
    fn an_assertion_goes_with_what_only_it_uses() {
        let text = "fn is_v6() {} #[test] fn t() { let b = f(0); let a = f(1); assert_eq!(four(&a), b); \
                    let b: B = g(2); assert_eq!(six(&b), 2); assert!(six_again(3)); assert!(last(a)); }";
        let sources = sources_of(text);
        let lone = LoneAssertions::of(&sources, "t").unwrap();
        let texts = lone.without_each();
        let dense = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(
            texts.iter().map(|it| dense(&it.text)).collect::<Vec<_>>(),
            [
                "#[test] fn t_without_0() { let b = f(0); let a = f(1); assert_eq!(four(&a), b); assert!(six_again(3)); assert!(last(a)); }",
                "#[test] fn t_without_1() { let b = f(0); let a = f(1); assert_eq!(four(&a), b); let b: B = g(2); assert_eq!(six(&b), 2); assert!(last(a)); }",
            ]
        );
        let left = sources.edit_all(&[lone.without(&[0, 1])]);
        assert_eq!(
            dense(&left.files[0].text),
            "fn is_v6() {} #[test] fn t() { let b = f(0); let a = f(1); assert_eq!(four(&a), b); assert!(last(a)); }"
        );
        let one = sources_of("#[test] fn t() { assert!(a(1)); }");
        assert!(LoneAssertions::of(&one, "t").is_none());
    }
}
