//! Parts of a source in which nothing runs: after a search by switches, functions that never ran are stand-ins.
//!
//! What nobody calls the compiler finds by itself; here is also what only such parts need of each other, and
//! implementations of traits.

use std::ops::Range;

use syn::Item;

use crate::passes::item::members;
use crate::reduce::{keep_outermost, touched};
use crate::rust::{Reduction, Tree};

/// Which part of what goes may run, one of so many bytes: a stand-in does not compile everywhere.
const LIVE_PART: usize = 10;

/// Removes items and members in which next to nothing runs.
pub(crate) fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let live = live_bodies(tree);
    let is_idle = |reduction: &Reduction| {
        let ranges = reduction.changes.iter().map(|change| &change.range);
        let running: usize = ranges.map(|range| overlap(&live, range)).sum();
        running * LIVE_PART <= reduction.weight()
    };
    // Something is needed in most modules, and imports go with what they name.
    let items = tree
        .items()
        .filter(|item| !matches!(item, Item::Use(_) | Item::Mod(_)))
        .map(|item| Reduction::remove(tree.range(item)));
    items.chain(members::propose(tree)).filter(is_idle).collect()
}

/// Removes tests in which nothing runs: those beside the one that counts, which keep alive what they use.
pub(crate) fn propose_tests(tree: &Tree<'_>) -> Vec<Reduction> {
    let live = live_bodies(tree);
    let tests = tree.tests();
    tests
        .map(|test| tree.range(test))
        .filter(|range| overlap(&live, range) == 0)
        .map(Reduction::remove)
        .collect()
}

/// The bodies of functions that are no stand-ins, in the order of the text, those within others left out.
fn live_bodies(tree: &Tree<'_>) -> Vec<Range<usize>> {
    let bodies = tree.functions().map(|(_, block)| tree.inside(&block.brace_token.span));
    let is_live = |body: &Range<usize>| {
        let text = tree.text[body.clone()].trim();
        !text.is_empty() && text != tree.stand_in.expr()
    };
    let mut live: Vec<Range<usize>> = bodies.filter(is_live).collect();
    keep_outermost(&mut live, |body| body);
    live
}

/// How much of a range is in these bodies.
fn overlap(bodies: &[Range<usize>], with: &Range<usize>) -> usize {
    let near = touched(bodies, with);
    near.map(|body| body.end.min(with.end) - body.start.max(with.start)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::{StandIn, apply, testing};

    #[test]
    fn tests_in_which_nothing_runs_go() {
        let text = "#[test] fn a() { f(); } #[test] fn b() {} fn f() {} \
                    mod m { #[tokio::test] async fn c() { loop {} } }";
        let left = testing::lines(propose_tests, text);
        assert_eq!(left.len(), 2);
        assert!(!left[0].contains("fn b") && !left[1].contains("fn c"), "{left:?}");
    }

    #[test]
    fn what_holds_nothing_that_runs_goes() {
        let text = "use a::{b, c::{D}}; mod m { fn f() {} struct S; } impl T for U { fn g() { panic!(\"removed\") } } \
                    impl V { fn h() { h(); run(); } fn i() {} } struct W { x: u8 }";
        let left = Tree::with(text, StandIn::Panic, |tree| {
            let mut idle = propose(tree);
            idle.sort_by_key(|reduction| std::cmp::Reverse(reduction.weight()));
            let all: Vec<_> = idle.iter().map(|reduction| (0, reduction)).collect();
            let apart = crate::rust::apart(&all);
            apply(text, apart.iter().map(|index| &idle[*index]))
        });
        let left = left.unwrap();
        let words: Vec<&str> = left.split_whitespace().collect();
        assert_eq!(
            words.join(" "),
            "use a::{b, c::{D}}; mod m { } impl V { fn h() { h(); run(); } }"
        );
    }
}
