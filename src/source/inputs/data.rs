//! Which expressions only make data, or bring it into another form.

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::Visit;
use syn::{Expr, Macro};

use crate::source::exprs::{exprs, macros};
use crate::source::idents::mentioned;
use crate::source::methods::{changes_form, is_conversion};
use crate::source::tokens::flat;

/// Whether an expression calls nothing that could be under test: only literals, variables, fields,
/// constructors, and methods that convert or measure values.
pub(crate) fn calls_nothing(expr: &Expr) -> bool {
    let all = exprs(|it| it.visit_expr(expr));
    calls_only(expr, is_conversion) && !all.iter().any(|it| matches!(it, Expr::Closure(_)))
}

/// Whether an expression only brings values into another form: as [`calls_nothing`], or element by element
/// (`a.map(|a| a.to_vec())`).
pub(crate) fn only_converts(expr: &Expr) -> bool {
    calls_only(expr, changes_form)
}

/// Whether an expression calls nothing but constructors, methods that `converts` takes, and macros that make data.
fn calls_only(expr: &Expr, converts: fn(&str) -> bool) -> bool {
    let is_fine = |it: &Expr| match it {
        Expr::Call(call) => is_constructor(&call.func),
        Expr::MethodCall(call) => converts(&call.method.to_string()),
        _ => true,
    };
    let makes_data =
        |mac: &Macro| mac.path.is_ident("vec") || mac.path.is_ident("concat") || is_data(mac);
    exprs(|it| it.visit_expr(expr)).into_iter().all(is_fine)
        && macros(|it| it.visit_expr(expr)).into_iter().all(makes_data)
}

/// Whether a macro that the language does not bring gets data alone, as `json!({"a": null})` does: the notation of a
/// value.
pub(crate) fn is_data(mac: &Macro) -> bool {
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
