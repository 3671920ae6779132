//! Iterators of pairs of which one half is enough.

use std::ops::Range;

use syn::{Expr, Pat};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};

/// Takes one half of the pairs that a method such as `enumerate` or `zip` makes, in the head of a loop or in the closure
/// that the next method is given: its pattern, of what the method is applied to or of what it is given.
pub(crate) const PASS: Pass = Pass {
    name: "pairs",
    about: "keep one half of the pairs that an iterator yields",
    tier: Tier::Fine,
    effect: Effect::Any,
    before: "fn f() { for (_, b) in c.enumerate() { b; } }",
    after: "fn f() { for b in c { b; } }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    for expr in tree.exprs() {
        match expr {
            Expr::ForLoop(run) => reductions.extend(halves(tree, &run.pat, &run.expr)),
            Expr::MethodCall(call) => {
                let closures = call.args.iter().filter_map(only_parameter);
                reductions
                    .extend(closures.flat_map(|pattern| halves(tree, pattern, &call.receiver)));
            }
            _ => {}
        }
    }
    reductions
}

fn only_parameter(argument: &Expr) -> Option<&Pat> {
    match argument {
        Expr::Closure(closure) if closure.inputs.len() == 1 => closure.inputs.first(),
        _ => None,
    }
}

/// Each element of the tuple `pattern` for all of it, each with each source of `pairs`.
fn halves(tree: &Tree<'_>, pattern: &Pat, pairs: &Expr) -> Vec<Reduction> {
    let (Pat::Tuple(tuple), Expr::MethodCall(call)) = (pattern, pairs) else { return Vec::new() };
    let sources: Vec<Range<usize>> =
        std::iter::once(&*call.receiver).chain(&call.args).map(|it| tree.range(it)).collect();
    let half = |element: &Pat| {
        let kept = Reduction::keep(tree.range(pattern), tree.range(element));
        let of = |source: &Range<usize>| {
            let mut half = kept.clone();
            half.changes.extend(Reduction::keep(tree.range(pairs), source.clone()).changes);
            half
        };
        sources.iter().map(of).collect::<Vec<_>>()
    };
    tuple.elems.iter().flat_map(half).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::results;

    #[test]
    fn both_halves_are_taken_from_both_sides_and_in_closures() {
        let zipped = results(propose, "fn f() { for (a, b) in c.zip(d) {} }");
        let halves = ["a in c", "a in d", "b in c", "b in d"];
        assert_eq!(zipped, halves.map(|half| format!("fn f() {{ for {half} {{}} }}")));
        let mapped = results(propose, "fn f() { c.enumerate().map(|(_, b)| b) }");
        assert!(mapped.contains(&"fn f() { c.map(|b| b) }".to_owned()), "{mapped:?}");
        assert!(results(propose, "fn f() { for (a, b) in c {} }").is_empty());
    }
}
