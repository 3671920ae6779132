//! Values that are made when they are first used, and then stay for the whole process: code like that of a
//! function, but each candidate needs a process of its own.

use std::collections::BTreeSet;

use syn::parse::{Parse, ParseStream, Parser};
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{Expr, ExprMethodCall, Macro, Token};

use super::found::{Owner, OwnerKind};
use super::walk::Walk;
use crate::source::item::Item;
use crate::source::tokens::plain;
use crate::source::{Crate, Tier, idents};

/// Whether a macro of this name makes such statics.
pub(super) fn is_macro(name: &str) -> bool {
    matches!(name, "lazy_static" | "thread_local")
}

/// Whether the call makes its value only once.
pub(super) fn is_once(call: &ExprMethodCall) -> bool {
    matches!(
        plain(&call.method).as_str(),
        "get_or_init" | "get_or_try_init" | "call_once" | "call_once_force"
    )
}

impl Crate {
    /// Whether a macro call makes a lazy static of one of these names.
    pub(super) fn makes_lazy(&self, call: &Item, names: &BTreeSet<String>) -> bool {
        is_macro(&call.name)
            && idents::defined_in(self.text_of(call)).iter().any(|name| names.contains(name))
    }
}

/// Walks the statics of such a macro.
pub(super) fn walk_macro(walk: &mut Walk<'_, '_>, mac: &Macro) {
    let statics = |input: ParseStream<'_>| {
        let mut statics = Vec::new();
        while !input.is_empty() {
            statics.push(Static::parse(input)?);
        }
        Ok(statics)
    };
    match statics.parse2(mac.tokens.clone()) {
        Ok(statics) => {
            for Static { name, value } in statics {
                walk_value(walk, plain(&name), &value);
            }
        }
        Err(_) => walk.skip(&mac.tokens, "statics that cannot be parsed"),
    }
}

/// Walks the code that makes the value of that name.
pub(super) fn walk_value(walk: &mut Walk<'_, '_>, name: String, value: &Expr) {
    let owner =
        Owner { kind: OwnerKind::Helper, name, file: walk.file, span: walk.range(value.span()) };
    walk.owned(owner, |walk| once(walk, |walk| walk.visit_expr(value)));
}

/// Walks code that runs once in a process.
pub(super) fn once<'r, 'w>(walk: &mut Walk<'w, 'r>, inside: impl FnOnce(&mut Walk<'w, 'r>)) {
    let before = walk.found.places.len();
    walk.at_tier(Tier::Process, inside);
    walk.found.is_made_once |= walk.found.places.len() > before;
}

/// `static NAME: TYPE = value;`, with a `ref` in the macro of that crate.
struct Static {
    name: syn::Ident,
    value: Expr,
}

impl Parse for Static {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        input.call(syn::Attribute::parse_outer)?;
        input.parse::<syn::Visibility>()?;
        input.parse::<Token![static]>()?;
        input.parse::<Option<Token![ref]>>()?;
        let name = input.parse()?;
        input.parse::<Token![:]>()?;
        input.parse::<syn::Type>()?;
        input.parse::<Token![=]>()?;
        let value = input.parse()?;
        input.parse::<Option<Token![;]>>()?;
        Ok(Static { name, value })
    }
}
