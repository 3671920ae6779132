//! Lifetimes.

use syn::Type;

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};

/// Removes the lifetime of a reference, and `for<'a>`, alone and with all mentions of its lifetimes in
/// references.
pub(crate) const PASS: Pass = Pass {
    name: "lifetimes",
    about: "remove lifetimes of references and for<'a>",
    tier: Tier::Fine,
    effect: Effect::Quiet,
    before: "fn f<'a>(x: &'a u8) {}",
    after: "fn f<'a>(x: &u8) {}",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    for ty in tree.types() {
        let Type::Reference(reference) = ty else { continue };
        if let Some(lifetime) = &reference.lifetime {
            reductions.push(Reduction::remove(tree.range(lifetime)));
        }
    }
    for bound in tree.bound_lifetimes() {
        reductions.push(Reduction::remove(tree.range(bound)));
        if bound.lifetimes.len() > 1 {
            reductions.extend(tree.elements(&bound.lifetimes).into_iter().map(Reduction::remove));
        }
    }
    reductions
}
