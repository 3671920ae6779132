//! Variables that statements build before they are handed over: `let mut lines = Vec::new(); for … { lines.push(…); }`.

use std::collections::BTreeSet;
use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Expr, Local, Stmt};

use super::scope::root;
use crate::source::exprs::{assigned, exprs, leaves, lent};
use crate::source::methods::only_reads;
use crate::source::parse::range;
use crate::source::patterns::{bound_names, variable};
use crate::source::tokens::plain;

/// How a variable is built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Built {
    /// Its name.
    pub name: String,
    /// The bytes of its name, its type, and the `=`.
    pub declaration: Range<usize>,
    /// Whether it may be changed by what follows.
    pub is_changed_later: bool,
}

/// Statements that build a variable.
pub(super) struct Building<'b> {
    pub built: Built,
    /// The bytes from its `mut` to the end of the last of them.
    pub range: Range<usize>,
    /// How many they are.
    pub count: usize,
    /// They themselves.
    pub statements: &'b [Stmt],
    /// The names that are bound by them.
    pub bound: BTreeSet<String>,
}

/// The statements at the beginning of `statements` that build a variable and do nothing else, if there is a loop among
/// them; the text starts at `base`.
pub(super) fn building(statements: &[Stmt], base: usize) -> Option<Building<'_>> {
    let (Stmt::Local(local), rest) = statements.split_first()? else { return None };
    let (name, mutability) = changing(local)?;
    let init = local.init.as_ref().filter(|init| init.diverge.is_none())?;
    let count = rest.iter().take_while(|statement| only_builds(statement, &name)).count();
    let (building, later) = rest.split_at(count);
    let has_loop = building.iter().any(is_loop);
    let statements = &statements[..=count];
    // They end the function before its end, or wait.
    let leaves = leaves(|it| statements.iter().for_each(|statement| it.visit_stmt(statement)))
        || all_in(statements)
            .into_iter()
            .any(|it| matches!(it, Expr::Try(_) | Expr::Await(_) | Expr::Yield(_)));
    if !has_loop || leaves {
        return None;
    }
    let start = range(mutability, base).start;
    let declared = range(local.pat.span(), base);
    let value = range(init.expr.span(), base).start;
    Some(Building {
        built: Built {
            declaration: declared.start + "mut".len()..value,
            is_changed_later: changed_by(later).contains(&name),
            name,
        },
        range: start..range(statements.last()?.span(), base).end,
        count: statements.len(),
        statements,
        bound: bound_in(statements),
    })
}

/// The name of a variable that can change, with its `mut`.
fn changing(local: &Local) -> Option<(String, proc_macro2::Span)> {
    let it = variable(&local.pat).filter(|it| it.by_ref.is_none() && it.subpat.is_none())?;
    Some((plain(&it.ident), it.mutability?.span))
}

/// Whether a statement changes the variable `name` and no other that is there before it.
fn only_builds(statement: &Stmt, name: &str) -> bool {
    let statements = std::slice::from_ref(statement);
    let bound = bound_in(statements);
    matches!(statement, Stmt::Expr(..)) && changed_by(statements).difference(&bound).eq([name])
}

fn is_loop(statement: &Stmt) -> bool {
    matches!(statement, Stmt::Expr(Expr::ForLoop(_) | Expr::While(_), _))
}

/// The names that statements bind.
fn bound_in(statements: &[Stmt]) -> BTreeSet<String> {
    bound_names(|it| statements.iter().for_each(|statement| it.visit_stmt(statement)))
}

/// Which variables statements may change.
fn changed_by(statements: &[Stmt]) -> BTreeSet<String> {
    let changed = all_in(statements).into_iter().filter_map(|expr| match expr {
        Expr::Reference(_) => root(lent(expr)?),
        Expr::MethodCall(it) if !only_reads(&it.method.to_string()) => root(&it.receiver),
        _ => root(assigned(expr)?.0),
    });
    changed.collect()
}

/// All expressions in statements.
fn all_in(statements: &[Stmt]) -> Vec<&Expr> {
    exprs(|it| statements.iter().for_each(|statement| it.visit_stmt(statement)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(body: &str) -> Option<(String, String, bool)> {
        let block: syn::Block = syn::parse_str(body).unwrap();
        let found = building(&block.stmts, 0)?;
        let built = found.built;
        let declaration = body[built.declaration].trim().to_owned();
        Some((declaration, body[found.range].to_owned(), built.is_changed_later))
    }

    #[test]
    fn a_list_that_a_loop_fills() {
        let body = "{ let mut all: Vec<u8> = Vec::new(); for i in 0..9 { let x = i * i; all.push(x); } f(&all) }";
        let range = "mut all: Vec<u8> = Vec::new(); for i in 0..9 { let x = i * i; all.push(x); }";
        let expected = ("all: Vec<u8> =".to_owned(), range.to_owned(), false);
        assert_eq!(found(body), Some(expected));
        let later = "{ let mut all = vec![]; while all.len() < 3 { all.push(1); } g(); all.sort(); f(&all) }";
        assert!(found(later).unwrap().2);
    }

    #[test]
    fn what_does_more_is_left_alone() {
        assert_eq!(found("{ let mut all = vec![]; all.push(1); f(&all) }"), None, "no loop");
        assert_eq!(found("{ let all = vec![]; for i in 0..3 { all.push(1); } }"), None);
        let counts = "{ let mut all = vec![]; for i in 0..3 { all.push(n); n += 1; } f(&all, n) }";
        assert_eq!(found(counts), None);
        assert_eq!(found("{ let mut all = vec![]; for i in x { all.push(i?); } f(&all) }"), None);
    }
}
