//! How often something is called with a variable, and with what that returns.

use syn::visit::{self, Visit};
use syn::{Block, Expr, Ident, Local, Stmt};

use super::inputs::is_constructor;
use super::methods::changes_form;
use super::patterns::bound;
use super::tokens::called_name;

/// Through so many variables what is returned is followed.
const DEPTH: u32 = 2;

/// The most calls around a variable in an expression, also through variables of `block` that hold what they return; `None`
/// if it is not there. Of what `is_helper` does, a function of the test's own, nobody knows: it counts as two.
pub(super) fn most_calls_around(
    name: &str,
    expr: &Expr,
    block: &Block,
    is_helper: &dyn Fn(&Ident) -> bool,
) -> Option<usize> {
    let mut calls = CallsAround { name, block, is_helper, through: DEPTH, around: 0, most: None };
    calls.visit_expr(expr);
    calls.most
}

/// What the statements of a block put into variables of that name.
pub(super) fn values_of<'b>(block: &'b Block, name: &str) -> impl Iterator<Item = &'b Expr> {
    block.stmts.iter().filter_map(move |statement| {
        let Stmt::Local(Local { pat, init: Some(init), .. }) = statement else { return None };
        bound(pat).contains(name).then_some(&*init.expr)
    })
}

struct CallsAround<'s> {
    name: &'s str,
    block: &'s Block,
    is_helper: &'s dyn Fn(&Ident) -> bool,
    through: u32,
    around: usize,
    most: Option<usize>,
}

impl CallsAround<'_> {
    fn inside(&mut self, calls: usize, visit: impl FnOnce(&mut Self)) {
        self.around += calls;
        visit(self);
        self.around -= calls;
    }

    /// What the variables of that name hold.
    fn follow(&mut self, name: &str) {
        if let Some(through) = self.through.checked_sub(1) {
            let before = std::mem::replace(&mut self.through, through);
            values_of(self.block, name).for_each(|value| self.visit_expr(value));
            self.through = before;
        }
    }
}

impl<'ast> Visit<'ast> for CallsAround<'_> {
    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        let is_helper = called_name(&call.func).is_some_and(self.is_helper);
        let calls = if is_constructor(&call.func) { 0 } else { 1 + usize::from(is_helper) };
        self.inside(calls, |calls| visit::visit_expr_call(calls, call));
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let calls = usize::from(!changes_form(&call.method.to_string()));
        self.inside(calls, |calls| visit::visit_expr_method_call(calls, call));
    }

    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        let Some(name) = path.path.get_ident() else { return };
        if name == self.name {
            self.most = self.most.max(Some(self.around));
        } else {
            self.follow(&name.to_string());
        }
    }
}
