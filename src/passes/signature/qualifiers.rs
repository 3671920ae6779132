//! Keywords that qualify something.

use proc_macro2::{Delimiter, TokenTree};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};
use crate::source::each_token;

/// Removes `pub`, `unsafe`, `async`, `const`, `mut`, `move`, `ref`, `default`, `dyn`, `static` and
/// `extern "…"` wherever they qualify something.
pub(crate) const PASS: Pass = Pass {
    name: "qualifiers",
    about: "remove pub, unsafe, async, const, mut, move, ref, default, extern",
    tier: Tier::Medium,
    effect: Effect::Quiet,
    before: "pub(crate) async fn f(mut x: u8) {}",
    after: "async fn f(mut x: u8) {}",
    propose,
};

const WORDS: [&str; 10] =
    ["pub", "unsafe", "async", "const", "mut", "move", "ref", "default", "dyn", "extern"];

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    each_token(tree.tokens.clone(), &mut |tokens, at| {
        let TokenTree::Ident(word) = &tokens[at] else { return };
        if !WORDS.iter().any(|known| word == known) {
            return;
        }
        let goes_along = tokens.get(at + 1).filter(|next| match next {
            TokenTree::Group(group) => group.delimiter() == Delimiter::Parenthesis && word == "pub",
            TokenTree::Literal(_) => word == "extern",
            _ => false,
        });
        let last = goes_along.map_or(word.span(), TokenTree::span);
        reductions.push(Reduction::remove(tree.span(word.span()).start..tree.span(last).end));
    });
    reductions
}
