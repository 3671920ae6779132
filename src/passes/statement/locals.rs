//! `let` statements.

use std::collections::BTreeSet;
use std::ops::Range;

use syn::{Expr, Local, Pat};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::bindings::{Assignment, Let};
use crate::rust::{Reduction, Tree};
use crate::source::variable;

/// Swaps a `let` for the expression that it binds, removes its type, its value or its `else`, puts the
/// value of a variable in the place of its first use, or a literal in that of each, and removes a variable with what
/// is assigned to it.
pub(crate) const PASS: Pass = Pass {
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
    for local in tree.locals() {
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
    for block in tree.blocks() {
        for Let { local, variables } in tree.lets(block) {
            if let ([(name, scope)], true) = (&variables[..], variable(&local.pat).is_some()) {
                reductions.extend(inline(tree, local, name, scope));
                reductions.extend(with_assignments(tree, local, name, scope));
            }
        }
    }
    reductions
}

/// The value in the place of the first use; where there are more, they may be those of another variable of
/// the name. A literal in the place of all.
fn inline(tree: &Tree<'_>, local: &Local, name: &str, scope: &Range<usize>) -> Vec<Reduction> {
    let Some(value) = local.init.as_ref().map(|init| &*init.expr) else { return Vec::new() };
    let uses: Vec<Range<usize>> = tree.uses(name, scope).collect();
    let most = if matches!(value, Expr::Lit(_)) { uses.len() } else { 1 };
    let counts: BTreeSet<usize> =
        [1, most].into_iter().filter(|count| *count <= uses.len()).collect();
    let replaced = |count: usize| {
        let uses = uses[..count].iter().cloned();
        let removed = Reduction::remove(tree.range(local));
        uses.fold(removed, |reduction, usage| tree.replace_expr(reduction, usage, value))
    };
    counts.into_iter().map(replaced).collect()
}

/// Removes the variable with the statements that assign to it, or with all but what they assign.
fn with_assignments(
    tree: &Tree<'_>,
    local: &Local,
    name: &str,
    scope: &Range<usize>,
) -> Vec<Reduction> {
    let removed = Reduction::remove(tree.range(local));
    let parts: [fn(&Assignment) -> Range<usize>; 2] =
        [|it| it.whole.clone(), |it| it.whole.start..it.value.start];
    let with = |part: &fn(&Assignment) -> Range<usize>| {
        let assignments = tree.assignments(name, scope);
        assignments.map(part).fold(removed.clone(), Reduction::and_remove)
    };
    let is_assigned = |reduction: &Reduction| reduction.changes.len() > 1;
    parts.iter().map(with).filter(is_assigned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::{lines, proposes};

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
        proposes(propose, "fn f(a: u8) { let a = a + 1; h(a) }", "fn f(a: u8) { h(a + 1) }");
    }

    #[test]
    fn a_literal_stands_in_the_place_of_all_uses() {
        proposes(
            propose,
            "fn f() { let a = true; g(a, S { a }); let a = h(a); i(a) }",
            "fn f() { g(true, S { a: true }); let a = h(true); i(a) }",
        );
    }

    #[test]
    fn a_name_that_is_bound_again_means_the_other_variable() {
        let text = "fn f() { let a = g(); let a = a + 1; a = 2; h(a) }";
        proposes(propose, text, "fn f() { let a = g() + 1; a = 2; h(a) }");
        proposes(propose, text, "fn f() { let a = g(); h(a) }");
        let of_first = "fn f() { let a = a + 1; h(a) }".to_owned();
        assert!(!lines(propose, text).contains(&of_first));
    }
}
