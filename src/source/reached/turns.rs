//! Loops over a list that is empty, or has only one element, in a test whose inputs were reduced.
//!
//! `for width in [5] { … }` is `let width = 5; …`, and a loop that never runs is nothing.

use std::collections::BTreeSet;
use std::ops::Range;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::Parse;
use syn::spanned::Spanned;
use syn::{Expr, Stmt};

use super::outline::{Function, Outline, Statement, What};
use crate::source::idents;
use crate::source::inputs::calls_nothing;
use crate::source::parse::{look_at, range};
use crate::source::patterns::bound;
use crate::source::tokens::{expressions, flat};
use crate::source::{Edits, removal};

/// Writes such loops of `function` without their `for`.
pub(super) fn unroll(text: &str, function: &Function, edits: &mut Edits) {
    while let Some(turn) = next_of(text, &function.body, edits) {
        if !turn.into_iter().all(|(range, with)| edits.cover(range, with)) {
            break;
        }
    }
}

type Covers = Vec<(Range<usize>, String)>;

fn next_of(text: &str, block: &Outline, edits: &Edits) -> Option<Covers> {
    let left: Vec<&Statement> =
        block.statements.iter().filter(|statement| !edits.covers(&statement.range)).collect();
    left.iter().enumerate().find_map(|(place, statement)| {
        let inside = || statement.blocks.iter().find_map(|block| next_of(text, block, edits));
        of_statement(text, statement, &left[place + 1..], edits).or_else(inside)
    })
}

/// The parts of a `for` loop.
struct Loop {
    pattern: Range<usize>,
    list: Range<usize>,
    body: Range<usize>,
    /// What the pattern and the body bind, and whether the body could be followed by more statements.
    binds: BTreeSet<String>,
    is_closed: bool,
    /// Whether something in it says when it ends.
    has_jumps: bool,
}

fn of_statement(
    text: &str,
    statement: &Statement,
    later: &[&Statement],
    edits: &Edits,
) -> Option<Covers> {
    let What::Branch { pattern: Some(_), .. } = statement.what else { return None };
    let base = statement.range.start;
    let parts = |statement: Stmt| {
        let Stmt::Expr(Expr::ForLoop(it), _) = statement else { return None };
        let bytes = |span| range(span, base);
        Some(Loop {
            pattern: bytes(it.pat.span()),
            list: bytes(it.expr.span()),
            body: bytes(it.body.span()),
            binds: bound(&it.pat).into_iter().chain(it.body.stmts.iter().flat_map(binds)).collect(),
            is_closed: !matches!(it.body.stmts.last(), Some(Stmt::Expr(_, None) | Stmt::Item(_))),
            has_jumps: it.label.is_some() || jumps(it.body.to_token_stream()),
        })
    };
    let it = look_at(&text[statement.range.clone()], Stmt::parse, parts).ok()??;
    let edited = |range: &Range<usize>| edits.edited(text, range);
    let list = edited(&it.list);
    match look_at(&list, Expr::parse, |parsed| elements(&list, &parsed, false)).ok()?? {
        Elements::None => Some(vec![(removal::with_lines(text, &statement.range), String::new())]),
        Elements::One { value, is_calm } if !it.has_jumps => {
            let head = statement.range.start..it.body.start + 1;
            if edits.covers(&head) {
                return None;
            }
            let close = it.body.end - 1..statement.range.end;
            let pattern = edited(&it.pattern);
            let is_needless = pattern == "_" && is_calm;
            let head_of_body =
                if is_needless { String::new() } else { format!("let {pattern} = {value};") };
            // What the body binds would be seen behind it.
            let is_seen =
                |other: &&Statement| !idents::of_text(&edited(&other.range)).is_disjoint(&it.binds);
            if !later.is_empty() && (!it.is_closed || later.iter().any(is_seen)) {
                return Some(vec![(head, format!("{{ {head_of_body}")), (close, "}".to_owned())]);
            }
            Some(vec![(head, head_of_body), (close, String::new())])
        }
        Elements::One { .. } => None,
    }
}

/// What a statement binds for those behind it.
fn binds(statement: &Stmt) -> BTreeSet<String> {
    match statement {
        Stmt::Local(local) => bound(&local.pat),
        _ => BTreeSet::new(),
    }
}

/// What a list that is written out holds, if that is not several elements.
enum Elements {
    None,
    One { value: String, is_calm: bool },
}

/// Those of a list, which `is_borrowed` perhaps.
fn elements(text: &str, list: &Expr, is_borrowed: bool) -> Option<Elements> {
    let all: Vec<Expr> = match list {
        Expr::MethodCall(call) if call.args.is_empty() => {
            let is_iter = call.method == "iter";
            let goes_through = is_iter || call.method == "into_iter";
            return goes_through.then(|| elements(text, &call.receiver, is_borrowed || is_iter))?;
        }
        Expr::Reference(it) if it.mutability.is_none() => return elements(text, &it.expr, true),
        Expr::Array(it) => it.elems.iter().cloned().collect(),
        Expr::Repeat(it) if it.len.to_token_stream().to_string() == "0" => Vec::new(),
        Expr::Macro(it) if it.mac.path.is_ident("vec") => expressions(&it.mac.tokens)?,
        _ => return None,
    };
    match all.as_slice() {
        [] => Some(Elements::None),
        [only] => {
            let value = text[range(only.span(), 0)].to_owned();
            let value = if is_borrowed { format!("&{value}") } else { value };
            Some(Elements::One { value, is_calm: calls_nothing(only) })
        }
        _ => None,
    }
}

/// Whether there is a `break` or `continue`.
fn jumps(tokens: TokenStream) -> bool {
    flat(tokens)
        .any(|token| matches!(token, TokenTree::Ident(it) if it == "break" || it == "continue"))
}
