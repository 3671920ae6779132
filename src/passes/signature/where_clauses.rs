//! Where-clauses.

use syn::{GenericParam, Generics, Type, TypeParam, WherePredicate};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::index::Bounds;
use crate::rust::{Reduction, Tree};

/// Removes a predicate, or the whole clause; moves a predicate to the parameter it is about.
pub(crate) const PASS: Pass = Pass {
    name: "where-clauses",
    about: "remove where-clauses and their predicates",
    tier: Tier::Medium,
    effect: Effect::Quiet,
    before: "fn f<A, B>() where A: Copy, B: Clone {}",
    after: "fn f<A, B>() where B: Clone {}",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    for generics in tree.generics() {
        let Some(clause) = &generics.where_clause else { continue };
        let start = tree.range(&clause.where_token);
        let whole = start.start..tree.range(&clause.predicates).end.max(start.end);
        reductions.push(Reduction::remove(whole.clone()));
        let ranges = match clause.predicates.len() {
            1 => vec![whole],
            _ => tree.elements(&clause.predicates),
        };
        for (predicate, range) in clause.predicates.iter().zip(ranges) {
            let removed = Reduction::remove(range);
            if let Some((parameter, bounds)) = subject(generics, predicate) {
                let end = tree.range(parameter).end;
                let bounds = tree.text_of(bounds);
                let joint = if parameter.bounds.is_empty() { ": " } else { " + " };
                reductions.push(removed.clone().and_replace(end..end, format!("{joint}{bounds}")));
            }
            if clause.predicates.len() > 1 {
                reductions.push(removed);
            }
        }
    }
    reductions
}

/// The parameter that a predicate is about, if it is one of the same list and has no default.
fn subject<'g>(
    generics: &'g Generics,
    predicate: &'g WherePredicate,
) -> Option<(&'g TypeParam, &'g Bounds)> {
    let WherePredicate::Type(predicate) = predicate else { return None };
    let Type::Path(path) = &predicate.bounded_ty else { return None };
    if predicate.lifetimes.is_some() {
        return None;
    }
    generics.params.iter().find_map(|parameter| match parameter {
        GenericParam::Type(parameter)
            if path.path.is_ident(&parameter.ident) && parameter.default.is_none() =>
        {
            Some((parameter, &predicate.bounds))
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::proposes;
    use crate::rust::{StandIn, apply};

    #[test]
    fn a_where_before_nothing_goes() {
        let text = "impl A for B where {}";
        let found = Tree::with(text, StandIn::Loop, propose).unwrap();
        assert_eq!(apply(text, &found), "impl A for B  {}");
    }

    #[test]
    fn a_predicate_moves_to_its_parameter() {
        let text = "fn f<A: Copy, B>() where A: Ord + Eq, B: Clone {}";
        proposes(propose, text, "fn f<A: Copy + Ord + Eq, B>() where B: Clone {}");
    }
}
