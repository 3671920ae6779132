//! Functions that begin with a call of another one.

use std::collections::HashSet;
use std::ops::Range;

use syn::{Block, Expr, Ident, ReturnType, Stmt};

use super::functions::{Call, Function, calls, functions, is_plain};
use crate::passes::{Effect, Pass, Tier};
use crate::reduce::RangeExt;
use crate::rust::{Reduction, Tree};

/// A test calls what a function calls before it does anything else, with what that is given, and the function goes. What
/// comes behind that call is not reached where it panics, and nothing that is computed before it is lost.
pub(crate) const PASS: Pass = Pass {
    name: "first-calls",
    about: "call in a test what the called function calls first",
    tier: Tier::Medium,
    effect: Effect::Any,
    before: "fn f(a: u8) { while g(a) { h() } } fn g(a: u8) -> bool { a > 1 } #[test] fn t() { f(2) }",
    after: "fn g(a: u8) -> bool { a > 1 } #[test] fn t() { g(2); }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let functions = functions(tree);
    let calls = calls(tree);
    let names: HashSet<&Ident> =
        functions.iter().map(|function| &function.signature.ident).collect();
    let tests: Vec<(Range<usize>, Option<Range<usize>>)> =
        tree.tests().map(|test| (tree.range(test), value_of(tree, test))).collect();
    let moved = |function: &Function<'_>| {
        let first = first_call(function.block, &names)?;
        let callers = function.callers(tree, &calls, true);
        let [call]: [Call<'_>; 1] = callers.into_iter().next()?.try_into().ok()?;
        let is_around = |test: &Range<usize>| test.covers(&call.whole);
        let (_, value) = tests.iter().find(|(test, _)| is_around(test))?;
        let end = if value.as_ref() == Some(&call.whole) { ";" } else { "" };
        function.done_instead(tree, call, first, end)
    };
    functions.iter().filter_map(moved).collect()
}

/// The last expression of a test that has no value.
fn value_of(tree: &Tree<'_>, test: &syn::ItemFn) -> Option<Range<usize>> {
    match test.block.stmts.last() {
        Some(Stmt::Expr(value, None)) if matches!(test.sig.output, ReturnType::Default) => {
            Some(tree.range(value))
        }
        _ => None,
    }
}

/// The call that a block runs before anything else, if it is one of these functions and nothing is computed for it.
fn first_call<'t>(block: &'t Block, names: &HashSet<&Ident>) -> Option<&'t Expr> {
    let mut next = first_of(block)?;
    loop {
        next = match next {
            Expr::Call(call) => match first_computed(call.args.iter()) {
                Some(argument) => argument,
                None if is_plain(&call.func) => {
                    let Expr::Path(path) = &*call.func else { return None };
                    let name = &path.path.segments.last()?.ident;
                    return names.contains(name).then_some(next);
                }
                None => &call.func,
            },
            Expr::MethodCall(call) if !is_plain(&call.receiver) => &call.receiver,
            Expr::MethodCall(call) => match first_computed(call.args.iter()) {
                Some(argument) => argument,
                None => return names.contains(&call.method).then_some(next),
            },
            Expr::Array(array) => first_computed(array.elems.iter())?,
            Expr::Assign(assign) => &assign.right,
            Expr::Await(_) | Expr::Async(_) | Expr::Closure(_) | Expr::Macro(_) => return None,
            Expr::Binary(binary) if is_plain(&binary.left) => &binary.right,
            Expr::Binary(binary) => &binary.left,
            Expr::Block(block) => first_of(&block.block)?,
            Expr::Cast(cast) => &cast.expr,
            Expr::Field(field) => &field.base,
            Expr::ForLoop(turns) => &turns.expr,
            Expr::If(branch) => &branch.cond,
            Expr::Index(index) if is_plain(&index.expr) => &index.index,
            Expr::Index(index) => &index.expr,
            Expr::Let(binding) => &binding.expr,
            Expr::Loop(turns) => first_of(&turns.body)?,
            Expr::Match(arms) => &arms.expr,
            Expr::Paren(paren) => &paren.expr,
            Expr::Reference(reference) => &reference.expr,
            Expr::Return(returned) => returned.expr.as_deref()?,
            Expr::Break(broken) => broken.expr.as_deref()?,
            Expr::Struct(made) => made.fields.iter().map(|it| &it.expr).find(|it| !is_plain(it))?,
            Expr::Try(tried) => &tried.expr,
            Expr::Tuple(tuple) => first_computed(tuple.elems.iter())?,
            Expr::Unary(unary) => &unary.expr,
            Expr::Unsafe(block) => first_of(&block.block)?,
            Expr::While(turns) => &turns.cond,
            _ => return None,
        };
    }
}

