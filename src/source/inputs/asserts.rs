//! What an assertion expects is no input: reducing it would make the assertion trivially false.

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Expr, ExprMethodCall};

use super::walk::Walk;
use crate::source::idents::mentioned;

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
        Expr::Binary(binary) if is_comparison(&binary.op) => {
            operand_of_assertion(walk, &binary.left);
            operand_of_assertion(walk, &binary.right);
        }
        Expr::Binary(binary) => {
            walk_condition(walk, &binary.left);
            walk_condition(walk, &binary.right);
        }
        Expr::Unary(unary) => walk_condition(walk, &unary.expr),
        Expr::Paren(paren) => walk_condition(walk, &paren.expr),
        Expr::MethodCall(call) if is_query(call) => {
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
    match operand {
        Expr::Paren(paren) => return operand_of_assertion(walk, &paren.expr),
        Expr::Binary(binary) => {
            operand_of_assertion(walk, &binary.left);
            return operand_of_assertion(walk, &binary.right);
        }
        Expr::MethodCall(call) if is_conversion(&call.method.to_string()) => {
            operand_of_assertion(walk, &call.receiver);
            for argument in &call.args {
                operand_of_assertion(walk, argument);
            }
            return;
        }
        _ => {}
    }
    walk.asserted(|walk| walk.visit_expr(operand));
}

fn is_comparison(op: &syn::BinOp) -> bool {
    use syn::BinOp as B;
    matches!(op, B::Eq(_) | B::Ne(_) | B::Lt(_) | B::Le(_) | B::Gt(_) | B::Ge(_))
}

/// Whether a method only compares its receiver with its arguments.
fn is_query(call: &ExprMethodCall) -> bool {
    let name = call.method.to_string();
    matches!(name.as_str(), "contains" | "starts_with" | "ends_with" | "eq" | "ne")
        && calls_nothing(&call.receiver)
}

/// `expect("…")` and `expect_err("…")`.
pub(super) fn is_message_method(call: &ExprMethodCall) -> bool {
    let name = call.method.to_string();
    call.args.len() == 1 && matches!(name.as_str(), "expect" | "expect_err")
}

/// Whether an expression calls nothing that could be under test: only literals, variables, fields,
/// constructors, and methods that convert or measure values.
pub(crate) fn calls_nothing(expr: &Expr) -> bool {
    let mut calls = Calls::new(is_conversion);
    calls.visit_expr(expr);
    !calls.is_met && !calls.has_closure
}

/// Whether an expression only brings values into another form: as [`calls_nothing`], or element by element
/// (`a.map(|a| a.to_vec())`).
pub(crate) fn only_converts(expr: &Expr) -> bool {
    let mut calls = Calls::new(|method| is_conversion(method) || is_adapter(method));
    calls.visit_expr(expr);
    !calls.is_met
}

/// Looks for calls of something under test.
struct Calls {
    converts: fn(&str) -> bool,
    is_met: bool,
    /// Whether there is a closure.
    has_closure: bool,
}

impl Calls {
    fn new(converts: fn(&str) -> bool) -> Self {
        Calls { converts, is_met: false, has_closure: false }
    }
}

impl<'ast> Visit<'ast> for Calls {
    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        self.is_met |= !is_constructor(&call.func);
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        self.is_met |= !(self.converts)(&call.method.to_string());
        visit::visit_expr_method_call(self, call);
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        self.has_closure = true;
        visit::visit_expr_closure(self, closure);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let is_known = mac.path.is_ident("vec") || mac.path.is_ident("concat");
        self.is_met |= !is_known && !is_data(mac);
    }
}

/// Whether a macro that the language does not bring gets data alone, as `json!({"a": null})` does: the notation of a
/// value.
pub(crate) fn is_data(mac: &syn::Macro) -> bool {
    let names = mentioned(mac.tokens.clone());
    let is_constant = |name: &String| matches!(name.as_str(), "null" | "true" | "false");
    let own =
        ["vec", "concat", "format", "include_str", "include_bytes", "include", "env", "option_env"];
    !mac.tokens.is_empty()
        && names.iter().all(is_constant)
        && !own.iter().any(|own| mac.path.is_ident(own))
}

/// `Some(…)`, `Point(…)`, `String::from(…)`.
pub(crate) fn is_constructor(func: &Expr) -> bool {
    let Expr::Path(path) = func else { return false };
    let names: Vec<String> =
        path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    let is_type = names.last().is_some_and(|name| name.starts_with(char::is_uppercase));
    let is_std = matches!(
        names.join("::").as_str(),
        "String::from" | "String::new" | "Vec::new" | "Vec::from" | "Box::new"
    );
    is_type || is_std
}

pub(super) fn is_conversion(method: &str) -> bool {
    matches!(
        method,
        "to_string"
            | "to_owned"
            | "into"
            | "to_vec"
            | "clone"
            | "as_str"
            | "as_slice"
            | "as_bytes"
            | "as_ref"
            | "as_deref"
            | "len"
            | "iter"
            | "is_empty"
            | "copied"
            | "cloned"
            | "abs"
            | "abs_diff"
            | "round"
    )
}

/// Whether a method of the standard library goes through values and puts them together again.
fn is_adapter(method: &str) -> bool {
    matches!(
        method,
        "map" | "into_iter" | "chars" | "bytes" | "collect" | "unwrap" | "as_deref_mut" | "rev"
    )
}

/// Whether there is a literal among `tokens`, at any depth.
pub(super) fn has_literal(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Literal(_) => true,
        TokenTree::Ident(ident) => ident == "true" || ident == "false",
        TokenTree::Group(group) => has_literal(group.stream()),
        TokenTree::Punct(_) => false,
    })
}
