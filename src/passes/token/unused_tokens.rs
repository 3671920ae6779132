//! Tokens, whatever they mean.

use proc_macro2::{Spacing, TokenStream, TokenTree};

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
        for (at, run) in tokens.windows(length).enumerate() {
            if length == 1 && (is_half_of_operator(&tokens, at) || leads_a_path(&tokens, at)) {
                continue;
            }
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

/// Whether a token is the `crate` of a path: in the edition of 2015 it goes on without it, and looks like one from another crate.
fn leads_a_path(tokens: &[TokenTree], at: usize) -> bool {
    let is_root = matches!(&tokens[at], TokenTree::Ident(word) if word == "crate");
    is_root && matches!(tokens.get(at + 1), Some(TokenTree::Punct(it)) if it.as_char() == ':')
}

/// Whether a token is one of the two signs of `&&` or `||` between operands: with one of them alone it is another operator, of
/// which a reader would think that it is meant.
fn is_half_of_operator(tokens: &[TokenTree], at: usize) -> bool {
    let sign_at = |at: usize| match tokens.get(at) {
        Some(TokenTree::Punct(it)) if matches!(it.as_char(), '&' | '|') => Some(it),
        _ => None,
    };
    let is_pair = |at: usize| {
        sign_at(at).zip(sign_at(at + 1)).is_some_and(|(one, next)| {
            one.spacing() == Spacing::Joint && one.as_char() == next.as_char()
        })
    };
    let first = if is_pair(at) { Some(at) } else { at.checked_sub(1).filter(|it| is_pair(*it)) };
    let before = first.and_then(|first| first.checked_sub(1)).map(|before| &tokens[before]);
    match before {
        Some(TokenTree::Ident(word)) => {
            !["return", "match", "in", "if", "while", "else", "move", "mut"]
                .iter()
                .any(|it| word == it)
        }
        Some(TokenTree::Group(_) | TokenTree::Literal(_)) => true,
        Some(TokenTree::Punct(sign)) => sign.as_char() == '?',
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::lines;

    #[test]
    fn operators_are_not_cut_in_half() {
        let has = |text: &str, result: &str| {
            let results = lines(propose, text);
            results.iter().any(|it| it.split_whitespace().eq(result.split_whitespace()))
        };
        assert!(!has("fn f() { a && b }", "fn f() { a & b }"));
        assert!(!has("fn f() { g() || b }", "fn f() { g() | b }"));
        assert!(has("fn f() { g(&&b) }", "fn f() { g(&b) }"));
        assert!(has("fn f() { return &&b }", "fn f() { return &b }"));
        assert!(has("fn f() { a && b }", "fn f() { && b }"));
        assert!(!has("fn f() { crate::g() }", "fn f() { ::g() }"));
    }
}
