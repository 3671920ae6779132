//! Tokens, whatever they mean.

use proc_macro2::{TokenStream, TokenTree};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};

/// Removes a token, a pair of brackets with what is inside or without it, and pairs of
/// neighbours.
pub(crate) const PASS: Pass = Pass {
    name: "unused-tokens",
    about: "remove single tokens, brackets and pairs of neighbours",
    tier: Tier::Tokens,
    effect: Effect::Any,
    before: "impl<T> A for (T) {}",
    after: "impl<T> A for T {}",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    visit(tree, tree.tokens.clone(), &mut reductions);
    reductions
}

fn visit(tree: &Tree<'_>, tokens: TokenStream, reductions: &mut Vec<Reduction>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let place = |token: &TokenTree| tree.span(token.span());
    for length in 1..=2 {
        for run in tokens.windows(length) {
            let (first, last) = (place(&run[0]), place(&run[length - 1]));
            if first.start < last.end {
                reductions.push(Reduction::remove(first.start..last.end));
            }
        }
    }
    for token in &tokens {
        let TokenTree::Group(group) = token else { continue };
        let inside = tree.inside(&group.delim_span());
        if !group.stream().is_empty() && !inside.is_empty() {
            reductions.push(Reduction::keep(place(token), inside.clone()));
            reductions.push(Reduction::remove(inside));
            visit(tree, group.stream(), reductions);
        }
    }
}
