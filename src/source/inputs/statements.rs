//! Sequences of statements on one object.

use std::collections::BTreeMap;
use std::ops::Range;

use proc_macro2::Span;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, Expr, Stmt};

use super::scope::root;
use super::walk::Walk;
use crate::source::exprs::{exprs, is_assignment, leaves, lent};
use crate::source::parse::range;
use crate::source::tokens::{called_name, plain};
use crate::source::{SeqForm, asserts};

/// Walks a block; two or more statements that only work on the same local object
/// (`m.insert(1); m.remove(2);`, `text += "x";`) are a sequence, also with others between them.
pub(super) fn block(walk: &mut Walk<'_, '_>, block: &Block) {
    let mut by_object: BTreeMap<String, Vec<&Stmt>> = BTreeMap::new();
    if walk.takes_statements {
        for statement in &block.stmts {
            if let Some(object) = object_of(statement) {
                by_object.entry(object).or_default().push(statement);
            }
        }
        by_object.retain(|_, statements| statements.len() > 1);
    }
    // The failing run does not get behind the statement that fails.
    let failing = block.stmts.iter().position(|statement| fails_in(walk, statement));
    let reached = &block.stmts[..failing.map_or(block.stmts.len(), |at| at + 1)];
    let is_before = |place: usize| failing.is_some_and(|at| place < at);
    let is_passed = |(place, statement): &(usize, &Stmt)| {
        walk.takes_statements
            && (is_passed(walk, statement) || is_before(*place) && panics_at_worst(statement))
    };
    let passed = reached.iter().enumerate().filter(is_passed);
    let passed: Vec<&Stmt> = passed.map(|(_, statement)| statement).collect();
    // Of one call alone nothing can go.
    let is_lone_call = passed.len() == 1 && matches!(passed[0], Stmt::Expr(..));
    walk.passed(if is_lone_call { &[] } else { &passed });
    for statement in &block.stmts {
        let object = object_of(statement);
        match object.as_ref().map(|object| (object, by_object.get_mut(object))) {
            Some((_, Some(statements))) => sequence(walk, &std::mem::take(statements)),
            _ => visit::visit_stmt(walk, statement),
        }
    }
}

/// Whether the failure stands in a statement, and not in what that defines: which call of it fails, only a run can tell.
fn fails_in(walk: &Walk<'_, '_>, statement: &Stmt) -> bool {
    let is_definition = match statement {
        Stmt::Local(local) => {
            local.init.as_ref().is_some_and(|init| matches!(&*init.expr, Expr::Closure(_)))
        }
        Stmt::Item(_) => true,
        Stmt::Expr(..) | Stmt::Macro(_) => false,
    };
    if is_definition {
        return false;
    }
    let place = walk.assertions.failing.and_then(|failing| failing.place);
    place.is_some_and(|(file, at)| file == walk.file && walk.range(statement.span()).contains(&at))
}

/// Whether a statement is an assertion that the failing test passes, of the standard library or the tests' own, or calls a
/// helper that asserts something: which of these calls fails, only a run can tell.
fn is_passed(walk: &Walk<'_, '_>, statement: &Stmt) -> bool {
    if let Stmt::Expr(Expr::Call(call), Some(_)) = statement
        && let Some(name) = called_name(&call.func)
    {
        return walk.assertions.failing.is_some() && walk.assertions.helpers.contains(&plain(name));
    }
    let Stmt::Macro(call) = statement else { return false };
    let name = call.mac.path.get_ident().map(plain).unwrap_or_default();
    let place = walk.start_of(&call.mac);
    let failing = walk.assertions.failing;
    let is_own = walk.assertions.helpers.contains(&format!("{name}!"));
    (is_own || matches!(name.as_str(), "assert" | "assert_eq" | "assert_ne"))
        && failing.is_some_and(|failing| failing.place != Some(place))
}

