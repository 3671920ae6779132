//! Comments, and what stands before the first token.

use std::ops::Range;

use crate::passes::{Effect, Pass, Tier};
use crate::rust::scan::PieceKind;
use crate::rust::{Reduction, Tree, scan};

/// Removes a comment, doc comments and `#[doc]` attributes among them, or all that stands before the first token: a byte order
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
    let documenting = tree.attributes().filter(|attribute| attribute.path().is_ident("doc"));
    let documenting = documenting
        .map(|attribute| tree.range(attribute))
        .filter(|range| range.start >= end && tree.text[range.clone()].starts_with('#'))
        .map(Reduction::remove);
    let preamble = (start < end).then(|| Reduction::remove(start..end));
    comments.chain(documenting).chain(preamble).collect()
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

    #[test]
    fn what_documents_an_item_as_an_attribute_goes_too() {
        let text = "#[doc = concat!(\"A \", 1)] #[a] struct A; /** B */ struct B;";
        let results = results(propose, text);
        let [comment, attribute] = &results[..] else { panic!("{results:?}") };
        assert!(comment.starts_with("#[doc") && !comment.contains("/**"), "{comment}");
        assert_eq!(attribute.trim_start(), "#[a] struct A; /** B */ struct B;");
    }
}