/// The first expression of a block that is more than a plain value.
fn first_of(block: &Block) -> Option<&Expr> {
    let values = block.stmts.iter().filter_map(|statement| match statement {
        Stmt::Local(local) => local.init.as_ref().map(|init| Some(&*init.expr)),
        Stmt::Expr(value, _) => Some(Some(value)),
        Stmt::Item(_) => None,
        // It may do anything.
        Stmt::Macro(_) => Some(None),
    });
    let is_telling = |value: &&Expr| matches!(value, Expr::Macro(_)) || !is_plain(value);
    values.take_while(Option::is_some).flatten().find(is_telling)
}

fn first_computed<'t>(mut values: impl Iterator<Item = &'t Expr>) -> Option<&'t Expr> {
    values.find(|value| !is_plain(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::{proposes, results};

    #[test]
    fn loops_and_methods_of_the_result_are_not_reached() {
        proposes(
            propose,
            "fn f(mut a: &str) { while let Ok(b) = g(a) { a = b } } fn g(a: &str) -> R { h(a).or_else(|_| i(a)) } #[test] fn t() { f(x!()) }",
            "fn g(a: &str) -> R { h(a).or_else(|_| i(a)) } #[test] fn t() { g(x!()); }",
        );
        proposes(
            propose,
            "fn g(a: &str) -> R { h(a).or_else(|_| i(a)) } fn h(a: &str) -> R {} #[test] fn t() { g(x!()).unwrap() }",
            "fn h(a: &str) -> R {} #[test] fn t() { h(x!()).unwrap() }",
        );
    }

    #[test]
    fn a_method_is_called_of_the_same_receiver() {
        proposes(
            propose,
            "impl P { fn all(&mut self) { let mut n = 0; loop { if self.next().is_none() { break } } } \
             fn next(&mut self) -> O {} } #[test] fn t() { P::new(\"a\").all() }",
            "impl P { fn next(&mut self) -> O {} } #[test] fn t() { P::new(\"a\").next(); }",
        );
    }

    #[test]
    fn what_is_computed_before_the_call_or_for_it_keeps_the_function() {
        for text in [
            "fn f(a: u8) { check(a); g(a) } fn g(a: u8) {} #[test] fn t() { f(1) }",
            "fn f(a: u8) { if a > 1 { g(a) } } fn g(a: u8) {} #[test] fn t() { f(1) }",
            "fn f(a: u8) { g(a + 1) } fn g(a: u8) {} #[test] fn t() { f(1) }",
            "fn f(a: u8) { println!(\"{a}\"); g(a) } fn g(a: u8) {} #[test] fn t() { f(1) }",
            "fn f(a: u8) { let b = format!(\"{a}\"); g(b) } fn g(a: String) {} #[test] fn t() { f(1) }",
        ] {
            assert_eq!(results(propose, text), [""; 0], "{text}");
        }
    }

    #[test]
    fn what_is_not_called_by_a_test_alone_stays() {
        for text in [
            "fn f(a: u8) { g(a) } fn g(a: u8) {} fn t() { f(1) }",
            "fn f(a: u8) { g(a) } fn g(a: u8) {} #[test] fn t() { f(1) } #[test] fn u() { f(2) }",
        ] {
            assert_eq!(results(propose, text), [""; 0], "{text}");
        }
    }
}
