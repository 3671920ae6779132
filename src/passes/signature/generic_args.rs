//! Generic arguments.

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};

/// Removes a generic argument, an associated type constraint among them, or the whole list.
pub(crate) const PASS: Pass = Pass {
    name: "generic-args",
    about: "remove generic arguments and associated type constraints",
    tier: Tier::Fine,
    effect: Effect::Any,
    before: "fn f(x: impl Iterator<Item = u8>) {}",
    after: "fn f(x: impl Iterator) {}",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    for list in tree.angle_args() {
        reductions.push(Reduction::remove(tree.range(list)));
        if list.args.len() > 1 {
            reductions.extend(tree.elements(&list.args).into_iter().map(Reduction::remove));
        }
    }
    reductions
}
