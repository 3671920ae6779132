//! The definition of a macro: its arms, each a pattern of tokens and a body.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::Item;

use crate::passes::{Tree, walk};

/// A `macro_rules!` macro.
#[derive(Debug, Clone)]
pub struct Definition {
    /// Its name.
    pub name: String,
    pub(super) arms: Vec<Arm>,
}

/// One way to call it.
#[derive(Debug, Clone)]
pub(super) struct Arm {
    pub pattern: Vec<Pattern>,
    pub body: TokenStream,
}

/// A part of a pattern.
#[derive(Debug, Clone)]
pub(super) enum Pattern {
    /// This very token.
    Token(TokenTree),
    /// Brackets, and what is inside.
    Group(Delimiter, Vec<Pattern>),
    /// `$name:kind`.
    Fragment { name: String, kind: String },
    /// `$(…) separator operator`.
    Repeat {
        inner: Vec<Pattern>,
        separator: Vec<TokenTree>,
        operator: char,
    },
}

/// The macros that a file defines, and where.
pub fn definitions<'t>(tree: &'t Tree<'_>) -> Vec<(Definition, &'t syn::ItemMacro)> {
    let items = walk::items(tree).into_iter();
    let read = items.filter_map(|item| match item {
        Item::Macro(item) if item.mac.path.is_ident("macro_rules") => {
            let name = item.ident.as_ref()?.to_string();
            let arms = arms(item.mac.tokens.clone())?;
            Some((Definition { name, arms }, item))
        }
        _ => None,
    });
    read.collect()
}

/// `(pattern) => { body }; …`
fn arms(tokens: TokenStream) -> Option<Vec<Arm>> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut arms = Vec::new();
    let mut rest = &tokens[..];
    while let [
        TokenTree::Group(pattern),
        equals,
        greater,
        TokenTree::Group(body),
        after @ ..,
    ] = rest
    {
        if !is_char(equals, '=') || !is_char(greater, '>') {
            return None;
        }
        arms.push(Arm {
            pattern: patterns(pattern.stream())?,
            body: body.stream(),
        });
        rest = match after {
            [semicolon, after @ ..] if is_char(semicolon, ';') => after,
            after => after,
        };
    }
    rest.is_empty().then_some(arms)
}

fn patterns(tokens: TokenStream) -> Option<Vec<Pattern>> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut patterns = Vec::new();
    let mut rest = &tokens[..];
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        patterns.push(match (first, after) {
            (dollar, [TokenTree::Group(group), after @ ..]) if is_char(dollar, '$') => {
                let (separator, operator, after) = repetition(after)?;
                rest = after;
                Pattern::Repeat {
                    inner: patterns_of(group)?,
                    separator: separator.to_vec(),
                    operator,
                }
            }
            (
                dollar,
                [
                    TokenTree::Ident(name),
                    colon,
                    TokenTree::Ident(kind),
                    after @ ..,
                ],
            ) if is_char(dollar, '$') && is_char(colon, ':') => {
                rest = after;
                Pattern::Fragment {
                    name: name.to_string(),
                    kind: kind.to_string(),
                }
            }
            (dollar, _) if is_char(dollar, '$') => return None,
            (TokenTree::Group(group), _) => Pattern::Group(group.delimiter(), patterns_of(group)?),
            (token, _) => Pattern::Token(token.clone()),
        });
    }
    Some(patterns)
}

fn patterns_of(group: &Group) -> Option<Vec<Pattern>> {
    patterns(group.stream())
}

/// What stands behind `$(…)`: the separator, the operator, and the rest. A separator such as `=>` is
/// two tokens.
pub fn repetition(tokens: &[TokenTree]) -> Option<(&[TokenTree], char, &[TokenTree])> {
    let operator = |token: &TokenTree| match token {
        TokenTree::Punct(punct) if ['*', '+', '?'].contains(&punct.as_char()) => {
            Some(punct.as_char())
        }
        _ => None,
    };
    (0..3).find_map(|length| {
        let found = operator(tokens.get(length)?)?;
        Some((&tokens[..length], found, &tokens[length + 1..]))
    })
}

pub(super) fn is_char(token: &TokenTree, wanted: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == wanted)
}
