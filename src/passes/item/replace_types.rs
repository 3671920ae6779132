//! Types for simpler ones.

use proc_macro2::Ident;
use syn::{Item, Type};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};

/// Removes a type, and lets another one take its place wherever it is named: `()`, `u8`, or another
/// type of the file; its inherent impls go along.
pub(crate) const PASS: Pass = Pass {
    name: "replace-types",
    about: "remove types and use simpler ones instead",
    tier: Tier::Medium,
    effect: Effect::Any,
    before: "struct A; struct B; impl T for A {} fn f(a: A, b: B) {}",
    after: "struct B; impl T for B {} fn f(a: B, b: B) {}",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let types: Vec<(&Item, &Ident)> =
        tree.items().filter_map(|item| Some((item, type_name(item)?))).collect();
    let mut reductions = Vec::new();
    for (item, name) in &types {
        let inherent = tree.inherent_impls(name).filter(|other| is_for(other, name));
        let removed = inherent.fold(Reduction::remove(tree.range(*item)), |reduction, other| {
            reduction.and_remove(tree.range(other))
        });
        let others = types.iter().map(|(_, other)| *other).filter(|other| other != name);
        let replacements =
            ["()", "u8"].into_iter().map(str::to_owned).chain(others.map(Ident::to_string));
        for replacement in replacements.take(MOST) {
            reductions.push(renamed(tree, item, name, &removed, &replacement));
        }
    }
    reductions
}

/// How many replacements are proposed for each type.
const MOST: usize = 4;

/// Types without parameters: to name others in their place needs no arguments.
fn type_name(item: &Item) -> Option<&Ident> {
    let (name, generics) = match item {
        Item::Struct(item) => (&item.ident, &item.generics),
        Item::Enum(item) => (&item.ident, &item.generics),
        Item::Union(item) => (&item.ident, &item.generics),
        _ => return None,
    };
    generics.params.is_empty().then_some(name)
}

/// Whether an implementation is for the type called just so.
fn is_for(item: &Item, name: &Ident) -> bool {
    matches!(item, Item::Impl(item) if matches!(&*item.self_ty, Type::Path(path) if path.path.is_ident(name)))
}

fn renamed(
    tree: &Tree<'_>,
    item: &Item,
    name: &Ident,
    removed: &Reduction,
    replacement: &str,
) -> Reduction {
    let definition = tree.range(item);
    tree.words(name)
        .map(|word| word.range.clone())
        .filter(|mention| !definition.contains(&mention.start))
        .fold(removed.clone(), |reduction, mention| reduction.and_replace(mention, replacement))
}
