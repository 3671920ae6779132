//! Expressions for a part of them.

use std::collections::HashSet;
use std::ops::Range;

use syn::visit::{self, Visit};
use syn::{Expr, ImplItem, Item, Macro, Stmt};

use super::replace_exprs::else_ifs;
use crate::passes::{Effect, Pass, Tier};
use crate::rust::patchwork::Patchwork;
use crate::rust::{Reduction, Tree};
use crate::source;

/// So many calls of a longer chain of them are taken at once.
const LONGEST_CHAIN: usize = 6;

/// Swaps an expression for one of the expressions it is made of, or one of those that these are made of:
/// an operand, an argument, a receiver, an element, what is referred to, cast, returned, unwrapped by `?`,
/// or given to a macro. Of chains of methods several go at once. A statement is swapped for what a closure in it does, too.
pub(crate) const PASS: Pass = Pass {
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
    let else_ifs = else_ifs(tree);
    for expr in tree.exprs() {
        let whole = tree.range(expr);
        if else_ifs.contains(&whole) {
            let in_block = |part| {
                let mut block = Patchwork::of(tree.text);
                block.push("{ ");
                block.copy(tree.range(part));
                block.push(" }");
                block.instead_of(whole.clone(), Reduction::default())
            };
            reductions.extend(parts(expr).into_iter().map(in_block));
            continue;
        }
        let lifted = two_levels(expr);
        reductions.extend(lifted.map(|part| Reduction::keep(whole.clone(), tree.range(part))));
        let deeper = receivers(expr).skip(2).take(LONGEST_CHAIN);
        reductions.extend(deeper.map(|part| Reduction::keep(whole.clone(), tree.range(part))));
    }
    // An argument is no item.
    let items = tree.items().filter_map(|item| match item {
        Item::Macro(call) => Some(tree.range(&call.mac)),
        _ => None,
    });
    let members = tree.impl_items().filter_map(|item| match item {
        ImplItem::Macro(call) => Some(tree.range(&call.mac)),
        _ => None,
    });
    let items: HashSet<Range<usize>> = items.chain(members).collect();
    for call in tree.macros() {
        let whole = tree.range(call);
        if items.contains(&whole) {
            continue;
        }
        let lifted = arguments(tree, call).into_iter();
        reductions.extend(lifted.map(|argument| Reduction::keep(whole.clone(), argument)));
    }
    for statement in tree.statements() {
        let whole = tree.range(statement);
        let alone =
            |part| Reduction::keep(whole.clone(), part).and_replace(whole.end..whole.end, ";");
        reductions.extend(inside(tree, statement).into_iter().map(alone));
        for body in bodies_of_closures(statement) {
            reductions.push(alone(tree.range(body)));
            let acts = before_value(tree, body);
            reductions.extend(acts.map(|acts| Reduction::keep(whole.clone(), acts)));
        }
    }
    reductions
}

/// What the methods, fields and `?` of an expression are applied to, the outermost first.
fn receivers(expr: &Expr) -> impl Iterator<Item = &Expr> {
    std::iter::successors(receiver(expr), |expr| receiver(expr))
}

fn receiver(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::MethodCall(call) => Some(&call.receiver),
        Expr::Field(field) => Some(&field.base),
        Expr::Try(tried) => Some(&tried.expr),
        Expr::Await(awaited) => Some(&awaited.base),
        _ => None,
    }
}

/// What a statement that is the value of a block is made of: as the value a part seldom has the right type, as a
/// statement it need not.
fn inside(tree: &Tree<'_>, statement: &Stmt) -> Vec<Range<usize>> {
    match statement {
        Stmt::Macro(call) if call.semi_token.is_none() => arguments(tree, &call.mac),
        Stmt::Expr(Expr::Macro(call), None) => arguments(tree, &call.mac),
        Stmt::Expr(expr, None) => two_levels(expr).map(|part| tree.range(part)).collect(),
        _ => Vec::new(),
    }
}

/// The statements before the value of a block.
fn before_value(tree: &Tree<'_>, block: &Expr) -> Option<Range<usize>> {
    let Expr::Block(block) = block else { return None };
    match block.block.stmts.as_slice() {
        [first, .., Stmt::Expr(value, None)] => {
            Some(tree.range(first).start..tree.range(value).start)
        }
        _ => None,
    }
}

