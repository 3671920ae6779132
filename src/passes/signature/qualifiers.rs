//! Keywords that qualify something.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};

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
    visit(tree, tree.tokens.clone(), &mut reductions);
    reductions
}

fn visit(tree: &Tree<'_>, tokens: TokenStream, reductions: &mut Vec<Reduction>) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) => visit(tree, group.stream(), reductions),
            TokenTree::Ident(word) if WORDS.iter().any(|known| word == known) => {
                let mut range = tree.span(word.span());
                match tokens.peek() {
                    Some(TokenTree::Group(group))
                        if group.delimiter() == Delimiter::Parenthesis && word == "pub" =>
                    {
                        range.end = tree.span(group.span()).end;
                    }
                    Some(TokenTree::Literal(abi)) if word == "extern" => {
                        range.end = tree.span(abi.span()).end;
                    }
                    _ => {}
                }
                reductions.push(Reduction::remove(range));
            }
            _ => {}
        }
    }
}
