//! Patterns: the variables that they bind, those of parameters among them.

use std::collections::BTreeSet;

use syn::visit::Visit;
use syn::{Expr, ExprClosure, FnArg, Ident, Local, Pat, PatIdent, PatType, Signature};

use super::exprs::{BoundIdents, bound_idents};
use super::tokens::plain;

/// The names of [`bound_idents`].
pub(crate) fn bound_names<'e>(start: impl FnOnce(&mut BoundIdents<'e>)) -> BTreeSet<String> {
    bound_idents(start).into_iter().map(|it| plain(&it.ident)).collect()
}

/// The names of the variables that a pattern binds.
pub(crate) fn bound(pattern: &Pat) -> BTreeSet<String> {
    bound_names(|it| it.visit_pat(pattern))
}

/// The one variable that a pattern is, with a type perhaps.
pub(crate) fn variable(pattern: &Pat) -> Option<&PatIdent> {
    match pattern {
        Pat::Ident(name) => Some(name),
        Pat::Type(typed) => variable(&typed.pat),
        _ => None,
    }
}

/// The closure that a variable is, with the name.
pub(crate) fn named_closure(local: &Local) -> Option<(&Ident, &ExprClosure)> {
    match (&local.pat, &*local.init.as_ref()?.expr) {
        (Pat::Ident(name), Expr::Closure(closure)) => Some((&name.ident, closure)),
        _ => None,
    }
}

/// A parameter, unless it is the object of a method.
pub(crate) fn typed(parameter: &FnArg) -> Option<&PatType> {
    match parameter {
        FnArg::Typed(parameter) => Some(parameter),
        FnArg::Receiver(_) => None,
    }
}

/// The names of the parameters of a function, but for that of its object.
pub(crate) fn parameters(signature: &Signature) -> BTreeSet<String> {
    signature.inputs.iter().filter_map(typed).flat_map(|typed| bound(&typed.pat)).collect()
}
