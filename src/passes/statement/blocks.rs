//! Blocks.

use syn::visit::Visit;
use syn::{Arm, Block, Expr, ExprBlock, ExprClosure, Item, Stmt};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};

/// Swaps what controls a block for the block (`if` for its then- or else-body, a loop for its body,
/// `match` for the body of an arm), a block for its only expression, flattens blocks that are statements, and
/// takes the statements of others out of the statement in which they stand; empties blocks. A loop that is left at the end
/// of its body is run without the `break`, and a block that ends with `Ok(a)` needs no `?`.
pub(crate) const PASS: Pass = Pass {
    name: "blocks",
    about: "swap if, match and loops for a body, flatten and empty blocks",
    tier: Tier::Fine,
    effect: Effect::Switched,
    before: "fn f() { if c { a() } else { b() } }",
    after: "fn f() { { a() } }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    for expr in tree.exprs() {
        let whole = tree.range(expr);
        for body in bodies(tree, expr) {
            reductions.push(Reduction::keep(whole.clone(), body));
        }
        reductions.extend(done_once(tree, expr));
        reductions.extend(without_try(tree, expr));
        if let Expr::If(expr) = expr
            && let Some((otherwise, last)) = &expr.else_branch
        {
            reductions.push(Reduction::remove(tree.range(otherwise).start..tree.range(last).end));
        }
    }
    for block in tree.blocks() {
        let inside = tree.inside(&block.brace_token.span);
        if block.stmts.len() > 1 {
            reductions.push(Reduction::remove(inside));
        }
        reductions.extend(block.stmts.iter().flat_map(|statement| flatten(tree, statement)));
        for statement in &block.stmts {
            reductions.extend(nested(statement).flat_map(|block| hoist(tree, statement, block)));
        }
    }
    reductions
}

