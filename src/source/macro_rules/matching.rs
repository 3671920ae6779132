//! Whether the tokens of a call match an arm, and what its fragments stand for.

use std::collections::BTreeMap;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Block, Expr, Item, Meta, Pat, Path, Stmt, Type, Visibility};

use super::rules::{Arm, Pattern};
use crate::source::{each_token, is_char};

/// What the fragments of a pattern stand for, by their names.
pub(crate) type Bindings = BTreeMap<String, Binding>;

/// What one fragment stands for.
#[derive(Debug, Clone)]
pub(crate) enum Binding {
    /// Tokens of the call.
    One(Fragment),
    /// One for each turn of a repetition.
    Many(Vec<Binding>),
}

/// Tokens of the call that belong together.
#[derive(Debug, Clone)]
pub(crate) struct Fragment {
    pub tokens: Vec<TokenTree>,
    /// Whether it is an expression of its own, whatever stands around it.
    pub is_expr: bool,
}

/// What the fragments stand for, if all tokens match.
pub(super) fn matches(arm: &Arm, tokens: TokenStream) -> Option<Bindings> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut bindings = Bindings::new();
    let end = sequence(&arm.pattern, &tokens, &mut bindings)?;
    (end == tokens.len()).then_some(bindings)
}

/// How many of the tokens match.
fn sequence(patterns: &[Pattern], tokens: &[TokenTree], into: &mut Bindings) -> Option<usize> {
    let mut at = 0;
    for pattern in patterns {
        at += one(pattern, &tokens[at..], into)?;
    }
    Some(at)
}

fn one(pattern: &Pattern, tokens: &[TokenTree], into: &mut Bindings) -> Option<usize> {
    match pattern {
        Pattern::Token(wanted) => is_same(wanted, tokens.first()?).then_some(1),
        Pattern::Group(delimiter, inner) => match tokens.first()? {
            TokenTree::Group(group) if group.delimiter() == *delimiter => {
                let inside: Vec<TokenTree> = group.stream().into_iter().collect();
                (sequence(inner, &inside, into)? == inside.len()).then_some(1)
            }
            _ => None,
        },
        Pattern::Fragment { name, kind } => {
            let kind = kind.to_string();
            let length = fragment(&kind, tokens)?;
            let fragment =
                Fragment { tokens: tokens[..length].to_vec(), is_expr: kind.starts_with("expr") };
            into.insert(name.clone(), Binding::One(fragment));
            Some(length)
        }
        Pattern::Repeat { inner, separator, operator } => {
            repeat(inner, separator, *operator, tokens, into)
        }
    }
}

/// As many turns as there are.
fn repeat(
    inner: &[Pattern],
    separator: &[TokenTree],
    operator: char,
    tokens: &[TokenTree],
    into: &mut Bindings,
) -> Option<usize> {
    let mut repetitions: Vec<Bindings> = Vec::new();
    let mut at = 0;
    loop {
        let between = if repetitions.is_empty() { &[][..] } else { separator };
        let is_there = tokens.len() >= at + between.len()
            && between.iter().zip(&tokens[at..]).all(|(wanted, token)| is_same(wanted, token));
        let mut turn = Bindings::new();
        let from = at + between.len();
        let length = is_there
            .then(|| sequence(inner, &tokens[from..], &mut turn))
            .flatten()
            .filter(|length| length + between.len() > 0);
        let Some(length) = length else { break };
        at = from + length;
        repetitions.push(turn);
        if operator == '?' {
            break;
        }
    }
    if operator == '+' && repetitions.is_empty() {
        return None;
    }
    for name in names(inner) {
        let each = repetitions.iter().filter_map(|turn| turn.get(&name).cloned());
        let each = Binding::Many(each.collect());
        into.insert(name, each);
    }
    Some(at)
}

/// The fragments of a pattern.
fn names(patterns: &[Pattern]) -> Vec<String> {
    let mut found = Vec::new();
    for pattern in patterns {
        match pattern {
            Pattern::Fragment { name, .. } => found.push(name.clone()),
            Pattern::Group(_, inner) | Pattern::Repeat { inner, .. } => found.extend(names(inner)),
            Pattern::Token(_) => {}
        }
    }
    found
}

