//! Bounds.

use std::ops::Range;

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
    reductions.extend(many.filter_map(|bounds| with_colon(tree, &tree.range(bounds))));
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
            1 => reductions.extend(with_colon(tree, &tree.range(bounds))),
            _ => reductions.extend(tree.elements(bounds).into_iter().map(Reduction::remove)),
        }
    }
    reductions
}

/// Removes all bounds with the `:` before them; where there is none, as behind `impl` and `dyn`, one has to stay.
fn with_colon(tree: &Tree<'_>, bounds: &Range<usize>) -> Option<Reduction> {
    let before = tree.text[..bounds.start].trim_end().strip_suffix(':')?;
    Some(Reduction::remove(before.len()..bounds.end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::results;

    #[test]
    fn one_bound_stays_behind_impl() {
        let results = results(propose, "fn f<T: A>(x: impl B) -> Box<dyn C + 'a> {}");
        assert!(results.contains(&"fn f<T>(x: impl B) -> Box<dyn C + 'a> {}".to_owned()));
        assert!(results.iter().all(|it| it.contains("impl B") && !it.contains("<dyn >")));
        assert_eq!(results.len(), 3);
    }
}
