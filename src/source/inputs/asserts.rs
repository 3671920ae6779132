//! What an assertion expects is no input: reducing it would make the assertion trivially false.

use syn::visit::Visit;
use syn::{Expr, ExprMethodCall};

use super::data::calls_nothing;
use super::walk::Walk;
use crate::source::Strength;
use crate::source::exprs::children;
use crate::source::methods::{is_conversion, only_compares};

/// Walks the arguments of an assertion that compares two operands.
pub(super) fn comparison(walk: &mut Walk<'_, '_>, arguments: &[Expr]) {
    for operand in arguments.iter().take(2) {
        operand_of_assertion(walk, operand);
    }
    messages(walk, arguments.get(2..).unwrap_or_default());
}

/// Walks the arguments of an assertion with one condition.
pub(super) fn condition(walk: &mut Walk<'_, '_>, arguments: &[Expr]) {
    if let Some(condition) = arguments.first() {
        walk_condition(walk, condition);
    }
    messages(walk, arguments.get(1..).unwrap_or_default());
}

/// Leaves the message of an assertion or panic alone.
pub(super) fn messages(walk: &mut Walk<'_, '_>, arguments: &[Expr]) {
    for argument in arguments {
        walk.skip(argument, "a message");
    }
}

fn walk_condition(walk: &mut Walk<'_, '_>, condition: &Expr) {
    match condition {
        Expr::Binary(binary) if Strength::of_operator(binary.op) == Strength::Compare => {
            operand_of_assertion(walk, &binary.left);
            operand_of_assertion(walk, &binary.right);
        }
        Expr::Binary(_) | Expr::Unary(_) | Expr::Paren(_) => {
            for part in children(condition) {
                walk_condition(walk, part);
            }
        }
        Expr::MethodCall(call)
            if only_compares(&call.method.to_string()) && calls_nothing(&call.receiver) =>
        {
            operand_of_assertion(walk, &call.receiver);
            for argument in &call.args {
                walk.expect(argument);
            }
        }
        other => operand_of_assertion(walk, other),
    }
}

fn operand_of_assertion(walk: &mut Walk<'_, '_>, operand: &Expr) {
    if calls_nothing(operand) {
        return walk.expect(operand);
    }
    let is_looked_through = match operand {
        Expr::Paren(_) | Expr::Binary(_) => true,
        Expr::MethodCall(call) => is_conversion(&call.method.to_string()),
        _ => false,
    };
    if is_looked_through {
        return children(operand).into_iter().for_each(|part| operand_of_assertion(walk, part));
    }
    walk.asserted(|walk| walk.visit_expr(operand));
}

/// `expect("…")` and `expect_err("…")`.
pub(super) fn is_message_method(call: &ExprMethodCall) -> bool {
    let name = call.method.to_string();
    call.args.len() == 1 && matches!(name.as_str(), "expect" | "expect_err")
}
