//! Expressions for a part of them.

use std::ops::Range;

use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Expr, Macro, Stmt, Token};

use super::{Effect, Pass, Reduction, Tier, Tree, walk};

/// Swaps an expression for one of the expressions it is made of: an operand, an argument, a receiver,
/// an element, what is referred to, cast, returned, unwrapped by `?`, or given to a macro.
pub(super) const PASS: Pass = Pass {
    name: "operands",
    about: "swap expressions for one of their operands or arguments",
    tier: Tier::Fine,
    effect: Effect::Any,
    before: "fn f() { g(a + b, &c) }",
    after: "fn f() { g(a, &c) }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    for expr in walk::exprs(tree) {
        let whole = tree.range(expr);
        for part in parts(tree, expr) {
            reductions.push(Reduction::keep(whole.clone(), part));
        }
    }
    for expr in walk::exprs(tree) {
        let value = rewrapped(expr).map(|value| tree.range(value));
        reductions.extend(value.map(|value| Reduction::keep(tree.range(expr), value)));
    }
    for call in walk::macros(tree) {
        let whole = tree.range(call);
        for argument in arguments(tree, call) {
            reductions.push(Reduction::keep(whole.clone(), argument));
        }
    }
    for statement in walk::statements(tree) {
        // As the value of a block a part seldom has the right type, as a statement it need not.
        let Stmt::Expr(expr, None) = statement else {
            continue;
        };
        let whole = tree.range(expr);
        for part in parts(tree, expr) {
            let end = whole.end..whole.end;
            reductions.push(Reduction::keep(whole.clone(), part).and_replace(end, ";"));
        }
    }
    reductions
}

/// `a` of `Ok(a?)`, which is the same.
fn rewrapped(expr: &Expr) -> Option<&Expr> {
    let Expr::Call(call) = expr else { return None };
    match call.args.first() {
        Some(Expr::Try(inner)) if call.args.len() == 1 => Some(&inner.expr),
        _ => None,
    }
}

/// The expressions directly inside `expr`, those in the blocks of it left out.
fn parts(tree: &Tree<'_>, expr: &Expr) -> Vec<Range<usize>> {
    struct Parts<'p, 't>(&'p Tree<'t>, Vec<Range<usize>>);
    impl<'ast> Visit<'ast> for Parts<'_, '_> {
        fn visit_expr(&mut self, node: &'ast Expr) {
            self.1.push(self.0.range(node));
        }

        fn visit_block(&mut self, _: &'ast syn::Block) {}

        fn visit_type(&mut self, _: &'ast syn::Type) {}

        fn visit_pat(&mut self, _: &'ast syn::Pat) {}

        fn visit_arm(&mut self, _: &'ast syn::Arm) {}
    }
    let mut parts = Parts(tree, Vec::new());
    visit::visit_expr(&mut parts, expr);
    parts.1
}

fn arguments(tree: &Tree<'_>, call: &Macro) -> Vec<Range<usize>> {
    let parse = Punctuated::<Expr, Token![,]>::parse_terminated;
    let Ok(arguments) = parse.parse2(call.tokens.clone()) else {
        return Vec::new();
    };
    arguments
        .iter()
        .map(|argument| tree.range(argument))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing;

    fn results(text: &str) -> Vec<String> {
        testing::results(propose, text)
    }

    #[test]
    fn parts_of_all_kinds_are_lifted() {
        for (before, after) in [
            ("fn f() { !a }", "fn f() { a }"),
            ("fn f() { a as u8 }", "fn f() { a }"),
            ("fn f() { a? }", "fn f() { a }"),
            ("fn f() { Ok(a?) }", "fn f() { a }"),
            ("fn f() { a.await }", "fn f() { a }"),
            ("fn f() { (a) }", "fn f() { a }"),
            ("fn f() { a.b(c) }", "fn f() { c }"),
            ("fn f() { a[b] }", "fn f() { a }"),
            ("fn f() { S { a: b } }", "fn f() { b }"),
            ("fn f() { |a| b }", "fn f() { b }"),
            ("fn f() { return a }", "fn f() { a }"),
            ("fn f() { a.b() }", "fn f() { a; }"),
            ("fn f() { vec![a, b] }", "fn f() { b }"),
        ] {
            assert!(
                results(before).contains(&after.to_owned()),
                "{before}: {:?}",
                results(before)
            );
        }
    }
}
