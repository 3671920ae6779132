//! Arms of `match`.

use syn::{Arm, Expr, ExprMatch};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::patchwork::Patchwork;
use crate::rust::{Reduction, Tree};

/// Removes an arm; of two arms of which one does nothing makes an `if let`.
pub(crate) const PASS: Pass = Pass {
    name: "arms",
    about: "remove arms of match",
    tier: Tier::Medium,
    effect: Effect::Quiet,
    before: "fn f() { match x { 1 => a(), _ => b() } }",
    after: "fn f() { match x { _ => b() } }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let removed = tree.arms().map(|arm| Reduction::remove(tree.range(arm)));
    let choices = tree.exprs().filter_map(|expr| match expr {
        Expr::Match(choice) => as_if_let(tree, choice),
        _ => None,
    });
    removed.chain(choices).collect()
}

/// `if let A = x { a() }` for `match x { A => a(), _ => {} }`.
fn as_if_let(tree: &Tree<'_>, choice: &ExprMatch) -> Option<Reduction> {
    let [first, second] = &choice.arms[..] else { return None };
    let arm = match (does_nothing(first), does_nothing(second)) {
        (true, false) => second,
        (false, true) => first,
        _ => return None,
    };
    let mut text = Patchwork::of(tree.text);
    text.push("if let ");
    text.copy(tree.range(&arm.pat));
    text.push(" = ");
    text.copy(tree.range(&choice.expr));
    let is_block = matches!(*arm.body, Expr::Block(_));
    text.push(if is_block { " " } else { " { " });
    text.copy(tree.range(&arm.body));
    text.push(if is_block { "" } else { " }" });
    Some(text.instead_of(tree.range(choice), Reduction::default()))
}

fn does_nothing(arm: &Arm) -> bool {
    match &*arm.body {
        Expr::Block(body) => body.block.stmts.is_empty(),
        Expr::Tuple(body) => body.elems.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::{proposes, results};

    #[test]
    fn two_arms_one_of_which_does_nothing_are_a_condition() {
        proposes(
            propose,
            "fn f() { match x { A(_) => {} B(b) => c(b), } }",
            "fn f() { if let B(b) = x { c(b) } }",
        );
        proposes(
            propose,
            "fn f() { match x { B(b) => { c(b); } _ => (), } }",
            "fn f() { if let B(b) = x { c(b); } }",
        );
        let both = results(propose, "fn f() { match x { A => a(), B => b() } }");
        assert!(!both.iter().any(|result| result.contains("if let")), "{both:?}");
    }
}
