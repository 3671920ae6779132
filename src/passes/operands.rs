//! Expressions for a part of them.

use std::ops::Range;

use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Expr, Macro, Member, Stmt, Token};

use super::{Effect, Pass, Reduction, Tier, Tree, walk};

/// Swaps an expression for one of the expressions it is made of, or one of those that these are made of:
/// an operand, an argument, a receiver, an element, what is referred to, cast, returned, unwrapped by `?`,
/// or given to a macro. A statement is swapped for what a closure in it does, too.
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
        for part in parts(expr) {
            reductions.push(Reduction::keep(whole.clone(), tree.range(part)));
            let inner = parts(part).into_iter().map(|inner| tree.range(inner));
            reductions.extend(inner.map(|inner| Reduction::keep(whole.clone(), inner)));
        }
    }
    for expr in walk::exprs(tree) {
        let value = rewrapped(expr).or_else(|| field_of_literal(expr));
        let value = value.map(|value| tree.range(value));
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
        let inside: Vec<Range<usize>> = match statement {
            Stmt::Macro(call) if call.semi_token.is_none() => arguments(tree, &call.mac),
            Stmt::Expr(Expr::Macro(call), None) => arguments(tree, &call.mac),
            Stmt::Expr(expr, None) => { parts(expr).into_iter() }
                .map(|part| tree.range(part))
                .collect(),
            _ => continue,
        };
        let whole = tree.range(statement);
        for part in inside {
            let end = whole.end..whole.end;
            reductions.push(Reduction::keep(whole.clone(), part).and_replace(end, ";"));
        }
    }
    for statement in walk::statements(tree) {
        let whole = tree.range(statement);
        for done in done_by_closures(statement) {
            let end = whole.end..whole.end;
            let all = Reduction::keep(whole.clone(), tree.range(done));
            reductions.push(all.and_replace(end, ";"));
            reductions
                .extend(before_value(tree, done).map(|done| Reduction::keep(whole.clone(), done)));
        }
    }
    reductions
}

/// The statements before the value of a block.
fn before_value(tree: &Tree<'_>, block: &Expr) -> Option<Range<usize>> {
    let Expr::Block(block) = block else {
        return None;
    };
    match block.block.stmts.as_slice() {
        [first, .., Stmt::Expr(value, None)] => {
            Some(tree.range(first).start..tree.range(value).start)
        }
        _ => None,
    }
}

/// What closures in an expression that is a statement do, but for those in blocks.
fn done_by_closures(statement: &Stmt) -> Vec<&Expr> {
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

/// `a` of `Ok(a?)`, which is the same.
fn rewrapped(expr: &Expr) -> Option<&Expr> {
    let Expr::Call(call) = expr else { return None };
    match call.args.first() {
        Some(Expr::Try(inner)) if call.args.len() == 1 => Some(&inner.expr),
        _ => None,
    }
}

/// `b` of `S { a: b }.a`, of `S(b).0` and of `(b,).0`, which is the same.
fn field_of_literal(expr: &Expr) -> Option<&Expr> {
    let Expr::Field(access) = expr else {
        return None;
    };
    let place = match &access.member {
        Member::Named(_) => None,
        Member::Unnamed(index) => usize::try_from(index.index).ok(),
    };
    match &*access.base {
        Expr::Struct(literal) => { literal.fields.iter() }
            .find(|field| field.member == access.member)
            .map(|field| &field.expr),
        Expr::Call(call) => call.args.get(place?),
        Expr::Tuple(tuple) => tuple.elems.get(place?),
        _ => None,
    }
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
            ("fn f() { vec![a, b] }", "fn f() { b }"),
            ("fn f() { a(&b.c(|| { d() })); }", "fn f() { { d() }; }"),
            ("fn f() { a(b(|| { c(); d() })); }", "fn f() { c();  }"),
        ] {
            assert!(
                results(before).contains(&after.to_owned()),
                "{before}: {:?}",
                results(before)
            );
        }
    }
}
