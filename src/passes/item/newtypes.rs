//! Structs around a single field.

use syn::{Expr, Item, ItemStruct, Type};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};
use crate::source::types_in;

/// Removes a generic struct around a single field, with its inherent impls: its only argument stands in
/// the place of the type, and what it is made of in the place of the value.
pub(crate) const PASS: Pass = Pass {
    name: "newtypes",
    about: "unwrap generic structs that have a single field",
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
    if item.generics.type_params().count() != 1 {
        return None;
    }
    let mut reduction = Reduction::remove(tree.range(item));
    let name = &item.ident;
    for other in tree.inherent_impls(name) {
        reduction = reduction.and_remove(tree.range(other));
    }
    for ty in tree.types_named(name) {
        if let Some(argument) = argument(ty) {
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
