//! What attributes say.

use proc_macro2::{TokenStream, TokenTree};
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

use super::{at_commas, scan};

/// Whether any attribute can remove the item from the crate.
pub(crate) fn is_conditional(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr"))
}

/// Whether the item is compiled for tests only: it is under `cfg(test)`, or a test itself.
pub(crate) fn is_test_only(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| match &attr.meta {
        Meta::List(list) if list.path.is_ident("cfg") => {
            requires_test(&Vec::from_iter(list.tokens.clone()))
        }
        _ => false,
    })
}

/// Whether a `cfg` predicate can only hold in test builds: `test`, or an `all(…)` with such a part.
fn requires_test(predicate: &[TokenTree]) -> bool {
    match predicate {
        [TokenTree::Ident(name)] => name == "test",
        [TokenTree::Ident(name), TokenTree::Group(parts)] if name == "all" => {
            at_commas(parts.stream()).iter().any(|it| requires_test(it))
        }
        [TokenTree::Ident(name), TokenTree::Group(parts)] if name == "any" => {
            at_commas(parts.stream()).iter().all(|it| requires_test(it))
        }
        _ => false,
    }
}

/// The value of `#[path = "…"]`, also inside `cfg_attr`.
pub(crate) fn path(attrs: &[Attribute]) -> Option<String> {
    attrs.iter().find_map(|attr| match &attr.meta {
        Meta::NameValue(pair) if pair.path.is_ident("path") => text(&pair.value),
        Meta::List(list) if list.path.is_ident("cfg_attr") => {
            let parts = at_commas(list.tokens.clone());
            parts.into_iter().skip(1).find_map(|part| {
                let pair = syn::parse2::<syn::MetaNameValue>(TokenStream::from_iter(part)).ok()?;
                pair.path.is_ident("path").then(|| text(&pair.value))?
            })
        }
        _ => None,
    })
}

/// The value of a string literal.
pub(crate) fn text(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
        _ => None,
    }
}

/// Whether a text has the name of an attribute that only means something, or may only be there once, in a crate.
pub fn is_only_of_crate(text: &str) -> bool {
    const NAMES: [&str; 5] =
        ["export_name", "global_allocator", "macro_export", "no_mangle", "panic_handler"];
    scan::words(text).any(|word| NAMES.contains(&word))
}