/// The bodies of closures in an expression that is a statement, but for those in blocks.
fn bodies_of_closures(statement: &Stmt) -> Vec<&Expr> {
    struct Bodies<'ast>(Vec<&'ast Expr>);
    impl<'ast> Visit<'ast> for Bodies<'ast> {
        fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
            self.0.push(&closure.body);
            visit::visit_expr_closure(self, closure);
        }

        fn visit_block(&mut self, _: &'ast syn::Block) {}
    }
    let mut bodies = Bodies(Vec::new());
    if let Stmt::Expr(expr, _) = statement {
        bodies.visit_expr(expr);
    }
    bodies.0
}

/// The expressions directly inside `expr`, and those directly inside of these.
fn two_levels(expr: &Expr) -> impl Iterator<Item = &Expr> {
    parts(expr).into_iter().flat_map(|part| std::iter::once(part).chain(parts(part)))
}

/// The expressions directly inside `expr`, those in the blocks of it left out.
fn parts(expr: &Expr) -> Vec<&Expr> {
    struct Parts<'ast>(Vec<&'ast Expr>);
    impl<'ast> Visit<'ast> for Parts<'ast> {
        fn visit_expr(&mut self, node: &'ast Expr) {
            self.0.push(node);
        }

        fn visit_block(&mut self, _: &'ast syn::Block) {}

        fn visit_type(&mut self, _: &'ast syn::Type) {}

        fn visit_pat(&mut self, _: &'ast syn::Pat) {}

        fn visit_arm(&mut self, _: &'ast syn::Arm) {}
    }
    let mut parts = Parts(Vec::new());
    visit::visit_expr(&mut parts, expr);
    parts.0
}

fn arguments(tree: &Tree<'_>, call: &Macro) -> Vec<Range<usize>> {
    let arguments = source::arguments(&call.tokens);
    let arguments = arguments.iter().flatten();
    arguments.map(|argument| tree.range(argument)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::proposes;

    #[test]
    fn parts_of_all_kinds_are_lifted() {
        for (before, after) in [
            ("fn f() { !a }", "fn f() { a }"),
            ("fn f() { m!(a, 0) }", "fn f() { a; }"),
            ("fn f() { a as u8 }", "fn f() { a }"),
            ("fn f() { a? }", "fn f() { a }"),
            ("fn f() { Ok(a?) }", "fn f() { a }"),
            ("fn f() { a.await }", "fn f() { a }"),
            ("fn f() { (a) }", "fn f() { a }"),
            ("fn f() { a.b(c) }", "fn f() { c }"),
            ("fn f() { a[b] }", "fn f() { a }"),
            ("fn f() { S { a: b } }", "fn f() { b }"),
            ("fn f() { S { a: b, c: d }.c }", "fn f() { d }"),
            ("fn f() { S(a, b).1 }", "fn f() { b }"),
            ("fn f() { a((b, c))(d) }", "fn f() { (b, c) }"),
            ("fn f() { a((b, c)) }", "fn f() { c }"),
            ("fn f() { a.b(|| c) }", "fn f() { c }"),
            ("fn f() { |a| b }", "fn f() { b }"),
            ("fn f() { return a }", "fn f() { a }"),
            ("fn f() { a.b() }", "fn f() { a; }"),
            ("fn f() { a.b().c(1).d?.e() }", "fn f() { a.e() }"),
            ("fn f() { a.b().c(1).d?.e() }", "fn f() { a }"),
            ("fn f() { while let Some(a) = b() { c(a) } d() }", "fn f() { b(); d() }"),
            (
                "fn f() { if a { b } else if c { d } else { e } }",
                "fn f() { if a { b } else { c } }",
            ),
            ("fn f() { vec![a, b] }", "fn f() { b }"),
            ("fn f() { a(&b.c(|| { d() })); }", "fn f() { { d() }; }"),
            ("fn f() { a(b(|| { c(); d() })); }", "fn f() { c(); }"),
        ] {
            proposes(propose, before, after);
        }
    }
}
