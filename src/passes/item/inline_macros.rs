//! Calls of macros.

use crate::passes::{Effect, Pass, Tier};
use crate::rust::macro_calls::{Calls, Made, definitions};
use crate::rust::{Reduction, Tree};

/// Puts what macros of the file stand for in the place of their calls: of one call, or of all calls of a
/// macro, with which its definition goes.
pub(crate) const PASS: Pass = Pass {
    name: "inline-macros",
    about: "inline macro calls, and remove macros without calls",
    tier: Tier::Medium,
    effect: Effect::Quiet,
    before: "macro_rules! id { ($a:ident) => { struct $a; } } id!(A);",
    after: "struct A;",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let calls = Calls::of(tree);
    let mut reductions = Vec::new();
    for (definition, item) in definitions(tree) {
        let made: Vec<Option<Made>> = calls.expanded(&definition);
        let is_whole = made.iter().all(Option::is_some);
        let each: Vec<Reduction> =
            made.into_iter().flatten().map(|made| made.instead(Reduction::default())).collect();
        if is_whole {
            let removed = Reduction::remove(tree.range(item));
            let changes = each.iter().flat_map(|one| one.changes.clone());
            let changes = removed.changes.into_iter().chain(changes).collect();
            reductions.push(Reduction { changes });
        }
        reductions.extend(each);
    }
    reductions
}
