//! Blocks.

use syn::{Block, Expr, Stmt};

use super::{Effect, Pass, Reduction, Tier, Tree, walk};

/// Swaps what controls a block for the block (`if` for its then- or else-body, a loop for its body,
/// `match` for the body of an arm), a block for its only expression, and flattens blocks that are
/// statements; empties blocks.
pub(super) const PASS: Pass = Pass {
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
    for expr in walk::exprs(tree) {
        let whole = tree.range(expr);
        for body in bodies(tree, expr) {
            reductions.push(Reduction::keep(whole.clone(), body));
        }
        if let Expr::If(expr) = expr
            && let Some((otherwise, last)) = &expr.else_branch
        {
            reductions.push(Reduction::remove(
                tree.range(otherwise).start..tree.range(last).end,
            ));
        }
    }
    for block in walk::blocks(tree) {
        let inside = tree.inside(&block.brace_token.span);
        if block.stmts.len() > 1 {
            reductions.push(Reduction::remove(inside));
        }
        reductions.extend(
            block
                .stmts
                .iter()
                .filter_map(|statement| flatten(tree, statement)),
        );
    }
    reductions
}

/// The parts that can stand for the whole expression.
fn bodies(tree: &Tree<'_>, expr: &Expr) -> Vec<std::ops::Range<usize>> {
    match expr {
        Expr::If(expr) => {
            let otherwise = expr
                .else_branch
                .iter()
                .map(|(_, otherwise)| tree.range(otherwise));
            std::iter::once(tree.range(&expr.then_branch))
                .chain(otherwise)
                .collect()
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

fn only_expression(tree: &Tree<'_>, block: &Block) -> Option<std::ops::Range<usize>> {
    match block.stmts.as_slice() {
        [Stmt::Expr(expr, None)] => Some(tree.range(expr)),
        _ => None,
    }
}

fn flatten(tree: &Tree<'_>, statement: &Stmt) -> Option<Reduction> {
    let Stmt::Expr(Expr::Block(expr), _) = statement else {
        return None;
    };
    let inside = tree.inside(&expr.block.brace_token.span);
    Some(Reduction::keep(tree.range(statement), inside))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::{StandIn, apply};

    #[test]
    fn every_way_out_of_control_flow_is_proposed() {
        let text = "fn f() { match x { 1 => a(), _ => loop { b(); } } { c(); } }";
        let results = Tree::with(text, StandIn::Loop, |tree| {
            propose(tree)
                .iter()
                .map(|reduction| apply(text, [reduction]))
                .collect::<Vec<_>>()
        })
        .unwrap();
        for expected in [
            "fn f() { a() { c(); } }",
            "fn f() { loop { b(); } { c(); } }",
            "fn f() { match x { 1 => a(), _ => { b(); } } { c(); } }",
            "fn f() { match x { 1 => a(), _ => loop { b(); } }  c();  }",
            "fn f() {}",
        ] {
            assert!(
                results.contains(&expected.to_owned()),
                "{expected} in {results:#?}"
            );
        }
    }
}
