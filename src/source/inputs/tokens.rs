//! Literals and lists in the tokens of a macro whose arguments are no expressions.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use syn::Lit;

use super::walk::Walk;
use crate::source::SeqForm;
use crate::source::tokens::{at_commas, is_char};

/// Walks the tokens of one macro call.
pub(super) fn walk_macro(walk: &mut Walk<'_, '_>, tokens: TokenStream) {
    let ids = walk.ids(|walk| walk_tokens(walk, tokens));
    if !ids.is_empty() {
        walk.found.token_macros.push(ids);
    }
}

/// Takes each literal as an input, at any depth of brackets, and what stands between commas in square
/// or curly brackets as the elements of a list.
fn walk_tokens(walk: &mut Walk<'_, '_>, tokens: impl IntoIterator<Item = TokenTree>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    for (index, token) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| &tokens[before]);
        match token {
            TokenTree::Group(group) if is_attribute(before, group.delimiter()) => {}
            TokenTree::Group(group) => walk_group(walk, group),
            TokenTree::Literal(literal) if !is_punct(before, '.') => {
                let is_negative = is_punct(before, '-')
                    // Else it is a subtraction.
                    && index.checked_sub(2).is_none_or(|two| matches!(tokens[two], TokenTree::Punct(_)));
                let mut range = walk.range(literal.span());
                if is_negative && let Some(minus) = before {
                    range.start = walk.range(minus.span()).start;
                }
                walk.literal(&Lit::new(literal.clone()), range, is_negative);
            }
            TokenTree::Ident(ident) if *ident == "true" || *ident == "false" => {
                let lit = Lit::Bool(syn::LitBool::new(*ident == "true", ident.span()));
                let range = walk.range(ident.span());
                walk.literal(&lit, range, false);
            }
            _ => {}
        }
    }
}

fn walk_group(walk: &mut Walk<'_, '_>, group: &Group) {
    let parts = parts(group);
    if parts.len() < 2 {
        return walk_tokens(walk, group.stream());
    }
    let range = walk.range(group.span());
    walk.sequence(range, SeqForm::Tokens, |walk| {
        for part in parts {
            let Some(range) = walk.range_of_all(&part) else { continue };
            walk.element(range, |walk| walk_tokens(walk, part));
        }
    });
}

/// What stands between the commas of a list; nothing where the brackets hold something else, such as
/// the statements of a block or the arguments of a call.
fn parts(group: &Group) -> Vec<Vec<TokenTree>> {
    if !matches!(group.delimiter(), Delimiter::Bracket | Delimiter::Brace) {
        return Vec::new();
    }
    if group.stream().into_iter().any(|token| is_char(&token, ';')) {
        return Vec::new();
    }
    let mut parts = at_commas(group.stream());
    parts.retain(|part| !part.is_empty());
    parts
}

fn is_attribute(before: Option<&TokenTree>, delimiter: Delimiter) -> bool {
    delimiter == Delimiter::Bracket && (is_punct(before, '#') || is_punct(before, '!'))
}

fn is_punct(token: Option<&TokenTree>, wanted: char) -> bool {
    token.is_some_and(|token| is_char(token, wanted))
}