/// The statements of a function, and of blocks in it, that do not run if it fails at this byte; none if that stands in what
/// may run elsewhere or later, or again.
pub(super) fn behind(body: &Block, at: usize) -> Vec<Range<usize>> {
    let holds = |span: Span| range(span, 0).contains(&at);
    let mut around = exprs(|it| it.visit_block(body));
    around.retain(|expr| holds(expr.span()));
    if around.iter().any(|it| matches!(it, Expr::Closure(_) | Expr::Async(_))) {
        return Vec::new();
    }
    let runs_once =
        |expr: &&&Expr| !matches!(expr, Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_));
    let blocks = around.iter().take_while(runs_once).filter_map(|expr| match expr {
        Expr::Block(block) => Some(&block.block),
        _ => None,
    });
    let mut ranges = Vec::new();
    for block in std::iter::once(body).chain(blocks) {
        let mut statements = block.stmts.iter().skip_while(|it| !holds(it.span()));
        if matches!(statements.next(), None | Some(Stmt::Item(_))) {
            break;
        }
        let statements = statements.filter(|it| !matches!(it, Stmt::Item(_)));
        ranges.extend(statements.map(|it| range(it.span(), 0)));
    }
    ranges
}

/// Whether a statement is a branch that panics on one of its ways, and does not leave its block on any.
fn panics_at_worst(statement: &Stmt) -> bool {
    matches!(statement, Stmt::Expr(Expr::Match(_) | Expr::If(_), _))
        && asserts(&statement.to_token_stream().to_string())
        && !leaves(|it| it.visit_stmt(statement))
}

/// The sequence, when its first statement is met; the others have then been taken along.
fn sequence(walk: &mut Walk<'_, '_>, statements: &[&Stmt]) {
    let Some(range) = walk.range_of_all(statements) else { return };
    walk.sequence(range, SeqForm::Statements, |walk| {
        for statement in statements {
            let range = walk.range(statement.span());
            walk.element(range, |walk| visit::visit_stmt(walk, statement));
        }
    });
}

/// The local variable that a statement works on, if it does nothing else: neither binds a name nor
/// leaves the block. A loop works on what the first such statement in it works on.
fn object_of(statement: &Stmt) -> Option<String> {
    match statement {
        Stmt::Expr(Expr::ForLoop(looped), _) => object_in(&looped.body),
        Stmt::Expr(Expr::While(looped), _) => object_in(&looped.body),
        Stmt::Expr(Expr::If(branch), _) if branch.else_branch.is_none() => {
            object_in(&branch.then_branch).filter(|_| !leaves(|it| it.visit_stmt(statement)))
        }
        Stmt::Expr(expr, Some(_)) if !leaves(|it| it.visit_stmt(statement)) => object_of_expr(expr),
        _ => None,
    }
}

fn object_in(block: &Block) -> Option<String> {
    block.stmts.iter().find_map(object_of)
}

fn object_of_expr(expr: &Expr) -> Option<String> {
    match expr {
        Expr::MethodCall(call) => root(&call.receiver),
        Expr::Try(inner) => object_of_expr(&inner.expr),
        Expr::Await(inner) => object_of_expr(&inner.base),
        Expr::Binary(binary) if is_assignment(&binary.op) => root(&binary.left),
        Expr::Call(call) => root(lent(call.args.first()?)?),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The statements that do not run if the function fails at `!`.
    fn not_reached(text: &str) -> Vec<&str> {
        let at = text.find('!').unwrap();
        let body: Block = syn::parse_str(text).unwrap();
        behind(&body, at).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn what_stands_behind_a_failure_is_not_reached_where_nothing_goes_on_or_runs_again() {
        assert_eq!(not_reached("{ a(); b!(); c(); fn d() {} e(); }"), ["c();", "e();"]);
        assert_eq!(not_reached("{ { b!(); c(); } d(); }"), ["d();", "c();"]);
        assert_eq!(not_reached("{ for x in y { b!(); c(); } d(); }"), ["d();"]);
        assert_eq!(not_reached("{ spawn(|| { b!(); c(); }); d(); }"), [""; 0]);
        assert_eq!(not_reached("{ fn a() { b!(); } c(); }"), [""; 0]);
        assert_eq!(not_reached("{ if a { b!(); c(); } d(); }"), ["d();"]);
    }
}
