//! Structs around a single field.

use syn::{Expr, GenericArgument, Ident, Item, ItemStruct, Member, Path, PathArguments, Type};

use super::{Effect, Pass, Reduction, Tier, Tree, walk};

/// Removes a generic struct around a single field, with its inherent impls: its only argument stands in
/// the place of the type, and what it is made of in the place of the value.
pub(super) const PASS: Pass = Pass {
    name: "newtypes",
    about: "unwrap generic structs that have a single field",
    tier: Tier::Medium,
    effect: Effect::Any,
    before: "struct S<A> { a: A } fn f(x: S<u8>) { S { a: x.a }; }",
    after: "fn f(x: u8) { x; }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    walk::items(tree)
        .into_iter()
        .filter_map(|item| match item {
            Item::Struct(item) => unwrap(tree, item),
            _ => None,
        })
        .collect()
}

fn unwrap(tree: &Tree<'_>, item: &ItemStruct) -> Option<Reduction> {
    let mut fields = item.fields.iter();
    let (Some(field), None) = (fields.next(), fields.next()) else {
        return None;
    };
    if item.generics.type_params().count() != 1 {
        return None;
    }
    let mut reduction = Reduction::remove(tree.range(item));
    for other in walk::items(tree) {
        if let Item::Impl(other) = other
            && other.trait_.is_none()
            && matches!(&*other.self_ty, Type::Path(path) if is_last(&path.path, &item.ident))
        {
            reduction = reduction.and_remove(tree.range(other));
        }
    }
    for ty in walk::types(tree) {
        if let Some(argument) = argument(ty, &item.ident) {
            reduction = and_keep(reduction, tree.range(ty), tree.range(argument));
        }
    }
    for expr in walk::exprs(tree) {
        if let Some(value) = value(expr, item, field.ident.as_ref()) {
            reduction = and_keep(reduction, tree.range(expr), tree.range(value));
        }
    }
    Some(reduction)
}

fn and_keep(
    reduction: Reduction,
    outer: std::ops::Range<usize>,
    inner: std::ops::Range<usize>,
) -> Reduction {
    reduction
        .and_remove(outer.start..inner.start)
        .and_remove(inner.end..outer.end)
}

fn is_last(path: &Path, name: &Ident) -> bool {
    path.segments
        .last()
        .is_some_and(|segment| segment.ident == *name)
}

/// `u8` of `S<u8>`.
fn argument<'t>(ty: &'t Type, name: &Ident) -> Option<&'t Type> {
    let Type::Path(path) = ty else { return None };
    let last = path
        .path
        .segments
        .last()
        .filter(|segment| segment.ident == *name)?;
    let PathArguments::AngleBracketed(list) = &last.arguments else {
        return None;
    };
    list.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// `x` of `S(x)`, of `S { a: x }`, of `S::new(x)`, and of `x.a`.
fn value<'t>(expr: &'t Expr, item: &ItemStruct, field: Option<&Ident>) -> Option<&'t Expr> {
    match expr {
        Expr::Call(call) => {
            let Expr::Path(func) = &*call.func else {
                return None;
            };
            let is_ours = func
                .path
                .segments
                .iter()
                .any(|segment| segment.ident == item.ident);
            call.args.last().filter(|_| is_ours)
        }
        Expr::Struct(literal) if is_last(&literal.path, &item.ident) => {
            literal.fields.first().map(|field| &field.expr)
        }
        Expr::Field(access) => match (&access.member, field) {
            (Member::Named(member), Some(field)) if member == field => Some(&access.base),
            (Member::Unnamed(member), None) if member.index == 0 => Some(&access.base),
            _ => None,
        },
        _ => None,
    }
}
