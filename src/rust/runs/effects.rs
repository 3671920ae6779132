//! Statements of a test that are there for what they do alone.

use std::ops::Range;

use syn::{BinOp, Block, Expr, Stmt};

use super::driver::{TestFunction, input};
use crate::rust::{Reduction, StandIn, Tree};
use crate::source::asserts;

/// The bytes of such statements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effects(Vec<Range<usize>>);

impl Effects {
    /// Those of a test in `text`.
    pub fn of(text: &str, test: &TestFunction) -> Option<Self> {
        let look = |tree: &Tree<'_>| {
            let mut functions = tree.item_functions();
            let function =
                functions.find(|function| tree.range(&function.sig.ident) == test.name_range)?;
            Some(Effects(effects_in(tree, text, &function.block)))
        };
        Tree::with(text, StandIn::Panic, look).ok()?
    }

    /// The edit that lets up to `most` of them run only where an input says so, the first of them that with the number
    /// `first`; and how many these are.
    pub fn guarded(&self, first: usize, most: usize) -> (Reduction, usize) {
        let effects = &self.0[..self.0.len().min(most)];
        let mut edit = Reduction::default();
        for (number, effect) in effects.iter().enumerate() {
            let guard = format!("if {} {{ ", input(first + number));
            edit = edit.and_replace(effect.start..effect.start, guard);
            edit = edit.and_replace(effect.end..effect.end, " }");
        }
        (edit, effects.len())
    }
}

/// Those of a block; where a loop asserts something, those in its body, since without the loop nothing could fail.
fn effects_in(tree: &Tree<'_>, text: &str, block: &Block) -> Vec<Range<usize>> {
    let effects = block.stmts.iter().filter(|statement| is_effect(statement));
    let effects = effects.flat_map(|statement| {
        let body = match statement {
            Stmt::Expr(Expr::ForLoop(it), _) => Some(&it.body),
            Stmt::Expr(Expr::While(it), _) => Some(&it.body),
            _ => None,
        };
        let asserting =
            body.filter(|body| body.stmts.iter().any(|inner| asserts(&text[tree.range(inner)])));
        match asserting {
            Some(body) => effects_in(tree, text, body),
            None => vec![tree.range(statement)],
        }
    });
    effects.collect()
}

/// Whether a statement gives nothing to those behind it, and does not assert anything.
fn is_effect(statement: &Stmt) -> bool {
    let Stmt::Expr(value, Some(_)) = statement else {
        return matches!(statement, Stmt::Expr(Expr::ForLoop(_) | Expr::While(_), None));
    };
    match value {
        Expr::Call(_) | Expr::MethodCall(_) | Expr::Try(_) | Expr::Assign(_) => true,
        Expr::Binary(binary) => matches!(
            binary.op,
            BinOp::AddAssign(_) | BinOp::SubAssign(_) | BinOp::MulAssign(_) | BinOp::BitOrAssign(_)
        ),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::driver::functions;
    use super::*;
    use crate::rust::apply;

    #[test]
    fn what_is_there_for_what_it_does_runs_where_an_input_says_so() {
        let text =
            "fn t() { let mut a = f(); a.g(); for b in 0..2 { a.h(b) } assert!(a.i()); a.j() }";
        let effects = Effects::of(text, &functions(text)[0]).unwrap();
        let (edit, count) = effects.guarded(3, 4);
        assert_eq!(count, 2);
        assert_eq!(
            apply(text, [&edit]),
            "fn t() { let mut a = f(); if ::cargo_reduce_runs::input_3!() { a.g(); } \
             if ::cargo_reduce_runs::input_4!() { for b in 0..2 { a.h(b) } } assert!(a.i()); a.j() }"
        );
        assert_eq!(effects.guarded(3, 1).1, 1);
    }

    #[test]
    fn of_a_loop_that_asserts_something_the_statements_are_left_out() {
        let text = "fn t() { for a in b() { let mut a = a; a.g(); assert_eq!(a, c()); } }";
        let effects = Effects::of(text, &functions(text)[0]).unwrap();
        let (edit, _) = effects.guarded(0, 4);
        assert_eq!(
            apply(text, [&edit]),
            "fn t() { for a in b() { let mut a = a; if ::cargo_reduce_runs::input_0!() { a.g(); } \
             assert_eq!(a, c()); } }"
        );
    }
}
