//! Elements of expressions.

use syn::Expr;

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};

/// Removes an argument of a call, an element of a tuple or array, a field of a struct expression, a
/// parameter of a closure.
pub(crate) const PASS: Pass = Pass {
    name: "arguments",
    about: "remove arguments, elements and fields of expressions",
    tier: Tier::Fine,
    effect: Effect::Any,
    before: "fn f() { g(1, 2) }",
    after: "fn f() { g(1) }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    for expr in tree.exprs() {
        let ranges = match expr {
            Expr::Call(expr) => tree.elements(&expr.args),
            Expr::MethodCall(expr) => tree.elements(&expr.args),
            Expr::Tuple(expr) => tree.elements(&expr.elems),
            Expr::Array(expr) => tree.elements(&expr.elems),
            Expr::Struct(expr) => tree.elements(&expr.fields),
            Expr::Closure(expr) => tree.elements(&expr.inputs),
            _ => continue,
        };
        reductions.extend(ranges.into_iter().map(Reduction::remove));
    }
    for args in tree.macro_args {
        reductions.extend(tree.elements(args).into_iter().map(Reduction::remove));
    }
    reductions
}
