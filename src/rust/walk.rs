//! Tokens of a node, and what an item imports.

use proc_macro2::{TokenStream, TokenTree};
use syn::Token;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;

/// What stands between commas, whatever it is; `None` where something is missing.
pub fn parts_at_commas(tokens: &TokenStream) -> Option<Punctuated<TokenStream, Token![,]>> {
    let part = |input: ParseStream| {
        let mut tokens = vec![input.parse::<TokenTree>()?];
        while !input.is_empty() && !input.peek(Token![,]) {
            tokens.push(input.parse()?);
        }
        Ok(tokens.into_iter().collect())
    };
    let parts = |input: ParseStream| Punctuated::parse_terminated_with(input, part);
    parts.parse2(tokens.clone()).ok()
}

/// Whether an item imports all that is around its module, which may be one at the root of the crate.
pub(crate) fn imports_all_around(item: &syn::Item, is_root: bool) -> bool {
    let syn::Item::Use(import) = item else { return false };
    matches!(&import.tree, syn::UseTree::Path(path)
        if (path.ident == "super" || is_root && path.ident == "crate") && matches!(&*path.tree, syn::UseTree::Glob(_)))
}
