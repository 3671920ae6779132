//! Which expressions only make data, or bring it into another form.

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Expr, ExprMethodCall};

use crate::source::idents::mentioned;
use crate::source::methods::{changes_form, is_conversion};
use crate::source::tokens::flat;

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
    let mut calls = Calls::new(changes_form);
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

/// Whether there is a literal among `tokens`, at any depth.
pub(super) fn has_literal(tokens: TokenStream) -> bool {
    flat(tokens).any(|token| match token {
        TokenTree::Ident(ident) => ident == "true" || ident == "false",
        token => matches!(token, TokenTree::Literal(_)),
    })
}
