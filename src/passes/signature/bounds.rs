//! Bounds.

use syn::WherePredicate;

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};

/// Removes a bound of a type parameter, a predicate, a trait, an associated type, `dyn` or `impl`.
pub(crate) const PASS: Pass = Pass {
    name: "bounds",
    about: "remove bounds and supertraits",
    tier: Tier::Medium,
    effect: Effect::Quiet,
    before: "fn f<T: Copy>() {}",
    after: "fn f<T>() {}",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = each(tree);
    let many = tree.bound_lists().filter(|bounds| bounds.len() > 1);
    reductions.extend(many.map(|bounds| Reduction::remove(with_colon(tree, &tree.range(bounds)))));
    reductions
}

/// Each bound alone; the last one of a predicate goes with that.
pub(crate) fn each(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    let clauses = tree.generics().filter_map(|generics| generics.where_clause.as_ref());
    for predicate in clauses.flat_map(|clause| &clause.predicates) {
        if let WherePredicate::Type(bounded) = predicate
            && bounded.bounds.len() > 1
        {
            reductions.extend(tree.elements(&bounded.bounds).into_iter().map(Reduction::remove));
        }
    }
    for bounds in tree.bound_lists() {
        match bounds.len() {
            0 => {}
            1 => reductions.push(Reduction::remove(with_colon(tree, &tree.range(bounds)))),
            _ => reductions.extend(tree.elements(bounds).into_iter().map(Reduction::remove)),
        }
    }
    reductions
}

/// The range of all bounds with the `:` before them, if there is one.
fn with_colon(tree: &Tree<'_>, bounds: &std::ops::Range<usize>) -> std::ops::Range<usize> {
    let before = tree.text[..bounds.start].trim_end();
    let start = if before.ends_with(':') { before.len() - 1 } else { bounds.start };
    start..bounds.end
}
