//! Impls of traits that could be without the trait.

use std::collections::HashMap;
use std::ops::Range;

use syn::visit::{self, Visit};
use syn::{ImplItem, Item, ItemImpl, TypePath, Visibility};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};

/// Makes an impl of a trait one of the type alone: its associated types go, and stand where they were named, its constants
/// stay, and so do its functions, as they are or public. What the trait asks for besides is not needed then.
pub(crate) const PASS: Pass = Pass {
    name: "inherent",
    about: "turn trait impls into inherent impls",
    tier: Tier::Medium,
    effect: Effect::Quiet,
    before: "struct S; impl Iterator for S { type Item = u8; fn next(&mut self) -> Option<Self::Item> { None } }",
    after: "struct S; impl S { fn next(&mut self) -> Option<u8> { None } }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let impls = tree.items().filter_map(|item| match item {
        Item::Impl(item) if item.unsafety.is_none() => Some(item),
        _ => None,
    });
    impls
        .filter_map(|item| inherent(tree, item))
        .flat_map(|private| {
            let public = private.functions.iter().fold(private.reduction.clone(), |all, start| {
                all.and_replace(*start..*start, "pub ")
            });
            [private.reduction, public]
        })
        .collect()
}

/// An impl without its trait.
struct Inherent {
    reduction: Reduction,
    /// Where its functions start, behind their attributes.
    functions: Vec<usize>,
}

fn inherent(tree: &Tree<'_>, item: &ItemImpl) -> Option<Inherent> {
    let (implemented, _) = item.trait_.as_ref()?;
    let head = tree.range(implemented).start..tree.range(&*item.self_ty).start;
    let mut reduction = Reduction::remove(head);
    let mut types = HashMap::new();
    let mut functions = Vec::new();
    for member in &item.items {
        match member {
            ImplItem::Type(member) => {
                types.insert(member.ident.to_string(), tree.range(&member.ty));
                reduction = reduction.and_remove(tree.range(member));
            }
            ImplItem::Fn(member) if matches!(member.vis, Visibility::Inherited) => {
                functions.push(tree.range(&member.sig).start);
            }
            _ => {}
        }
    }
    let mut named = Named { tree, types: &types, uses: Vec::new() };
    named.visit_item_impl(item);
    let uses = named.uses.into_iter();
    let reduction =
        uses.fold(reduction, |all, (place, ty)| all.and_copy(place, tree.text, ty, "", ""));
    Some(Inherent { reduction, functions })
}

/// Where associated types are named, with the range of what they are.
struct Named<'a, 't> {
    tree: &'a Tree<'t>,
    types: &'a HashMap<String, Range<usize>>,
    uses: Vec<(Range<usize>, Range<usize>)>,
}

impl<'ast> Visit<'ast> for Named<'_, '_> {
    fn visit_type_path(&mut self, path: &'ast TypePath) {
        let mut segments = path.path.segments.iter();
        let named = (segments.next(), segments.next(), segments.next());
        if let (Some(first), Some(second), None) = named
            && first.ident == "Self"
            && let Some(ty) = self.types.get(&second.ident.to_string())
        {
            self.uses.push((self.tree.range(path), ty.clone()));
        }
        visit::visit_type_path(self, path);
    }

    /// They go.
    fn visit_impl_item_type(&mut self, _: &'ast syn::ImplItemType) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::results;

    #[test]
    fn functions_stay_as_they_are_or_public_and_foreign_words_stay() {
        let text = "impl<T> a::B<T> for S<T> { const N: u8 = 1; #[inline] fn f(self) -> T::Err { Self::N } }";
        let head = "impl<T> S<T> { const N: u8 = 1; #[inline] ";
        let rest = "fn f(self) -> T::Err { Self::N } }";
        assert_eq!(results(propose, text), [format!("{head}{rest}"), format!("{head}pub {rest}")]);
        assert!(results(propose, "impl S { fn f() {} } unsafe impl Send for S {}").is_empty());
    }
}
