//! How often something is called with a variable, and with what that returns.

use syn::{Block, Expr, Ident, Local, Stmt};

use super::exprs::children;
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
    CallsAround { name, block, is_helper }.most(expr, 0, DEPTH)
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
}

impl CallsAround<'_> {
    /// The most calls around the variable, where `around` are around the expression, and it is followed through so many other
    /// variables.
    fn most(&self, expr: &Expr, around: usize, through: u32) -> Option<usize> {
        let around = around
            + match expr {
                Expr::Call(call) if is_constructor(&call.func) => 0,
                Expr::Call(call) => {
                    1 + usize::from(called_name(&call.func).is_some_and(self.is_helper))
                }
                Expr::MethodCall(call) => usize::from(!changes_form(&call.method.to_string())),
                _ => 0,
            };
        let Expr::Path(path) = expr else {
            return children(expr)
                .into_iter()
                .filter_map(|it| self.most(it, around, through))
                .max();
        };
        let name = path.path.get_ident()?;
        if name == self.name {
            return Some(around);
        }
        let through = through.checked_sub(1)?;
        let name = name.to_string();
        let values = values_of(self.block, &name);
        values.filter_map(|value| self.most(value, around, through)).max()
    }
}
