//! Keywords that qualify something.

use proc_macro2::{Delimiter, Ident, TokenTree};

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
        if !WORDS.iter().any(|known| word == known) || !qualifies(tokens, at, word) {
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

/// Whether the word at a place only says more of what comes behind it: a constant, a crate and a pointer need theirs.
fn qualifies(tokens: &[TokenTree], at: usize, word: &Ident) -> bool {
    let is_punct = |token: Option<&TokenTree>, mark: char| matches!(token, Some(TokenTree::Punct(it)) if it.as_char() == mark);
    let Some(TokenTree::Ident(next)) = tokens.get(at + 1) else { return true };
    let is_pointer = at > 0 && is_punct(tokens.get(at - 1), '*');
    let is_constant = word == "const" && is_punct(tokens.get(at + 2), ':');
    let is_crate = word == "extern" && next == "crate";
    !(is_pointer || is_constant || is_crate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::lines;

    #[test]
    fn what_a_constant_a_pointer_or_a_crate_begins_with_stays() {
        let text =
            "extern crate a; const N: u8 = 1; fn f<const M: usize>(b: *const u8, c: *mut u8) {}";
        assert!(lines(propose, text).is_empty());
        assert_eq!(lines(propose, "const fn f() {}"), ["fn f() {}"]);
    }
}