/// The parts that can stand for the whole expression.
fn bodies(tree: &Tree<'_>, expr: &Expr) -> Vec<std::ops::Range<usize>> {
    match expr {
        Expr::If(expr) => {
            let otherwise = expr.else_branch.iter().map(|(_, otherwise)| tree.range(otherwise));
            std::iter::once(tree.range(&expr.then_branch)).chain(otherwise).collect()
        }
        Expr::Match(expr) => expr.arms.iter().map(|arm| tree.range(&arm.body)).collect(),
        Expr::Loop(expr) => vec![tree.range(&expr.body)],
        Expr::While(expr) => vec![tree.range(&expr.body)],
        Expr::ForLoop(expr) => vec![tree.range(&expr.body)],
        Expr::Unsafe(expr) => vec![tree.range(&expr.block)],
        Expr::Async(expr) => vec![tree.range(&expr.block)],
        Expr::Const(expr) => vec![tree.range(&expr.block)],
        Expr::TryBlock(expr) => vec![tree.range(&expr.block)],
        Expr::Block(expr) => only_expression(tree, &expr.block).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// The body of a loop that ends it the first time, without the `break`.
fn done_once(tree: &Tree<'_>, expr: &Expr) -> Option<Reduction> {
    let body = match expr {
        Expr::Loop(expr) => &expr.body,
        Expr::While(expr) => &expr.body,
        Expr::ForLoop(expr) => &expr.body,
        _ => return None,
    };
    let last = body.stmts.last()?;
    let is_end = matches!(last, Stmt::Expr(Expr::Break(end), _) if end.expr.is_none() && end.label.is_none());
    let once = Reduction::keep(tree.range(expr), tree.range(body));
    is_end.then(|| once.and_remove(tree.range(last)))
}

/// A block that always ends with `Ok` or `Some`, without that and the `?` behind it.
fn without_try(tree: &Tree<'_>, expr: &Expr) -> Option<Reduction> {
    let Expr::Try(tried) = expr else { return None };
    let Expr::Block(block) = &*tried.expr else { return None };
    let Some(Stmt::Expr(Expr::Call(end), None)) = block.block.stmts.last() else { return None };
    let Expr::Path(variant) = &*end.func else { return None };
    let is_value = variant.path.is_ident("Ok") || variant.path.is_ident("Some");
    let (whole, value) = (tree.range(end), tree.range(end.args.first()?));
    let alone = Reduction::keep(tree.range(expr), tree.range(block));
    is_value.then(|| alone.and_remove(whole.start..value.start).and_remove(value.end..whole.end))
}

pub(super) fn only_expression(tree: &Tree<'_>, block: &Block) -> Option<std::ops::Range<usize>> {
    match block.stmts.as_slice() {
        [Stmt::Expr(expr, None)] => Some(tree.range(expr)),
        _ => None,
    }
}

/// What stands in a block that is a statement; its value becomes a statement, too, unless it is that of the block around.
pub(super) fn flatten(tree: &Tree<'_>, statement: &Stmt) -> Vec<Reduction> {
    let Stmt::Expr(Expr::Block(expr), _) = statement else { return Vec::new() };
    let (whole, inside) = (tree.range(statement), tree.inside(&expr.block.brace_token.span));
    let alone = Reduction::keep(whole.clone(), inside);
    match expr.block.stmts.last() {
        Some(Stmt::Expr(_, None)) => {
            let ended = alone.clone().and_replace(whole.end..whole.end, ";");
            vec![alone, ended]
        }
        _ => vec![alone],
    }
}

/// The blocks that are operands of a statement, and are not run more or less often than that.
fn nested(statement: &Stmt) -> impl Iterator<Item = &Block> {
    struct Operands<'b>(Vec<&'b Block>);
    impl<'ast> Visit<'ast> for Operands<'ast> {
        fn visit_expr_block(&mut self, node: &'ast ExprBlock) {
            if node.label.is_none() {
                self.0.push(&node.block);
            }
        }
        fn visit_block(&mut self, _: &'ast Block) {}
        fn visit_arm(&mut self, _: &'ast Arm) {}
        fn visit_expr_closure(&mut self, _: &'ast ExprClosure) {}
        fn visit_item(&mut self, _: &'ast Item) {}
    }
    let mut operands = Operands(Vec::new());
    if !matches!(statement, Stmt::Expr(Expr::Block(_), _)) {
        operands.visit_stmt(statement);
    }
    operands.0.into_iter()
}

/// The statements of a block in the place of the statement that it is an operand of, and before that.
fn hoist(tree: &Tree<'_>, statement: &Stmt, block: &Block) -> Vec<Reduction> {
    let (whole, inside) = (tree.range(statement), tree.inside(&block.brace_token.span));
    let value = match block.stmts.last() {
        Some(Stmt::Expr(value, None)) => Some(tree.range(value)),
        _ => None,
    };
    let end = value.as_ref().map_or(inside.end, |value| value.start);
    let statements = inside.start..end;
    let alone = Reduction::keep(whole.clone(), statements.clone());
    let before = value.filter(|_| block.stmts.len() > 1).map(|value| {
        let start = whole.start..whole.start;
        Reduction::keep(tree.range(block), value).and_copy(start, tree.text, statements, "", "")
    });
    before.into_iter().chain([alone]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::{lines, proposes, proposes_all};

    #[test]
    fn a_block_in_a_statement_is_run_before_it_or_instead_of_it() {
        let text = "fn f() { g(1, { let a = h(); i(); a }); }";
        proposes(propose, text, "fn f() { let a = h(); i(); g(1, a); }");
        proposes(propose, text, "fn f() { let a = h(); i(); }");
        let text = "fn f() { g(|| { h(); 1 }, if a { h(); 1 } else { 2 }); }";
        let results = lines(propose, text);
        let is_hoisted = |result: &String| result.starts_with("fn f() { h(); ");
        assert!(!results.iter().any(is_hoisted), "{results:#?}");
    }

    #[test]
    fn the_value_of_a_block_that_is_a_statement_becomes_one() {
        proposes(propose, "fn f() { { g() } h(); }", "fn f() { g() ; h(); }");
    }

    #[test]
    fn a_loop_that_runs_once_and_a_block_without_errors_are_plain_blocks() {
        let text = "fn f() { while let Some(a) = b() { c(); break; } }";
        proposes(propose, text, "fn f() { { c(); } }");
        let text = "fn f() { match a { b => { c(); Ok(d) }?, _ => {} } }";
        proposes(propose, text, "fn f() { match a { b => { c(); d }, _ => {} } }");
    }

    #[test]
    fn every_way_out_of_control_flow_is_proposed() {
        let text = "fn f() { match x { 1 => a(), _ => loop { b(); } } { c(); } }";
        let expected = [
            "fn f() { a() { c(); } }",
            "fn f() { loop { b(); } { c(); } }",
            "fn f() { match x { 1 => a(), _ => { b(); } } { c(); } }",
            "fn f() { match x { 1 => a(), _ => loop { b(); } }  c();  }",
            "fn f() {}",
        ];
        proposes_all(propose, text, expected);
    }
}
