//! Tokens and expressions of a node, and the name of an item.

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Expr, Token};

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

/// The expressions that run where a node runs, outer ones first: what stands in closures and items runs elsewhere. `start`
/// visits the node.
pub fn own_exprs<'e>(start: impl FnOnce(&mut OwnExprs<'e>)) -> Vec<&'e Expr> {
    let mut found = OwnExprs(Vec::new());
    start(&mut found);
    found.0
}

/// Finds [`own_exprs`].
pub struct OwnExprs<'e>(Vec<&'e Expr>);

impl<'e> Visit<'e> for OwnExprs<'e> {
    fn visit_expr(&mut self, expr: &'e Expr) {
        if !matches!(expr, Expr::Closure(_) | Expr::Async(_)) {
            self.0.push(expr);
            visit::visit_expr(self, expr);
        }
    }

    fn visit_item(&mut self, _: &'e syn::Item) {}
}

/// Whether an item imports all that is around its module, which may be one at the root of the crate.
pub(crate) fn imports_all_around(item: &syn::Item, is_root: bool) -> bool {
    let syn::Item::Use(import) = item else { return false };
    matches!(&import.tree, syn::UseTree::Path(path)
        if (path.ident == "super" || is_root && path.ident == "crate") && matches!(&*path.tree, syn::UseTree::Glob(_)))
}
