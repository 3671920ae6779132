//! The definition of a macro: its arms, each a pattern of tokens and a body (the Rust reference, "Macros By
//! Example").

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use syn::ItemMacro;

use crate::source::is_char;

/// A `macro_rules!` macro.
#[derive(Debug, Clone)]
pub struct Definition {
    /// Its name.
    pub name: String,
    pub(super) arms: Vec<Arm>,
}

impl Definition {
    /// That of an item, if it is one that is understood.
    pub(crate) fn of(item: &ItemMacro) -> Option<Self> {
        let name = item.ident.as_ref().filter(|_| item.mac.path.is_ident("macro_rules"))?;
        Some(Definition { name: name.to_string(), arms: arms(item.mac.tokens.clone())? })
    }
}

/// One way to call it.
#[derive(Debug, Clone)]
pub(super) struct Arm {
    pub pattern: Vec<Pattern>,
    pub body: TokenStream,
}

/// A part of a pattern.
#[derive(Debug, Clone)]
pub(crate) enum Pattern {
    /// This very token.
    Token(TokenTree),
    /// Brackets, and what is inside.
    Group(Delimiter, Vec<Pattern>),
    /// `$name:kind`.
    Fragment { name: String, kind: Ident },
    /// `$(…) separator operator`.
    Repeat { inner: Vec<Pattern>, separator: Vec<TokenTree>, operator: char },
}

/// The arms of a definition, `(pattern) => { body }; …`; `None` where they are not understood.
fn arms(tokens: TokenStream) -> Option<Vec<Arm>> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut arms = Vec::new();
    let mut rest = &tokens[..];
    while let [TokenTree::Group(pattern), equals, greater, TokenTree::Group(body), after @ ..] =
        rest
    {
        if !is_char(equals, '=') || !is_char(greater, '>') {
            return None;
        }
        arms.push(Arm { pattern: patterns(pattern.stream())?, body: body.stream() });
        rest = match after {
            [semicolon, after @ ..] if is_char(semicolon, ';') => after,
            after => after,
        };
    }
    rest.is_empty().then_some(arms)
}

fn patterns(tokens: TokenStream) -> Option<Vec<Pattern>> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut found = Vec::new();
    let mut rest = &tokens[..];
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        found.push(match (first, after) {
            (dollar, [TokenTree::Group(group), after @ ..]) if is_char(dollar, '$') => {
                let (separator, operator, after) = repetition(after)?;
                rest = after;
                Pattern::Repeat {
                    inner: patterns(group.stream())?,
                    separator: separator.to_vec(),
                    operator,
                }
            }
            (dollar, [TokenTree::Ident(name), colon, TokenTree::Ident(kind), after @ ..])
                if is_char(dollar, '$') && is_char(colon, ':') =>
            {
                rest = after;
                Pattern::Fragment { name: name.to_string(), kind: kind.clone() }
            }
            (dollar, _) if is_char(dollar, '$') => return None,
            (TokenTree::Group(group), _) => {
                Pattern::Group(group.delimiter(), patterns(group.stream())?)
            }
            (token, _) => Pattern::Token(token.clone()),
        });
    }
    Some(found)
}

/// What stands behind `$(…)`: the separator, the operator, and the rest. A separator such as `=>` is
/// two tokens.
pub(crate) fn repetition(tokens: &[TokenTree]) -> Option<(&[TokenTree], char, &[TokenTree])> {
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

/// A part of the body of an arm.
#[derive(Debug)]
pub(crate) enum Piece<'t> {
    /// `$name`, or `$crate`.
    Name(&'t Ident),
    /// `$( … )`, with its separator.
    Repetition(&'t Group, &'t [TokenTree]),
    /// Brackets, and what is inside.
    Group(&'t Group),
    /// This very token.
    Token(&'t TokenTree),
}

/// The parts of a body; `None` for what is not stable, such as `${count(x)}`.
pub(crate) fn pieces(body: &[TokenTree]) -> Option<Vec<Piece<'_>>> {
    let mut pieces = Vec::new();
    let mut rest = body;
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        pieces.push(match (first, after) {
            (dollar, [TokenTree::Ident(name), after @ ..]) if is_char(dollar, '$') => {
                rest = after;
                Piece::Name(name)
            }
            (dollar, [TokenTree::Group(group), after @ ..])
                if is_char(dollar, '$') && group.delimiter() == Delimiter::Parenthesis =>
            {
                let (separator, _, after) = repetition(after)?;
                rest = after;
                Piece::Repetition(group, separator)
            }
            (dollar, _) if is_char(dollar, '$') => return None,
            (TokenTree::Group(group), _) => Piece::Group(group),
            (token, _) => Piece::Token(token),
        });
    }
    Some(pieces)
}
