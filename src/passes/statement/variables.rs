//! Variables for constants.

use std::ops::Range;

use syn::{Expr, Pat};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::bindings::Let;
use crate::rust::{Reduction, Tree};

/// Removes a `let`, or the pattern of an arm along with its `match`, and lets a constant stand for the
/// variables that it binds.
pub(crate) const PASS: Pass = Pass {
    name: "variables",
    about: "swap variables for constants, and remove what binds them",
    tier: Tier::Medium,
    effect: Effect::Any,
    before: "fn f() { match g() { A(at) => h(B { at, by: at + 1 }) } }",
    after: "fn f() { h(B { at: 0, by: 0 + 1 }) }",
    propose,
};

/// What may stand for a variable.
const CONSTANTS: [&str; 5] = ["0", "\"\"", "false", "()", "Default::default()"];

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    for expr in tree.exprs() {
        for (pattern, body) in bodies(tree, expr) {
            let kept = Reduction::keep(tree.range(expr), body.clone());
            let variables = tree.bound_by(pattern).into_iter().map(|name| (name, body.clone()));
            reductions.extend(with_constants(tree, &kept, variables));
        }
    }
    for block in tree.blocks() {
        for Let { local, variables } in tree.lets(block) {
            let removed = Reduction::remove(tree.range(local));
            reductions.extend(with_constants(tree, &removed, variables));
        }
    }
    reductions
}

/// The patterns that bind variables for one of the bodies of an expression, with that body.
fn bodies<'t>(tree: &Tree<'_>, expr: &'t Expr) -> Vec<(&'t Pat, Range<usize>)> {
    match expr {
        Expr::Match(expr) => {
            expr.arms.iter().map(|arm| (&arm.pat, tree.range(&arm.body))).collect()
        }
        Expr::If(expr) => match &*expr.cond {
            Expr::Let(condition) => vec![(&*condition.pat, tree.range(&expr.then_branch))],
            _ => Vec::new(),
        },
        Expr::ForLoop(expr) => vec![(&*expr.pat, tree.range(&expr.body))],
        _ => Vec::new(),
    }
}

/// `base` with each of the constants in the place of variables, each in its scope; nothing if there are none.
fn with_constants<'t>(
    tree: &Tree<'t>,
    base: &Reduction,
    variables: impl IntoIterator<Item = (&'t str, Range<usize>)>,
) -> Vec<Reduction> {
    let uses: Vec<Range<usize>> =
        variables.into_iter().flat_map(|(name, scope)| tree.uses(name, &scope)).collect();
    if uses.is_empty() {
        return Vec::new();
    }
    let with = |constant: &&str| {
        uses.iter().fold(base.clone(), |reduction, place| {
            let label = tree.label_before_value(place);
            reduction.and_replace(place.clone(), format!("{label}{constant}"))
        })
    };
    CONSTANTS.iter().map(with).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::{proposes, results};

    #[test]
    fn a_let_goes_with_its_variables() {
        let text = "fn f() { let (a, b) = g(); S { a, b: c.b + b } }";
        assert_eq!(results(propose, text).len(), CONSTANTS.len());
        proposes(propose, text, "fn f() { S { a: 0, b: c.b + 0 } }");
    }

    #[test]
    fn patterns_go_with_what_they_take_apart() {
        let texts = results(propose, "fn f() { if let A(a) = b { g(a) } for i in c { g(i) } }");
        for expected in [
            "fn f() { { g(\"\") } for i in c { g(i) } }",
            "fn f() { if let A(a) = b { g(a) } { g(0) } }",
        ] {
            assert!(texts.contains(&expected.to_owned()), "{expected} in {texts:?}");
        }
    }

    #[test]
    fn what_binds_nothing_that_is_used_is_left_to_others() {
        assert!(results(propose, "fn f() { let a = g(); match b { C => d } }").is_empty());
    }
}
