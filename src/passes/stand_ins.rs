//! Expressions for one that says nothing.

use syn::Expr;

use super::{Pass, Reduction, Tier, Tree, walk};

/// Swaps an expression for `()`, for `0` where it looks like a number, and for the stand-in of any type.
pub(super) const PASS: Pass = Pass {
    name: "stand-ins",
    about: "swap expressions for (), 0 or something of any type",
    tier: Tier::Fine,
    before: "fn f() { g(h(1), 2) }",
    after: "fn f() { g((), 2) }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    for expr in walk::exprs(tree) {
        let range = tree.range(expr);
        let length = range.len();
        let stand_ins = [
            ("()", true),
            ("0", is_numeric(expr)),
            (tree.stand_in.expr(), true),
        ];
        for (text, _) in stand_ins
            .iter()
            .filter(|(text, fits)| *fits && text.len() < length)
        {
            reductions.push(Reduction::replace(range.clone(), *text));
        }
    }
    reductions
}

fn is_numeric(expr: &Expr) -> bool {
    match expr {
        Expr::Binary(_) | Expr::Cast(_) | Expr::Index(_) | Expr::Unary(_) | Expr::Block(_) => true,
        Expr::Lit(expr) => matches!(expr.lit, syn::Lit::Int(_) | syn::Lit::Float(_)),
        _ => false,
    }
}
