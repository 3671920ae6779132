//! Calls that only lead to where the test fails.

use std::collections::BTreeSet;
use std::ops::Range;

use quote::ToTokens;
use syn::{Block, Expr, ItemFn, Pat, PatIdent, ReturnType, Stmt};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::patchwork::Patchwork;
use crate::rust::switches::shapes::bound_variables;
use crate::rust::{Reduction, Tree};
use crate::source::{mentioned, typed};

/// Runs the body of a function in the place of the test's own, where it needs nothing that it is called with,
/// without the value that it has. What led there is no longer needed then.
pub(crate) const PASS: Pass = Pass {
    name: "inline-into-test",
    about: "run the body of a function as the body of the test",
    tier: Tier::Medium,
    effect: Effect::Any,
    before: "fn f(_: u8) { g(1) } #[test] fn t() { h() }",
    after: "fn f(_: u8) {} #[test] fn t() { g(1) }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    frames(tree)
        .into_iter()
        .filter(|frame| frame.variables.is_empty())
        .map(|frame| frame.instead_of_test(Patchwork::of(tree.text)))
        .collect()
}

/// The body of a function or a closure that the test could run instead of its own.
pub(crate) struct Frame {
    /// What stands between the braces of the test.
    own: Range<usize>,
    /// What stands between those of the function, and what is left there.
    inside: Range<usize>,
    left: &'static str,
    /// What it does besides having a value, and how that has to end: of a value alone nobody knows its type.
    does: Range<usize>,
    end: &'static str,
    /// The parameters that it uses.
    pub(crate) variables: Vec<Variable>,
}

/// A variable that a head binds, and that is used.
pub(crate) struct Variable {
    /// Its name there.
    pub(crate) name: Range<usize>,
    /// Whether it can be changed.
    pub(crate) is_mutable: bool,
}

impl Variable {
    /// Those that a pattern binds, of the names that are `used`.
    pub(crate) fn used(tree: &Tree<'_>, pattern: &Pat, used: &BTreeSet<String>) -> Vec<Self> {
        let bound = bound_variables(pattern).into_iter();
        bound
            .filter(|variable| used.contains(&variable.ident.to_string()))
            .map(|variable: &PatIdent| Variable {
                name: tree.range(&variable.ident),
                is_mutable: variable.mutability.is_some(),
            })
            .collect()
    }
}

impl Frame {
    /// The test runs this instead, behind what is there already.
    pub(crate) fn instead_of_test(&self, mut before: Patchwork<'_>) -> Reduction {
        before.copy(self.does.clone());
        before.push(self.end);
        before.instead_of(self.own.clone(), Reduction::replace(self.inside.clone(), self.left))
    }
}

/// The bodies that can stand on their own but for what their parameters hold.
pub(crate) fn frames(tree: &Tree<'_>) -> Vec<Frame> {
    let Some(test) = only_test(tree) else { return Vec::new() };
    let own = tree.inside(&test.block.brace_token.span);
    let functions = tree.functions().map(|(signature, block)| {
        let patterns = signature.inputs.iter().filter_map(|input| Some(&*typed(input)?.pat));
        let is_plain = matches!(signature.output, ReturnType::Default);
        (patterns.collect::<Vec<&Pat>>(), block, is_plain)
    });
    let closures = tree.exprs().filter_map(|expr| match expr {
        Expr::Closure(closure) => match &*closure.body {
            Expr::Block(body) => {
                Some((closure.inputs.iter().collect::<Vec<&Pat>>(), &body.block, false))
            }
            _ => None,
        },
        _ => None,
    });
    functions
        .chain(closures)
        .filter_map(|(patterns, block, is_plain)| frame(tree, &own, &patterns, block, is_plain))
        .collect()
}

fn frame(
    tree: &Tree<'_>,
    own: &Range<usize>,
    patterns: &[&Pat],
    block: &Block,
    is_plain: bool,
) -> Option<Frame> {
    let inside = tree.inside(&block.brace_token.span);
    let used = mentioned(block.to_token_stream());
    let has_self = ["self", "Self"].iter().any(|word| used.contains(*word));
    if inside == *own || block.stmts.is_empty() || has_self {
        return None;
    }
    let (does, end) = match block.stmts.as_slice() {
        _ if is_plain => (inside.clone(), ""),
        [Stmt::Expr(value, None)] => (tree.range(value), ";"),
        [.., Stmt::Expr(value, None)] => (inside.start..tree.range(value).start, ""),
        _ => (inside.clone(), ""),
    };
    let variables = patterns.iter().flat_map(|pattern| Variable::used(tree, pattern, &used));
    Some(Frame {
        own: own.clone(),
        inside,
        left: if is_plain { "" } else { tree.stand_in.expr() },
        does,
        end,
        variables: variables.collect(),
    })
}

/// The test, if there is one alone and it has no result.
fn only_test<'t>(tree: &Tree<'t>) -> Option<&'t ItemFn> {
    let mut tests = tree.tests();
    let test = tests.next().filter(|_| tests.next().is_none())?;
    matches!(test.sig.output, ReturnType::Default).then_some(test)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::{lines, proposes};

    #[test]
    fn methods_and_functions_with_a_result_are_run_for_what_they_do() {
        proposes(
            propose,
            "impl D for A { fn f(&self) -> R { for a in b() { a.c() } Ok(()) } } #[test] fn t() { A.g(); }",
            "impl D for A { fn f(&self) -> R {loop {}} } #[test] fn t() { for a in b() { a.c() } }",
        );
    }

    #[test]
    fn what_needs_its_arguments_stays_where_it_is() {
        for text in [
            "fn f(a: u8) { g(a) } #[test] fn t() { f(1) }",
            "fn f(a: u8) { panic!(\"{a:?}\") } #[test] fn t() { f(1) }",
            "impl A { fn f(&self) { self.g() } } #[test] fn t() { A.f() }",
            "fn f() { g() } #[test] fn t() { f() } #[test] fn u() {}",
            "fn f() { g() } #[test] fn t() -> R { f() }",
        ] {
            assert_eq!(lines(propose, text), [""; 0], "{text}");
        }
    }
}
