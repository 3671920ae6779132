//! Patterns.

use std::collections::HashSet;

use syn::Pat;

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};
use crate::source::child_patterns;

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
    // The name of a field may be its pattern, too.
    let fields = tree.patterns().filter_map(|pattern| match pattern {
        Pat::Struct(pattern) => Some(pattern.fields.iter()),
        _ => None,
    });
    let short = fields.flatten().filter(|field| field.colon_token.is_none());
    let named: HashSet<usize> = short.map(|field| tree.range(&field.pat).start).collect();
    for pattern in tree.patterns() {
        let whole = tree.range(pattern);
        let is_open =
            !named.contains(&whole.start) && !matches!(pattern, Pat::Wild(_) | Pat::Type(_));
        if whole.len() > 1 && is_open {
            reductions.push(Reduction::replace(whole.clone(), "_"));
        }
        let parts = child_patterns(pattern).into_iter();
        reductions.extend(parts.map(|part| Reduction::keep(whole.clone(), tree.range(part))));
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
