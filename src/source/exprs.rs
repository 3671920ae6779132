//! The expressions of a node, and the variables that it binds.

use syn::visit::{self, Visit};
use syn::{Expr, PatIdent};

/// All expressions of a node, outer ones first. `start` visits the node.
pub(crate) fn exprs<'e>(start: impl FnOnce(&mut Exprs<'e>)) -> Vec<&'e Expr> {
    let mut found = Exprs { found: Vec::new(), is_own: false };
    start(&mut found);
    found.found
}

/// The expressions that run where a node runs, outer ones first: what stands in closures and items runs elsewhere. `start`
/// visits the node.
pub(crate) fn own_exprs<'e>(start: impl FnOnce(&mut Exprs<'e>)) -> Vec<&'e Expr> {
    let mut found = Exprs { found: Vec::new(), is_own: true };
    start(&mut found);
    found.found
}

/// Whether a node can leave its block or function (`return`, `break`, `continue`; `?` is none of these). `start` visits the
/// node.
pub(crate) fn leaves<'e>(start: impl FnOnce(&mut Exprs<'e>)) -> bool {
    let leaves = |it: &Expr| matches!(it, Expr::Return(_) | Expr::Break(_) | Expr::Continue(_));
    own_exprs(start).into_iter().any(leaves)
}

/// Finds [`exprs`] and [`own_exprs`].
pub(crate) struct Exprs<'e> {
    found: Vec<&'e Expr>,
    is_own: bool,
}

impl<'e> Visit<'e> for Exprs<'e> {
    fn visit_expr(&mut self, expr: &'e Expr) {
        if self.is_own && matches!(expr, Expr::Closure(_) | Expr::Async(_)) {
            return;
        }
        self.found.push(expr);
        visit::visit_expr(self, expr);
    }

    fn visit_item(&mut self, item: &'e syn::Item) {
        if !self.is_own {
            visit::visit_item(self, item);
        }
    }
}

/// The variables that the patterns of a node bind, and constants in patterns. `start` visits the node.
pub(crate) fn bound_idents<'e>(start: impl FnOnce(&mut BoundIdents<'e>)) -> Vec<&'e PatIdent> {
    let mut found = BoundIdents(Vec::new());
    start(&mut found);
    found.0
}

/// Finds [`bound_idents`].
pub(crate) struct BoundIdents<'e>(Vec<&'e PatIdent>);

impl<'e> Visit<'e> for BoundIdents<'e> {
    fn visit_pat_ident(&mut self, ident: &'e PatIdent) {
        self.0.push(ident);
        visit::visit_pat_ident(self, ident);
    }
}
