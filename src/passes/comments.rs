//! Comments.

use super::scan::{self, Kind};
use super::{Effect, Pass, Reduction, Tier, Tree};

/// Removes a comment, doc comments among them.
pub(super) const PASS: Pass = Pass {
    name: "comments",
    about: "remove comments",
    tier: Tier::Coarse,
    effect: Effect::Any,
    before: "struct A; // the first\nstruct B;",
    after: "struct A;\nstruct B;",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    scan::pieces(tree.text)
        .filter(|piece| piece.kind == Kind::Comment)
        .map(|piece| Reduction::remove(piece.start..piece.start + piece.text.len()))
        .collect()
}
