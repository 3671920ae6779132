//! Statements that do nothing, and blocks around nothing but what they hold.

use syn::{Expr, Stmt, UnOp};

use super::blocks;
use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};

/// Removes statements that only name something, as are left where the rest of a statement is gone, one after the other
/// together; and the braces of blocks that declare nothing.
pub(crate) const PASS: Pass = Pass {
    name: "no-effects",
    about: "remove statements that do nothing, and braces around statements",
    tier: Tier::Coarse,
    effect: Effect::Quiet,
    before: "fn f() { a(); b.c; ; d }",
    after: "fn f() { a(); d }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    for block in tree.blocks() {
        for run in block.stmts.chunk_by(|a, b| is_idle(a) && is_idle(b)) {
            if let ([first, ..], [.., last]) = (run, run)
                && is_idle(first)
            {
                let end = tree.range(last).end;
                reductions.push(Reduction::remove(tree.range(first).start..end));
            }
        }
        let is_plain = |it: &Stmt| matches!(it, Stmt::Expr(..));
        for statement in &block.stmts {
            if let Stmt::Expr(Expr::Block(inner), _) = statement
                && inner.block.stmts.iter().all(is_plain)
            {
                reductions.extend(blocks::flatten(tree, statement));
            }
        }
    }
    for expr in tree.exprs() {
        if let Expr::Block(block) = expr
            && block.label.is_none()
        {
            let only = blocks::only_expression(tree, &block.block);
            reductions.extend(only.map(|inner| Reduction::keep(tree.range(expr), inner)));
        }
    }
    reductions
}

/// Whether a statement does nothing, and yields no value.
fn is_idle(statement: &Stmt) -> bool {
    match statement {
        Stmt::Expr(Expr::Block(empty), _) => empty.block.stmts.is_empty(),
        Stmt::Expr(expr, end) => end.is_some() && is_only_named(expr),
        _ => false,
    }
}

/// Whether an expression only names a value, and does nothing to get it.
fn is_only_named(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) | Expr::Lit(_) => true,
        Expr::Verbatim(tokens) => tokens.is_empty(),
        Expr::Field(field) => is_only_named(&field.base),
        Expr::Paren(inner) => is_only_named(&inner.expr),
        Expr::Reference(to) => is_only_named(&to.expr),
        Expr::Unary(unary) => {
            matches!(unary.op, UnOp::Deref(_) | UnOp::Not(_)) && is_only_named(&unary.expr)
        }
        Expr::Tuple(tuple) => tuple.elems.iter().all(is_only_named),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::{apply, testing};

    #[test]
    fn what_does_nothing_goes_and_what_yields_a_value_stays() {
        let text = "fn f() { a; *b.c; ;; g(); {} h(x)?; (y, &1); { i(); } let z = { j() }; d }";
        let all = crate::rust::Tree::with(text, crate::rust::StandIn::Panic, propose).unwrap();
        let words = apply(text, &all);
        let words: Vec<&str> = words.split_whitespace().collect();
        assert_eq!(words.join(" "), "fn f() { g(); h(x)?; i(); let z = j(); d }");
        assert_eq!(
            testing::lines(propose, "fn f() { g(); h[0]; -x; { let y = 1; g(y) } }").len(),
            0
        );
    }
}
