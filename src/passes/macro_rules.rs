//! Macros: definitions and calls.

use std::ops::Range;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::Item;

use super::{Effect, Pass, Reduction, Tier, Tree, walk};

/// Removes rules of `macro_rules!` and arguments of calls, and swaps a call for what is inside.
pub(super) const PASS: Pass = Pass {
    name: "macro-rules",
    about: "remove rules and arguments of macros, swap calls for what is inside",
    tier: Tier::Medium,
    effect: Effect::Any,
    before: "macro_rules! m { (a) => {}; (b) => {} }",
    after: "macro_rules! m { (b) => {} }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    for call in walk::macros(tree) {
        for separator in [';', ','] {
            let parts = split(tree, call.tokens.clone(), separator);
            reductions.extend(parts.into_iter().map(Reduction::remove));
        }
    }
    for item in walk::items(tree) {
        let Item::Macro(item) = item else { continue };
        if item.ident.is_none() && !item.mac.tokens.is_empty() {
            let inside = tree.range(&item.mac.tokens);
            reductions.push(Reduction::keep(tree.range(item), inside));
        }
    }
    for block in walk::macros(tree) {
        nested(tree, block.tokens.clone(), &mut reductions);
    }
    reductions
}

/// The parts between separators, each with the separator that follows; nothing if there is none.
fn split(tree: &Tree<'_>, tokens: TokenStream, separator: char) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    let mut start = None;
    let mut end = 0;
    for token in tokens {
        let place = tree.span(token.span());
        let from = *start.get_or_insert(place.start);
        end = place.end;
        if matches!(&token, TokenTree::Punct(punct) if punct.as_char() == separator) {
            parts.push(from..end);
            start = None;
        }
    }
    match start {
        Some(start) if !parts.is_empty() => parts.push(start..end),
        _ => {}
    }
    parts
}

/// Parts inside the braces of a macro, which may hold statements or items.
fn nested(tree: &Tree<'_>, tokens: TokenStream, reductions: &mut Vec<Reduction>) {
    for token in tokens {
        let TokenTree::Group(group) = token else {
            continue;
        };
        let separator = if group.delimiter() == Delimiter::Brace {
            ';'
        } else {
            ','
        };
        let parts = split(tree, group.stream(), separator);
        reductions.extend(parts.into_iter().map(Reduction::remove));
        if !group.stream().is_empty() {
            reductions.push(Reduction::remove(tree.inside(&group.delim_span())));
        }
        nested(tree, group.stream(), reductions);
    }
}
