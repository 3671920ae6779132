//! Statements.

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};

/// Removes a statement.
pub(crate) const PASS: Pass = Pass {
    name: "statements",
    about: "remove statements",
    tier: Tier::Medium,
    effect: Effect::Switched,
    before: "fn f() { g(); let x = h(); x }",
    after: "fn f() { let x = h(); x }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    tree.statements().map(|statement| Reduction::remove(tree.range(statement))).collect()
}
