//! Chains of calls on a builder.

use std::collections::BTreeMap;

use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Expr, ExprMethodCall};

use super::walk::Walk;
use super::{asserts, data};
use crate::source::SeqForm;
use crate::source::tokens::plain;

/// Walks a chain such as `Cache::new().with(1).with(2).build()` as a sequence of its calls with
/// literals; of those with the same name if there are such. `false` if it is no such chain.
pub(super) fn walk_chain(walk: &mut Walk<'_, '_>, outermost: &ExprMethodCall) -> bool {
    let (base, calls) = links(outermost);
    let elements = elements_of(&calls);
    let is_element = |call: &&&ExprMethodCall| elements.iter().any(|it| std::ptr::eq(*it, **call));
    let (Some(last), true) = (elements.last(), elements.len() > 1 && starts_with_name(base)) else {
        return false;
    };
    walk.visit_expr(base);
    for call in calls.iter().filter(|call| !is_element(call)) {
        for argument in &call.args {
            if asserts::is_message_method(call) {
                walk.skip(argument, "a message");
            } else {
                walk.visit_expr(argument);
            }
        }
    }
    let whole = walk.range(base.span()).start..walk.range(last.span()).end;
    walk.sequence(whole, SeqForm::Chain, |walk| {
        for call in &elements {
            let range = walk.range(call.dot_token.span()).start..walk.range(call.span()).end;
            walk.element(range, |walk| {
                for argument in &call.args {
                    walk.visit_expr(argument);
                }
            });
        }
    });
    true
}

/// The start of a chain and its calls in order.
fn links(outermost: &ExprMethodCall) -> (&Expr, Vec<&ExprMethodCall>) {
    let mut calls = vec![outermost];
    let mut base = &*outermost.receiver;
    while let Expr::MethodCall(call) = base {
        calls.push(call);
        base = &call.receiver;
    }
    calls.reverse();
    (base, calls)
}

fn elements_of<'c>(calls: &[&'c ExprMethodCall]) -> Vec<&'c ExprMethodCall> {
    let takes_literal = |call: &ExprMethodCall| {
        !asserts::is_message_method(call)
            // The parts of a path, or what stands between the elements of a list.
            && call.method != "join"
            && !call.args.is_empty()
            && call.args.iter().all(is_value)
            && data::has_literal(quote::ToTokens::to_token_stream(&call.args))
    };
    let candidates: Vec<&ExprMethodCall> =
        calls.iter().copied().filter(|call| takes_literal(call)).collect();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for call in &candidates {
        *counts.entry(plain(&call.method)).or_default() += 1;
    }
    let is_repeated = |call: &&&ExprMethodCall| counts[&plain(&call.method)] > 1;
    let repeated: Vec<&ExprMethodCall> = candidates.iter().filter(is_repeated).copied().collect();
    if repeated.is_empty() { candidates } else { repeated }
}

/// Whether an argument can be moved into a closure: it neither is one nor leaves the function.
fn is_value(argument: &Expr) -> bool {
    !matches!(
        argument,
        Expr::Closure(_) | Expr::Try(_) | Expr::Await(_) | Expr::Block(_) | Expr::Async(_)
    )
}

/// Whether the chain starts with a name, so that nothing else is wrapped around its first token.
fn starts_with_name(base: &Expr) -> bool {
    match base {
        Expr::Path(_) => true,
        Expr::Call(call) => matches!(&*call.func, Expr::Path(_)),
        _ => false,
    }
}
