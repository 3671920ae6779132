//! Expressions for one that says little.

use std::collections::HashSet;
use std::ops::Range;

use syn::Expr;

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};

/// Swaps an expression for `()`, for `0` or `""` where it may be a number or a text, and for the stand-in
/// of any type; the default of a type also for `false` and `None`.
pub(crate) const PASS: Pass = Pass {
    name: "replace-exprs",
    about: "swap expressions for (), 0, \"\" or something of any type",
    tier: Tier::Fine,
    effect: Effect::Any,
    before: "fn f() { g(h(1), 2) }",
    after: "fn f() { g((), 2) }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let called = called(tree);
    let else_ifs = else_ifs(tree);
    let mut reductions = Vec::new();
    for expr in tree.exprs() {
        let range = tree.range(expr);
        if else_ifs.contains(&range) {
            continue;
        }
        let length = range.len();
        let is_value = is_value(expr) && !called.contains(&range);
        let stand_ins = [
            ("()", true),
            ("0", is_value || is_numeric(expr)),
            ("\"\"", is_value),
            ("false", is_default(expr)),
            ("None", is_default(expr)),
            (tree.stand_in.expr(), true),
        ];
        for (text, _) in stand_ins.iter().filter(|(text, fits)| *fits && text.len() < length) {
            reductions.push(Reduction::replace(range.clone(), *text));
        }
    }
    reductions
}

/// The conditions behind `else`, where nothing else but a block can stand.
pub(super) fn else_ifs(tree: &Tree<'_>) -> HashSet<Range<usize>> {
    let chains = tree.exprs().filter_map(|expr| match expr {
        Expr::If(first) => first.else_branch.as_ref().map(|(_, otherwise)| tree.range(otherwise)),
        _ => None,
    });
    chains.collect()
}

/// The functions of calls: no constant can be called.
fn called(tree: &Tree<'_>) -> HashSet<Range<usize>> {
    tree.exprs()
        .filter_map(|expr| match expr {
            Expr::Call(call) => Some(tree.range(&call.func)),
            _ => None,
        })
        .collect()
}

/// Whether an expression is the default value of a type.
fn is_default(expr: &Expr) -> bool {
    let Expr::Call(call) = expr else { return false };
    let Expr::Path(called) = &*call.func else { return false };
    let name = called.path.segments.last();
    call.args.is_empty() && name.is_some_and(|name| name.ident == "default")
}

/// Whether an expression may be of any type.
fn is_value(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Call(_)
            | Expr::Field(_)
            | Expr::Index(_)
            | Expr::Macro(_)
            | Expr::Match(_)
            | Expr::MethodCall(_)
            | Expr::Path(_)
            | Expr::Try(_)
    )
}

fn is_numeric(expr: &Expr) -> bool {
    match expr {
        Expr::Binary(_) | Expr::Cast(_) | Expr::Unary(_) | Expr::Block(_) => true,
        Expr::Lit(expr) => matches!(expr.lit, syn::Lit::Int(_) | syn::Lit::Float(_)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::proposes;

    #[test]
    fn the_default_of_a_type_is_written_out() {
        let before = "fn f() { if a { Default::default() } else { b } }";
        for value in ["false", "None", "0"] {
            let after = format!("fn f() {{ if a {{ {value} }} else {{ b }} }}");
            proposes(propose, before, &after);
        }
    }
}
