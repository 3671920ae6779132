//! Arms of `match`.

use syn::{Arm, Expr, ExprLit, ExprMatch, Lit, Pat};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::patchwork::Patchwork;
use crate::rust::{Reduction, Tree};

/// Removes an arm; of two arms of which one does nothing makes an `if let`, of two that only tell whether something matches a
/// `matches!`, and of neighbours that do the same one arm.
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
    let choices = tree.exprs().flat_map(|expr| match expr {
        Expr::Match(choice) => {
            let mut ways = joined(tree, choice);
            ways.extend(as_if_let(tree, choice));
            ways.extend(as_matches(tree, choice));
            ways
        }
        _ => Vec::new(),
    });
    removed.chain(choices).collect()
}

/// `matches!(x, A)` for `match x { A => true, _ => false }`, `!matches!(x, A)` for the contrary.
fn as_matches(tree: &Tree<'_>, choice: &ExprMatch) -> Option<Reduction> {
    let [first, second] = &choice.arms[..] else { return None };
    let (one, other) = (truth(&first.body)?, truth(&second.body)?);
    if one == other || !matches!(second.pat, Pat::Wild(_)) {
        return None;
    }
    let mut text = Patchwork::of(tree.text);
    text.push(if one { "matches!(" } else { "!matches!(" });
    text.copy(tree.range(&choice.expr));
    text.push(", ");
    text.copy(tree.range(&first.pat));
    text.push(")");
    Some(text.instead_of(tree.range(choice), Reduction::default()))
}

fn truth(expr: &Expr) -> Option<bool> {
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Bool(truth), .. }) => Some(truth.value),
        _ => None,
    }
}

/// `A | B => a()` for each `A => a(), B => a()`.
fn joined(tree: &Tree<'_>, choice: &ExprMatch) -> Vec<Reduction> {
    let text_of = |expr: &Expr| &tree.text[tree.range(expr)];
    let pairs = choice.arms.iter().zip(choice.arms.iter().skip(1));
    let is_plain = |arm: &Arm| !matches!(arm.pat, Pat::Guard(_));
    let alike = pairs.filter(|(one, other)| {
        is_plain(one) && is_plain(other) && text_of(&one.body) == text_of(&other.body)
    });
    alike
        .map(|(one, other)| {
            let (pattern, next) = (tree.range(&one.pat), tree.range(&other.pat));
            Reduction::replace(pattern.end..next.start, " | ")
        })
        .collect()
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

    #[test]
    fn two_arms_that_only_tell_whether_something_matches_are_a_question() {
        for (before, after) in [
            ("match x { A(_) if b => true, _ => false }", "matches!(x, A(_) if b)"),
            ("match x { A | B => false, _ => true }", "!matches!(x, A | B)"),
        ] {
            proposes(propose, &format!("fn f() {{ {before} }}"), &format!("fn f() {{ {after} }}"));
        }
        let others = results(propose, "fn f() { match x { A => true, B => false } }");
        assert!(!others.iter().any(|result| result.contains("matches")), "{others:?}");
    }

    #[test]
    fn neighbours_that_do_the_same_are_one_arm() {
        proposes(
            propose,
            "fn f() { match x { A => a(), B(_) => a(), C if c => a() } }",
            "fn f() { match x { A | B(_) => a(), C if c => a() } }",
        );
    }
}
