//! `let` statements.

use std::ops::Range;

use syn::{BinOp, Block, Expr, Ident, Local, Pat, Stmt};

use super::{Effect, Pass, Reduction, Tier, Tree, walk};

/// Swaps a `let` for the expression that it binds, removes its type, its value or its `else`, puts the
/// value of a variable in the place of its first use, and removes a variable with what is assigned to it.
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
        for local in block.stmts.iter().filter_map(named) {
            reductions.extend(inline(tree, block, local));
            reductions.extend(with_assignments(tree, block, local));
        }
    }
    reductions
}

/// A `let` of a single variable, and the variable.
fn named(statement: &Stmt) -> Option<(&Local, &Ident)> {
    let Stmt::Local(local) = statement else {
        return None;
    };
    let pattern = match &local.pat {
        Pat::Type(typed) => &*typed.pat,
        pattern => pattern,
    };
    match pattern {
        Pat::Ident(name) => Some((local, &name.ident)),
        _ => None,
    }
}

/// The value in the place of the first use. Where there are more, they may be those of another variable of
/// the name.
fn inline(tree: &Tree<'_>, block: &Block, (local, name): (&Local, &Ident)) -> Option<Reduction> {
    let value = &local.init.as_ref()?.expr;
    let end = tree.range(local).end;
    let mentions = walk::mentions(tree, block, name);
    let usage = mentions.iter().find(|mention| mention.start >= end)?;
    let brackets = match **value {
        Expr::Binary(_) | Expr::Cast(_) | Expr::Closure(_) | Expr::Range(_) | Expr::Unary(_) => {
            ("(", ")")
        }
        _ => ("", ""),
    };
    let removed = Reduction::remove(tree.range(local));
    let before = walk::field_label(tree, usage, name) + brackets.0;
    let around = (before.as_str(), brackets.1);
    Some(removed.and_copy(usage.clone(), tree.text, tree.range(value), around))
}

/// Removes the variable with the statements that assign to it, or with all but what they assign.
fn with_assignments(
    tree: &Tree<'_>,
    block: &Block,
    (local, name): (&Local, &Ident),
) -> Vec<Reduction> {
    let scope = tree.range(local).end..tree.range(block).end;
    let assignments: Vec<(Range<usize>, Range<usize>)> = { walk::statements(tree).into_iter() }
        .filter_map(|statement| {
            let whole = tree.range(statement);
            let value = assigned(statement, name).filter(|_| scope.contains(&whole.start))?;
            Some((whole, tree.range(value)))
        })
        .collect();
    if assignments.is_empty() {
        return Vec::new();
    }
    let removed = Reduction::remove(tree.range(local));
    let without = { assignments.iter() }.fold(removed.clone(), |reduction, (whole, _)| {
        reduction.and_remove(whole.clone())
    });
    let with_values = { assignments.iter() }.fold(removed, |reduction, (whole, value)| {
        reduction.and_remove(whole.start..value.start)
    });
    vec![without, with_values]
}

/// What a statement assigns to a variable, also by `+=` and the like.
fn assigned<'t>(statement: &'t Stmt, name: &Ident) -> Option<&'t Expr> {
    let (left, right) = match statement {
        Stmt::Expr(Expr::Assign(assign), _) => (&assign.left, &assign.right),
        Stmt::Expr(Expr::Binary(binary), _) if is_assignment(binary.op) => {
            (&binary.left, &binary.right)
        }
        _ => return None,
    };
    let is_variable = matches!(&**left, Expr::Path(path) if path.path.is_ident(name));
    is_variable.then_some(right)
}

fn is_assignment(operator: BinOp) -> bool {
    use BinOp::{
        AddAssign, BitAndAssign, BitOrAssign, BitXorAssign, DivAssign, MulAssign, RemAssign,
        ShlAssign, ShrAssign, SubAssign,
    };
    matches!(
        operator,
        AddAssign(_)
            | BitAndAssign(_)
            | BitOrAssign(_)
            | BitXorAssign(_)
            | DivAssign(_)
            | MulAssign(_)
            | RemAssign(_)
            | ShlAssign(_)
            | ShrAssign(_)
            | SubAssign(_)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::proposes;

    #[test]
    fn a_variable_goes_with_what_is_assigned_to_it() {
        let text = "fn f() { let mut a; loop { a = g(); h(); a += i(); } }";
        proposes(propose, text, "fn f() { loop { h(); } }");
        proposes(propose, text, "fn f() { loop { g(); h(); i(); } }");
    }

    #[test]
    fn a_value_stands_in_the_place_of_the_first_use() {
        proposes(
            propose,
            "fn f() { let a = g(); match a { Some(a) => h(a) } }",
            "fn f() { match g() { Some(a) => h(a) } }",
        );
        proposes(
            propose,
            "fn f(a: u8) { let a = a + 1; h(a) }",
            "fn f(a: u8) { h((a + 1)) }",
        );
    }
}
