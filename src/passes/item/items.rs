//! Items.

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};

/// Removes an item, with all that is in it.
pub(crate) const PASS: Pass = Pass {
    name: "items",
    about: "remove items: functions, types, impls, modules, …",
    tier: Tier::Coarse,
    effect: Effect::Quiet,
    before: "struct A; mod m { fn f() {} }",
    after: "struct A;",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    tree.items().map(|item| Reduction::remove(tree.range(item))).collect()
}
