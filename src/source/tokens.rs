//! What tokens are, what they hold between commas, how paths end, and which names are those of assertions.

use std::ops::Range;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{BinOp, Expr, GenericArgument, Ident, Macro, Path, PathArguments, Token, Type};

use super::parse::range;

/// What stands between the parentheses of a call.
pub(crate) type Arguments = Punctuated<Expr, Token![,]>;

/// Tokens as expressions between commas, if they are that.
pub(crate) fn arguments(tokens: &TokenStream) -> Option<Arguments> {
    Arguments::parse_terminated.parse2(tokens.clone()).ok()
}

/// As [`arguments`], as a list.
pub(crate) fn expressions(tokens: &TokenStream) -> Option<Vec<Expr>> {
    arguments(tokens).map(|all| all.into_iter().collect())
}

/// All tokens in their order, those inside of brackets among them, but for the brackets.
pub(crate) fn flat(tokens: TokenStream) -> impl Iterator<Item = TokenTree> {
    let mut open = vec![tokens.into_iter()];
    std::iter::from_fn(move || {
        loop {
            match open.last_mut()?.next() {
                Some(TokenTree::Group(group)) => open.push(group.stream().into_iter()),
                Some(token) => return Some(token),
                None => _ = open.pop(),
            }
        }
    })
}

/// All tokens, brackets before what they hold, each as its place among its neighbours.
pub(crate) fn each_token(tokens: TokenStream, each: &mut dyn FnMut(&[TokenTree], usize)) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        each(&tokens, at);
        if let TokenTree::Group(group) = token {
            each_token(group.stream(), each);
        }
    }
}

/// The signs right before the token at a place among its neighbours.
pub(crate) fn signs_before(tokens: &[TokenTree], at: usize) -> String {
    let before = tokens[..at].iter().rposition(|it| !matches!(it, TokenTree::Punct(_)));
    tokens[before.map_or(0, |before| before + 1)..at].iter().map(ToString::to_string).collect()
}

/// The last word of what a macro is called by, and the bytes of the call.
pub(crate) fn called_macro(mac: &Macro, base: usize) -> Option<(String, Range<usize>)> {
    let segments = &mac.path.segments;
    let start = range(segments.first()?.ident.span(), base).start;
    let end = range(mac.delimiter.span().close(), base).end;
    Some((segments.last()?.ident.to_string(), start..end))
}

/// The tokens between commas, without an empty part at the end.
pub(crate) fn at_commas(tokens: TokenStream) -> Vec<Vec<TokenTree>> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let parts = tokens.split(|token| is_char(token, ','));
    let mut parts: Vec<Vec<TokenTree>> = parts.map(<[_]>::to_vec).collect();
    parts.pop_if(|last| last.is_empty());
    parts
}

/// Whether the token is that sign.
pub(crate) fn is_char(token: &TokenTree, wanted: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == wanted)
}

/// How an operator is written.
pub(crate) fn sign_of(operator: &BinOp) -> String {
    operator.to_token_stream().to_string()
}

/// Whether an operator asks which side is greater.
pub(crate) fn is_order(operator: &BinOp) -> bool {
    matches!(operator, BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_))
}

/// An identifier without `r#`.
pub(crate) fn plain(ident: &Ident) -> String {
    syn::ext::IdentExt::unraw(ident).to_string()
}

/// Whether a name is written as that of a constant with more than one letter: `MAX`.
pub(crate) fn is_constant_name(name: &str) -> bool {
    name.len() > 1 && !name.contains(char::is_lowercase)
}

/// The word that names the function which is called, if it is called by a path.
pub(crate) fn called_name(function: &Expr) -> Option<&Ident> {
    match function {
        Expr::Path(path) => last_word(&path.path),
        _ => None,
    }
}

/// Whether a macro of this name is an assertion.
pub(crate) fn is_assertion(name: &str) -> bool {
    without_debug(name).starts_with("assert")
}

/// Whether a macro of this name does nothing but panic.
pub(crate) fn is_panic(name: &str) -> bool {
    matches!(name, "panic" | "unreachable" | "todo" | "unimplemented")
}

/// Whether a macro of this name does nothing but print.
pub(crate) fn is_print(name: &str) -> bool {
    matches!(name, "print" | "println" | "eprint" | "eprintln")
}

/// How many of an assertion's arguments are compared or checked; the others make its message.
pub(crate) fn compared(assertion: &str) -> usize {
    if without_debug(assertion) == "assert" { 1 } else { 2 }
}

/// The name of an assertion without what makes one of debug builds of it.
pub(crate) fn without_debug(name: &str) -> &str {
    name.strip_prefix("debug_").unwrap_or(name)
}

/// The last word of a path that is an expression, and the one before, which may be empty: those of `std::fs::read`
/// are `fs` and `read`.
pub(crate) fn last_two_words(expression: &Expr) -> Option<(String, String)> {
    let Expr::Path(path) = expression else { return None };
    let mut words = path.path.segments.iter().rev().map(|word| word.ident.to_string());
    let last = words.next()?;
    Some((words.next().unwrap_or_default(), last))
}

/// The name at the end of a path, without `r#`; nothing where there is none.
pub(crate) fn last_name(path: &Path) -> String {
    last_word(path).map(plain).unwrap_or_default()
}

/// The last word of a path.
pub(crate) fn last_word(path: &Path) -> Option<&Ident> {
    path.segments.last().map(|segment| &segment.ident)
}

/// Whether that is the last word of a path.
pub(crate) fn ends_in(path: &Path, word: &str) -> bool {
    last_word(path).is_some_and(|last| last == word)
}

/// The types in the angle brackets behind a word of a path.
pub(crate) fn types_in(arguments: &PathArguments) -> Vec<&Type> {
    let PathArguments::AngleBracketed(arguments) = arguments else { return Vec::new() };
    let types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    types.collect()
}
