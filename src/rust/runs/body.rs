//! The body of a test as far as the failing run gets: what stands behind that is expected by nobody.

use std::ops::Range;

use syn::{BinOp, Expr, Stmt};

use super::driver::{LIBRARY, TestFunction, input};
use crate::rust::{Reduction, StandIn, Tree};

/// What a marked test prints before each of its statements, with the statement's number; the library does it, since the
/// test's crate may be one without `std`.
const MARK: &str = "cargo-reduce-at-statement ";

/// The statements of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body {
    /// Their bytes, but for items.
    statements: Vec<Range<usize>>,
    /// Those that are there for what they do alone.
    effects: Vec<Range<usize>>,
    /// Whether the test returns something.
    is_returning: bool,
}

impl Body {
    /// The body of a test in `text`.
    pub fn of(text: &str, test: &TestFunction) -> Option<Self> {
        let look = |tree: &Tree<'_>| {
            let items = tree.items();
            let mut functions = items.filter_map(|item| match item {
                syn::Item::Fn(function) => Some(function),
                _ => None,
            });
            let function =
                functions.find(|function| tree.range(&function.sig.ident) == test.name_range)?;
            let statements = function.block.stmts.iter();
            let statements = statements.filter(|statement| !matches!(statement, Stmt::Item(_)));
            let effects = statements.clone().filter(|statement| is_effect(statement));
            let effects = effects.map(|statement| tree.range(statement)).collect();
            let statements = statements.map(|statement| tree.range(statement)).collect();
            Some(Body { statements, effects, is_returning: !test.output.is_empty() })
        };
        Tree::with(text, StandIn::Panic, look).ok()?
    }

    /// The edit that lets up to `most` of the statements which are there for what they do alone run only where an input
    /// says so, the first of them that with the number `first`; and how many these are.
    pub fn guarded(&self, first: usize, most: usize) -> (Reduction, usize) {
        let effects = &self.effects[..self.effects.len().min(most)];
        let mut edit = Reduction::default();
        for (number, effect) in effects.iter().enumerate() {
            let guard = format!("if {} {{ ", input(first + number));
            edit = edit.and_replace(effect.start..effect.start, guard);
            edit = edit.and_replace(effect.end..effect.end, " }");
        }
        (edit, effects.len())
    }

    /// The edit that lets the test say which of its statements it has come to.
    pub fn marked(&self) -> Reduction {
        let mut edit = Reduction::default();
        for (number, statement) in self.statements.iter().enumerate() {
            let start = statement.start;
            let mark = format!("::{LIBRARY}::at_statement({number}); ");
            edit = edit.and_replace(start..start, mark);
        }
        edit
    }

    /// The edit that takes away what stands behind the statement to which a marked run has come, by what that has
    /// `printed`.
    pub fn cut(&self, printed: &str) -> Reduction {
        let marks = printed.lines().filter_map(|line| line.strip_prefix(MARK));
        let numbers = marks.filter_map(|number| number.parse::<usize>().ok());
        let last = numbers.max();
        let behind: &[Range<usize>] = match last {
            Some(last) if last < self.statements.len() => &self.statements[last + 1..],
            _ => &[],
        };
        let mut edit = Reduction::default();
        for (number, statement) in behind.iter().enumerate() {
            let is_last = number + 1 == behind.len();
            let instead = if is_last && self.is_returning { "Ok(())" } else { "" };
            edit = edit.and_replace(statement.clone(), instead);
        }
        edit
    }
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

    fn body(text: &str) -> Body {
        Body::of(text, &functions(text)[0]).unwrap()
    }

    #[test]
    fn what_stands_behind_the_statement_that_fails_goes() {
        let text = "fn t() { let a = f(); use g::h; assert_eq!(a.len(), 2); h(a[1]); }";
        let body = body(text);
        let marked = apply(text, [&body.marked()]);
        assert_eq!(marked.matches("::cargo_reduce_runs::at_statement(").count(), 3);
        assert!(!marked.contains("std"));
        let printed = format!("{MARK}0\nthread 't' panicked at src/lib.rs:1:1:\n");
        assert_eq!(apply(text, [&body.cut(&printed)]), "fn t() { let a = f(); use g::h;   }");
        assert_eq!(body.cut(&format!("{MARK}2\n")), Reduction::default());
        assert_eq!(body.cut("nothing"), Reduction::default());
    }

    #[test]
    fn what_is_there_for_what_it_does_runs_where_an_input_says_so() {
        let text =
            "fn t() { let mut a = f(); a.g(); for b in 0..2 { a.h(b) } assert!(a.i()); a.j() }";
        let (edit, count) = body(text).guarded(3, 4);
        assert_eq!(count, 2);
        assert_eq!(
            apply(text, [&edit]),
            "fn t() { let mut a = f(); if ::cargo_reduce_runs::input_3!() { a.g(); } \
             if ::cargo_reduce_runs::input_4!() { for b in 0..2 { a.h(b) } } assert!(a.i()); a.j() }"
        );
        assert_eq!(body(text).guarded(3, 1).1, 1);
    }

    #[test]
    fn a_test_with_a_result_still_has_one() {
        let text = "fn t() -> Result<(), E> { f()?; g()?; Ok(()) }";
        assert_eq!(
            apply(text, [&body(text).cut(&format!("{MARK}0\n"))]),
            "fn t() -> Result<(), E> { f()?;  Ok(()) }"
        );
    }
}
