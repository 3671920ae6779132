//! Ways out of functions.

use std::ops::Range;

use syn::Expr;
use syn::visit::Visit;

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};
use crate::source::own_exprs;

/// Lets a function end where it returns early: what is given back by a `return` or a `?` becomes its
/// value, and all that follows goes.
pub(crate) const PASS: Pass = Pass {
    name: "exits",
    about: "end functions at a return or a ?",
    tier: Tier::Medium,
    effect: Effect::Any,
    before: "fn f() -> Option<u8> { a(); g()?; let b = h(); Some(b) }",
    after: "fn f() -> Option<u8> { a(); g()}",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    for (_, block) in tree.functions() {
        let end = tree.inside(&block.brace_token.span).end;
        for statement in &block.stmts {
            let start = tree.range(statement).start;
            let values = exits(tree, statement).into_iter();
            reductions.extend(values.map(|value| Reduction::keep(start..end, value)));
        }
    }
    reductions
}

/// What the exits within a statement give back, those of closures and other functions left out.
fn exits(tree: &Tree<'_>, statement: &syn::Stmt) -> Vec<Range<usize>> {
    let exits = own_exprs(|it| it.visit_stmt(statement)).into_iter().filter_map(|it| match it {
        Expr::Try(exit) => Some(&*exit.expr),
        Expr::Return(exit) => exit.expr.as_deref(),
        _ => None,
    });
    exits.map(|value| tree.range(value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::results;

    #[test]
    fn each_exit_of_a_function_may_become_its_end() {
        let text = "fn f() -> R { if a? { return b; } c.map(|d| d?); e() }";
        let results = results(propose, text);
        assert_eq!(results, ["fn f() -> R { a}", "fn f() -> R { b}"]);
    }
}
