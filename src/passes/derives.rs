//! Parts of attributes.

use proc_macro2::TokenTree;
use syn::Meta;

use super::{Effect, Pass, Reduction, Tier, Tree, walk};

/// Removes one part of a list in an attribute: a derive, a feature, a lint.
pub(super) const PASS: Pass = Pass {
    name: "derives",
    about: "remove parts of derive, feature and other attribute lists",
    tier: Tier::Medium,
    effect: Effect::Quiet,
    before: "#[derive(Clone, Debug)] struct A;",
    after: "#[derive(Debug)] struct A;",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    for attribute in walk::attributes(tree) {
        let Meta::List(list) = &attribute.meta else {
            continue;
        };
        let mut start = None;
        for token in list.tokens.clone() {
            let place = tree.span(token.span());
            let from = *start.get_or_insert(place.start);
            if matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ',') {
                reductions.push(Reduction::remove(from..place.end));
                start = None;
            }
        }
        if let (Some(from), true) = (start, !reductions.is_empty()) {
            let end = tree.range(&list.tokens).end;
            let comma = tree.text[..from].trim_end();
            let from = if comma.ends_with(',') {
                comma.len() - 1
            } else {
                from
            };
            reductions.push(Reduction::remove(from..end));
        }
    }
    reductions
}
