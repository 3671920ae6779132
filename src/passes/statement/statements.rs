//! Statements.

use std::collections::HashSet;

use syn::{Expr, GenericArgument};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};

/// Removes a statement.
pub(crate) const PASS: Pass = Pass {
    name: "statements",
    about: "remove statements",
    tier: Tier::Medium,
    effect: Effect::Switched,
    before: "fn f() { g(); let x = h(); x }",
    after: "fn f() { let x = h(); x }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    // `Row<{ N }>` is no type without what stands in the braces.
    let of_types: HashSet<usize> = tree
        .angle_args()
        .flat_map(|all| &all.args)
        .filter_map(|argument| match argument {
            GenericArgument::Const(Expr::Block(it)) => it.block.stmts.first(),
            _ => None,
        })
        .map(|statement| tree.range(statement).start)
        .collect();
    let ranges = tree.statements().map(|statement| tree.range(statement));
    ranges.filter(|range| !of_types.contains(&range.start)).map(Reduction::remove).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::lines;

    #[test]
    fn the_braces_of_a_type_hold_no_statement() {
        let text = "fn f(a: Row<{ N }>) { g::<{ M }>(a); }";
        assert_eq!(lines(propose, text), ["fn f(a: Row<{ N }>) { }"]);
    }
}