fn is_same(wanted: &TokenTree, token: &TokenTree) -> bool {
    match (wanted, token) {
        (TokenTree::Punct(one), TokenTree::Punct(other)) => one.as_char() == other.as_char(),
        (TokenTree::Ident(one), TokenTree::Ident(other)) => one == other,
        (TokenTree::Literal(one), TokenTree::Literal(other)) => {
            one.to_string() == other.to_string()
        }
        _ => false,
    }
}

/// The length of a fragment of that kind at the start of the tokens.
fn fragment(kind: &str, tokens: &[TokenTree]) -> Option<usize> {
    match kind {
        "vis" => parsed::<Visibility>(tokens),
        _ if tokens.is_empty() => None,
        "tt" => Some(if is_char(&tokens[0], '\'') { 2 } else { 1 }),
        "ident" => matches!(&tokens[0], TokenTree::Ident(word) if word != "_").then_some(1),
        "lifetime" => is_char(&tokens[0], '\'').then_some(2),
        "literal" => literal(tokens),
        "expr" | "expr_2021" => parsed::<Expr>(tokens),
        "ty" => parsed::<Type>(tokens),
        "path" => parsed::<Path>(tokens),
        "block" => is_block(&tokens[0]).then(|| parsed::<Block>(tokens))?,
        "stmt" => parsed::<Stmt>(tokens).or_else(|| parsed::<Expr>(tokens)),
        "item" => parsed::<Item>(tokens),
        "meta" => parsed::<Meta>(tokens),
        "pat" => with(Pat::parse_multi_with_leading_vert, tokens),
        "pat_param" => with(Pat::parse_single, tokens),
        _ => None,
    }
}

fn is_block(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

fn literal(tokens: &[TokenTree]) -> Option<usize> {
    match tokens {
        [TokenTree::Literal(_), ..] => Some(1),
        [minus, TokenTree::Literal(_), ..] if is_char(minus, '-') => Some(2),
        [TokenTree::Ident(word), ..] if word == "true" || word == "false" => Some(1),
        _ => None,
    }
}

fn parsed<T: Parse>(tokens: &[TokenTree]) -> Option<usize> {
    with(T::parse, tokens)
}

/// How many tokens a parser takes.
fn with<T>(
    parse: impl FnOnce(ParseStream<'_>) -> syn::Result<T>,
    tokens: &[TokenTree],
) -> Option<usize> {
    let count = |input: ParseStream<'_>| {
        parse(input)?;
        let rest: TokenStream = input.parse()?;
        Ok(rest.into_iter().count())
    };
    let all: TokenStream = tokens.iter().cloned().collect();
    let rest = count.parse2(all).ok()?;
    tokens.len().checked_sub(rest)
}

/// What the fragments stand for in each turn of a repetition in a body; `None` if nothing in it is
/// repeated, or not equally often.
pub(crate) fn repetitions(body: &TokenStream, bindings: &Bindings) -> Option<Vec<Bindings>> {
    let mut used = Vec::new();
    each_token(body.clone(), &mut |tokens, at| {
        let is_behind = at.checked_sub(1).is_some_and(|before| is_char(&tokens[before], '$'));
        if let (TokenTree::Ident(name), true) = (&tokens[at], is_behind) {
            used.push(name.to_string());
        }
    });
    let count = used.iter().find_map(|name| match bindings.get(name)? {
        Binding::Many(each) => Some(each.len()),
        Binding::One(_) => None,
    })?;
    (0..count).map(|turn| in_turn(bindings, &used, turn)).collect()
}

/// What the fragments stand for in one turn of a repetition.
fn in_turn(bindings: &Bindings, used: &[String], turn: usize) -> Option<Bindings> {
    let mut own = bindings.clone();
    for name in used {
        if let Some(Binding::Many(each)) = bindings.get(name) {
            own.insert(name.clone(), each.get(turn)?.clone());
        }
    }
    Some(own)
}
