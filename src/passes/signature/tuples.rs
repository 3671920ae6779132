//! Structs that could be tuples.

use std::ops::Range;

use syn::{Expr, GenericParam, Ident, Item, ItemStruct, Pat, Path, PathArguments, Type};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};

/// Removes a struct that has types for parameters, with its inherent impls: a tuple of its arguments
/// stands in its place, and one of its values in the place of a value.
pub(crate) const PASS: Pass = Pass {
    name: "tuples",
    about: "replace generic structs by tuples",
    tier: Tier::Medium,
    effect: Effect::Any,
    before: "struct S<A, B>(A, B); impl<A, B> T for S<A, B> {} fn f() { S(1, 2) }",
    after: "impl<A, B> T for (A, B) {} fn f() { (1, 2) }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let structs = tree.items().filter_map(|item| match item {
        Item::Struct(item) => Some(item),
        _ => None,
    });
    structs.filter(|item| has_types_only(item)).map(|item| replaced(tree, item)).collect()
}

fn has_types_only(item: &ItemStruct) -> bool {
    let params = &item.generics.params;
    !params.is_empty() && params.iter().all(|param| matches!(param, GenericParam::Type(_)))
}

fn replaced(tree: &Tree<'_>, item: &ItemStruct) -> Reduction {
    let name = &item.ident;
    let mut reduction = Reduction::remove(tree.range(item));
    for other in tree.inherent_impls(name) {
        reduction = reduction.and_remove(tree.range(other));
    }
    for ty in tree.types_named(name) {
        if let Type::Path(ty) = ty {
            reduction = as_tuple(tree, &ty.path, reduction);
        }
    }
    constructors(tree, name).fold(reduction, Reduction::and_remove)
}

/// `(A, B)` in the place of `S<A, B>`.
fn as_tuple(tree: &Tree<'_>, path: &Path, reduction: Reduction) -> Reduction {
    let whole = tree.range(path);
    let arguments = path.segments.last().map(|segment| &segment.arguments);
    let Some(PathArguments::AngleBracketed(list)) = arguments else {
        return reduction.and_replace(whole, "()");
    };
    let inside = tree.range(&list.args);
    let end = if list.args.len() == 1 { ",)" } else { ")" };
    reduction.and_replace(whole.start..inside.start, "(").and_replace(inside.end..whole.end, end)
}

/// The name in front of the values of a tuple struct, in expressions and patterns.
fn constructors(tree: &Tree<'_>, name: &Ident) -> impl Iterator<Item = Range<usize>> {
    let calls = tree.calls_of(name).filter_map(|expr| match expr {
        Expr::Call(call) => Some(tree.range(&call.func)),
        _ => None,
    });
    let patterns = tree.patterns_of(name).filter_map(|pattern| match pattern {
        Pat::TupleStruct(pattern) => Some(tree.range(&pattern.path)),
        _ => None,
    });
    calls.chain(patterns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::results;

    #[test]
    fn one_argument_is_a_tuple_too() {
        let text = "struct S<A>; impl<A> S<A> {} fn f(S(x): S<u8>, y: &S<S<u8>>) {}";
        let results = results(propose, text);
        assert_eq!(results, ["  fn f((x): (u8,), y: &((u8,),)) {}"]);
    }
}
