//! Arms of `match`.

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};

/// Removes an arm.
pub(crate) const PASS: Pass = Pass {
    name: "arms",
    about: "remove arms of match",
    tier: Tier::Medium,
    effect: Effect::Quiet,
    before: "fn f() { match x { 1 => a(), _ => b() } }",
    after: "fn f() { match x { _ => b() } }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    tree.arms().map(|arm| Reduction::remove(tree.range(arm))).collect()
}
