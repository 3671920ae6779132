//! Patterns.

use std::ops::Range;

use syn::Pat;
use syn::visit::{self, Visit};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};

/// Swaps a pattern for `_`, or for one of the patterns it is made of; removes elements of tuples and
/// slices, and alternatives.
pub(crate) const PASS: Pass = Pass {
    name: "patterns",
    about: "swap patterns for _ or for one of their parts",
    tier: Tier::Fine,
    effect: Effect::Any,
    before: "fn f() { let Some((a, b)) = c; }",
    after: "fn f() { let (a, b) = c; }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    for pattern in tree.patterns() {
        let whole = tree.range(pattern);
        if whole.len() > 1 && !matches!(pattern, Pat::Wild(_) | Pat::Type(_)) {
            reductions.push(Reduction::replace(whole.clone(), "_"));
        }
        for part in parts(tree, pattern) {
            reductions.push(Reduction::keep(whole.clone(), part));
        }
        let elements = match pattern {
            Pat::Tuple(pattern) => tree.elements(&pattern.elems),
            Pat::TupleStruct(pattern) => tree.elements(&pattern.elems),
            Pat::Slice(pattern) => tree.elements(&pattern.elems),
            Pat::Or(pattern) => tree.elements(&pattern.cases),
            Pat::Struct(pattern) => tree.elements(&pattern.fields),
            _ => Vec::new(),
        };
        reductions.extend(elements.into_iter().map(Reduction::remove));
    }
    reductions
}

/// The patterns directly inside `pattern`.
fn parts(tree: &Tree<'_>, pattern: &Pat) -> Vec<Range<usize>> {
    struct Parts<'p, 't>(&'p Tree<'t>, Vec<Range<usize>>);
    impl<'ast> Visit<'ast> for Parts<'_, '_> {
        fn visit_pat(&mut self, node: &'ast Pat) {
            self.1.push(self.0.range(node));
        }
    }
    let mut parts = Parts(tree, Vec::new());
    visit::visit_pat(&mut parts, pattern);
    parts.1
}
