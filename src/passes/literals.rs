//! Literals.

use syn::{Expr, Lit};

use super::{Pass, Reduction, Tier, Tree, walk};

/// Swaps a string for an empty one and a number for 0.
pub(super) const PASS: Pass = Pass {
    name: "literals",
    about: "empty strings, set numbers to 0",
    tier: Tier::Fine,
    before: "fn f() { g(\"a b\", 12u8) }",
    after: "fn f() { g(\"\", 12u8) }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    for expr in walk::exprs(tree) {
        let Expr::Lit(expr) = expr else { continue };
        let range = tree.range(expr);
        let simplest = match &expr.lit {
            Lit::Str(_) => "\"\"",
            Lit::ByteStr(_) => "b\"\"",
            Lit::Int(_) => "0",
            Lit::Float(_) => "0.",
            _ => continue,
        };
        if simplest.len() < range.len() {
            reductions.push(Reduction::replace(range, simplest));
        }
    }
    reductions
}
