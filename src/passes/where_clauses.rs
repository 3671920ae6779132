//! Where-clauses.

use super::{Pass, Reduction, Tier, Tree, walk};

/// Removes a predicate, or the whole clause.
pub(super) const PASS: Pass = Pass {
    name: "where-clauses",
    about: "remove where-clauses and their predicates",
    tier: Tier::Medium,
    before: "fn f<A, B>() where A: Copy, B: Clone {}",
    after: "fn f<A, B>() where B: Clone {}",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    for clause in walk::generics(tree)
        .into_iter()
        .filter_map(|generics| generics.where_clause.as_ref())
    {
        reductions.push(Reduction::remove(tree.range(clause)));
        if clause.predicates.len() > 1 {
            reductions.extend(
                tree.elements(&clause.predicates)
                    .into_iter()
                    .map(Reduction::remove),
            );
        }
    }
    reductions
}
