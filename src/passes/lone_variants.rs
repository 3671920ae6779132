//! Enums of one variant.

use std::ops::Range;

use proc_macro2::{Ident, TokenTree};
use syn::{Fields, Item, ItemEnum, UseTree, Variant};

use super::{Effect, Pass, Reduction, Tier, Tree, walk};

/// Makes a struct of an enum that has a single variant, under the name of that variant: this is what
/// `{:?}` shows. Imports of the variant go.
pub(super) const PASS: Pass = Pass {
    name: "lone-variants",
    about: "swap enums of one variant for structs",
    tier: Tier::Medium,
    effect: Effect::Quiet,
    before: "enum E { A { b: u8 } } fn f() -> E { E::A { b: 1 } }",
    after: "struct A { b: u8 } fn f() -> A { A { b: 1 } }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let words = words(tree);
    let items = walk::items(tree);
    let enums = items.iter().filter_map(|item| match item {
        Item::Enum(item) => Some((item, lone(item)?)),
        _ => None,
    });
    enums
        .map(|(item, variant)| {
            let renamed = renamed(&words, (&item.ident, &variant.ident));
            let imports = items.iter().filter(|other| {
                matches!(other, Item::Use(import) if names(&import.tree, &item.ident, &variant.ident))
            });
            imports.fold(renamed, |made, import| made.and_remove(tree.range(*import)))
                .and_replace(tree.range(&item.enum_token), "struct")
                .and_remove(before_fields(tree, item, variant))
                .and_replace(
                    after_fields(tree, item, variant),
                    if matches!(variant.fields, Fields::Named(_)) { "" } else { ";" },
                )
        })
        .collect()
}

fn lone(item: &ItemEnum) -> Option<&Variant> {
    let mut variants = item.variants.iter();
    variants.next().filter(|_| variants.next().is_none())
}

/// The brace of the enum, and the name of its variant with what stands before it.
fn before_fields(tree: &Tree<'_>, item: &ItemEnum, variant: &Variant) -> Range<usize> {
    let brace = tree.span(item.brace_token.span.open());
    brace.start..tree.range(&variant.ident).end
}

/// What follows the fields, up to the end of the enum.
fn after_fields(tree: &Tree<'_>, item: &ItemEnum, variant: &Variant) -> Range<usize> {
    let start = match &variant.fields {
        Fields::Unit => tree.range(&variant.ident).end,
        fields => tree.range(fields).end,
    };
    start..tree.span(item.brace_token.span.close()).end
}

/// All words and colons of a text with their places.
fn words(tree: &Tree<'_>) -> Vec<(String, Range<usize>)> {
    let tokens = walk::flat_tokens(&tree.file).into_iter();
    let words = tokens.filter(|token| match token {
        TokenTree::Ident(_) => true,
        TokenTree::Punct(punct) => punct.as_char() == ':',
        _ => false,
    });
    words
        .map(|token| (token.to_string(), tree.span(token.span())))
        .collect()
}

/// `E::A` and `Self::A` without the enum, and `A` for `E` wherever else it is named.
fn renamed(words: &[(String, Range<usize>)], (of, variant): (&Ident, &Ident)) -> Reduction {
    let mut reduction = Reduction::default();
    for (at, (word, place)) in words.iter().enumerate() {
        let next = match words.get(at + 1..at + 4) {
            Some([(first, _), (second, _), (name, end)])
                if first == ":" && second == ":" && variant == name =>
            {
                Some(end)
            }
            _ => None,
        };
        reduction = match next {
            Some(name) if of == word => reduction.and_remove(place.start..name.start),
            Some(name) if word == "Self" => reduction.and_remove(place.end..name.end),
            None if of == word => reduction.and_replace(place.clone(), variant.to_string()),
            _ => reduction,
        };
    }
    reduction
}

/// Whether all that is imported is the variant, or all variants.
fn names(import: &UseTree, of: &Ident, variant: &Ident) -> bool {
    match import {
        UseTree::Path(path) if path.ident == *of => match &*path.tree {
            UseTree::Glob(_) => true,
            UseTree::Name(name) => name.ident == *variant,
            _ => false,
        },
        UseTree::Path(path) => names(&path.tree, of, variant),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing;

    fn made_of(text: &str) -> Vec<String> {
        testing::lines(propose, text)
    }

    #[test]
    fn imports_of_the_variant_and_self_are_followed() {
        let text = "mod m { enum E<T> { A(T, u8), } impl<T> E<T> { fn f(t: T) -> Self { Self::A(t, 1) } } \
                    use E::*; } fn g(e: m::E<u8>) { let m::E::A(..) = e; }";
        assert_eq!(
            made_of(text),
            [
                "mod m { struct A<T> (T, u8); impl<T> A<T> { fn f(t: T) -> Self { Self(t, 1) } } } \
              fn g(e: m::A<u8>) { let m::A(..) = e; }"
            ]
        );
    }

    #[test]
    fn without_fields_a_semicolon_ends_the_struct() {
        assert_eq!(
            made_of("#[derive(Debug)] enum E { A } static E_: E = E::A;"),
            ["#[derive(Debug)] struct A ; static E_: A = A;"]
        );
    }

    #[test]
    fn enums_of_several_variants_stay() {
        assert_eq!(made_of("enum E { A, B } enum F {}"), [""; 0]);
    }
}
