//! `let` statements.

use syn::{Expr, Pat, Stmt};

use super::{Effect, Pass, Reduction, Tier, Tree, walk};

/// Swaps a `let` for the expression that it binds, removes its type, its value or its `else`, and puts
/// the value of a variable that is used once in the place of its use.
pub(super) const PASS: Pass = Pass {
    name: "locals",
    about: "simplify let statements and inline variables",
    tier: Tier::Fine,
    effect: Effect::Any,
    before: "fn f() { let x: u8 = g(); h(x); }",
    after: "fn f() { h(g()); }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    for local in walk::locals(tree) {
        let whole = tree.range(local);
        let pattern = tree.range(&local.pat);
        if let Pat::Type(typed) = &local.pat {
            reductions.push(Reduction::keep(pattern.clone(), tree.range(&typed.pat)));
        }
        let Some(init) = &local.init else { continue };
        let value = tree.range(&init.expr);
        let end = tree.range(&local.semi_token).start;
        reductions.push(Reduction::remove(whole.start..value.start).and_remove(value.end..end));
        reductions.push(Reduction::remove(pattern.end..end));
        if value.end < end {
            reductions.push(Reduction::remove(value.end..end));
        }
    }
    for block in walk::blocks(tree) {
        reductions.extend(
            block
                .stmts
                .iter()
                .filter_map(|statement| inline(tree, block, statement)),
        );
    }
    reductions
}

fn inline(tree: &Tree<'_>, block: &syn::Block, statement: &Stmt) -> Option<Reduction> {
    let Stmt::Local(local) = statement else {
        return None;
    };
    let pattern = match &local.pat {
        Pat::Type(typed) => &*typed.pat,
        pattern => pattern,
    };
    let Pat::Ident(name) = pattern else {
        return None;
    };
    let value = &local.init.as_ref()?.expr;
    let mentions = walk::mentions(tree, block, &name.ident);
    let [_, usage] = mentions.as_slice() else {
        return None;
    };
    let brackets = match **value {
        Expr::Binary(_) | Expr::Cast(_) | Expr::Closure(_) | Expr::Range(_) | Expr::Unary(_) => {
            ("(", ")")
        }
        _ => ("", ""),
    };
    let removed = Reduction::remove(tree.range(local));
    let label = if walk::is_short_field(tree, usage) {
        format!("{}: ", name.ident)
    } else {
        String::new()
    };
    let before = label + brackets.0;
    let around = (before.as_str(), brackets.1);
    Some(removed.and_copy(usage.clone(), tree.text, tree.range(value), around))
}
