//! Comments, and what stands before the first token.

use std::ops::Range;

use crate::passes::{Effect, Pass, Tier};
use crate::rust::scan::PieceKind;
use crate::rust::{Reduction, Tree, scan};

/// Removes a comment, doc comments among them, or all that stands before the first token: a byte order
/// mark, a `#!` line, front matter.
pub(crate) const PASS: Pass = Pass {
    name: "comments",
    about: "remove comments",
    tier: Tier::Coarse,
    effect: Effect::Any,
    before: "struct A; // the first\nstruct B;",
    after: "struct A;\nstruct B;",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let Range { start, end } = tree.preamble();
    let comments = scan::pieces(tree.text)
        .filter(|piece| piece.kind == PieceKind::Comment && piece.start >= end)
        .map(|piece| Reduction::remove(piece.range()));
    let preamble = (start < end).then(|| Reduction::remove(start..end));
    comments.chain(preamble).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::results;

    #[test]
    fn what_stands_before_the_first_token_goes_as_a_whole() {
        let text = "#!/usr/bin/env cargo\n---\n[dependencies] // none\n---\nfn a() {}";
        let results = results(propose, text);
        assert_eq!(results, ["fn a() {}"]);
    }
}
