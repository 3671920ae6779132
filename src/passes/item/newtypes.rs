//! Structs around a single field.

use std::ops::Range;

use syn::{Expr, Item, ItemStruct, Type};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::patchwork::Patchwork;
use crate::rust::{Reduction, Tree};
use crate::source::types_in;

/// Removes a struct around a single field, with its inherent impls: the type of the field, or the only argument of a
/// generic one, stands in the place of the type, and what it is made of in the place of the value.
pub(crate) const PASS: Pass = Pass {
    name: "newtypes",
    about: "unwrap structs that have a single field",
    tier: Tier::Medium,
    effect: Effect::Any,
    before: "struct S<A> { a: A } fn f(x: S<u8>) { S { a: x.a }; }",
    after: "fn f(x: u8) { x; }",
    propose,
};

/// So many accesses of a field of that name are taken to be of this struct.
const MOST_ACCESSES: usize = 256;

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    tree.items()
        .filter_map(|item| match item {
            Item::Struct(item) => unwrap(tree, item),
            _ => None,
        })
        .collect()
}

fn unwrap(tree: &Tree<'_>, item: &ItemStruct) -> Option<Reduction> {
    let mut fields = item.fields.iter();
    let (Some(field), None) = (fields.next(), fields.next()) else { return None };
    let inner = match item.generics.type_params().count() {
        0 => Some(plain_type(tree, &field.ty)?),
        1 => None,
        _ => return None,
    };
    let mut reduction = Reduction::remove(tree.range(item));
    let name = &item.ident;
    for other in tree.inherent_impls(name) {
        reduction = reduction.and_remove(tree.range(other));
    }
    for ty in tree.types_named(name) {
        if let Some(parts) = &inner {
            let mut text = Patchwork::of(tree.text);
            for part in parts {
                text.copy(part.clone());
            }
            reduction = text.instead_of(tree.range(ty), reduction);
        } else if let Some(argument) = argument(ty) {
            reduction = reduction.and_keep(tree.range(ty), tree.range(argument));
        }
    }
    let makers = tree
        .calls_through(name)
        .chain(tree.literals_of(name))
        .filter_map(|expr| Some((expr, made_of(expr)?)));
    let field = field.ident.as_ref().map_or("0".to_owned(), ToString::to_string);
    let accesses = tree.accesses_of(&field).take(MOST_ACCESSES).filter_map(|expr| match expr {
        Expr::Field(access) => Some((expr, &*access.base)),
        _ => None,
    });
    for (expr, value) in makers.chain(accesses) {
        reduction = reduction.and_keep(tree.range(expr), tree.range(value));
    }
    Some(reduction)
}

/// The parts of a field's type that name it anywhere: without the lifetime of a reference; `None` if that is not enough.
fn plain_type(tree: &Tree<'_>, ty: &Type) -> Option<Vec<Range<usize>>> {
    let whole = tree.range(ty);
    let (parts, rest) = match ty {
        Type::Reference(reference) => {
            let sign = tree.range(&reference.and_token);
            let rest =
                reference.mutability.map_or(tree.range(&reference.elem), |it| tree.range(&it));
            (vec![sign, rest.start..whole.end], rest.start..whole.end)
        }
        _ => (vec![whole.clone()], whole),
    };
    (!tree.text[rest].contains('\'')).then_some(parts)
}

/// `u8` of `S<u8>`.
fn argument(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let types = types_in(&path.path.segments.last()?.arguments);
    types.first().copied()
}

/// `x` of `S(x)`, of `S { a: x }`, of `S::new(x)`.
fn made_of(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::Call(call) => call.args.last(),
        Expr::Struct(literal) => literal.fields.first().map(|field| &field.expr),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::{proposes, results};

    #[test]
    fn a_plain_one_is_its_field() {
        proposes(
            propose,
            "struct T<'a> { v: &'a mut str } fn f<'b>(a: &'b mut str) -> R<&str, T<'b>> { Ok((a, T { v: a })) } fn g(t: T) { t.v.len() }",
            "fn f<'b>(a: &'b mut str) -> R<&str, &mut str> { Ok((a, a)) } fn g(t: &mut str) { t.len() }",
        );
        proposes(
            propose,
            "struct P(Vec<u8>); impl P { fn n(&self) {} } fn f(p: &P) { p.0.len(); P(vec![]) }",
            "fn f(p: &Vec<u8>) { p.len(); vec![] }",
        );
    }

    #[test]
    fn a_type_that_holds_other_lifetimes_stays() {
        let text = "struct T<'a> { v: Cow<'a, str> } struct U<'a>(&'a [&'a str]); fn f(t: T) {}";
        assert_eq!(results(propose, text), [""; 0]);
    }
}
