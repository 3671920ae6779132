//! What tokens are, and what they hold between commas.

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, Token};

/// What stands between the parentheses of a call.
pub(crate) type Arguments = Punctuated<Expr, Token![,]>;

/// Tokens as expressions between commas, if they are that.
pub(crate) fn arguments(tokens: &TokenStream) -> Option<Arguments> {
    Arguments::parse_terminated.parse2(tokens.clone()).ok()
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
