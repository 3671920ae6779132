//! Conditions.

use syn::Expr;

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};

/// Swaps the condition of `if` or `while` for `false` or `true`.
pub(crate) const PASS: Pass = Pass {
    name: "conditions",
    about: "swap conditions for false or true",
    tier: Tier::Fine,
    effect: Effect::Switched,
    before: "fn f() { if a() && b { c() } }",
    after: "fn f() { if false { c() } }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    for expr in tree.exprs() {
        let condition = match expr {
            Expr::If(expr) => &expr.cond,
            Expr::While(expr) => &expr.cond,
            _ => continue,
        };
        if !matches!(**condition, Expr::Lit(_)) {
            let range = tree.range(condition);
            reductions.push(Reduction::replace(range.clone(), "false"));
            reductions.push(Reduction::replace(range, "true"));
        }
    }
    reductions
}
