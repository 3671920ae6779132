//! Questions to single tokens.

use proc_macro2::{Spacing, TokenTree};

pub(super) fn is_punct(token: &TokenTree, char: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == char)
}

/// Whether two tokens that are no brackets read the same.
pub(super) fn is_same(one: &TokenTree, other: &TokenTree) -> bool {
    match (one, other) {
        (TokenTree::Punct(one), TokenTree::Punct(other)) => one.as_char() == other.as_char(),
        (TokenTree::Group(_), _) | (_, TokenTree::Group(_)) => false,
        (one, other) => one.to_string() == other.to_string(),
    }
}

/// How many tokens a lifetime takes at the start of `tokens`.
pub(super) fn lifetime(tokens: &[TokenTree]) -> Option<usize> {
    match tokens {
        [TokenTree::Punct(tick), TokenTree::Ident(_), ..]
            if tick.as_char() == '\'' && tick.spacing() == Spacing::Joint =>
        {
            Some(2)
        }
        _ => None,
    }
}
