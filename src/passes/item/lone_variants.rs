//! Enums of one variant.

use std::collections::HashMap;
use std::ops::Range;

use syn::{Fields, Ident, Item, ItemEnum, UseTree, Variant};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::names::Word;
use crate::rust::{Reduction, Tree};

/// Makes a struct of an enum that has a single variant, under the name of that variant: this is what
/// `{:?}` shows. Imports of the variant go.
pub(crate) const PASS: Pass = Pass {
    name: "lone-variants",
    about: "swap enums of one variant for structs",
    tier: Tier::Medium,
    effect: Effect::Quiet,
    before: "enum E { A { b: u8 } } fn f() -> E { E::A { b: 1 } }",
    after: "struct A { b: u8 } fn f() -> A { A { b: 1 } }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let imports = imports(tree);
    let enums = tree.items().filter_map(|item| match item {
        Item::Enum(item) => Some((item, lone(item)?)),
        _ => None,
    });
    enums
        .map(|(item, variant)| {
            let (of, name) = (&item.ident, &variant.ident);
            let gone =
                ["*".to_owned(), name.to_string()].map(|name| imports.get(&(of.to_string(), name)));
            let gone = gone.into_iter().flatten().flatten().cloned();
            gone.fold(renamed(tree, of, name), Reduction::and_remove)
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

/// `E::A` and `Self::A` without the enum, and `A` for `E` wherever else it is named.
fn renamed(tree: &Tree<'_>, of: &Ident, variant: &Ident) -> Reduction {
    let behind = |word: &Word| {
        let next = tree.word_behind(word)?;
        (*variant == tree.text[next.range.clone()]).then(|| next.range.clone())
    };
    let mut reduction = Reduction::default();
    for word in tree.words(of) {
        let Range { start, end } = word.range;
        reduction = match behind(word) {
            Some(name) => reduction.and_remove(start..name.start),
            None => reduction.and_replace(start..end, variant.to_string()),
        };
    }
    for block in tree.impls_for(of) {
        for name in tree
            .words_in("Self", &tree.range(block))
            .filter_map(|word| Some((word.range.end, behind(word)?)))
        {
            reduction = reduction.and_remove(name.0..name.1.end);
        }
    }
    reduction
}

/// Imports of one name, or of all names, by what they come from and the name, or `*`.
fn imports(tree: &Tree<'_>) -> HashMap<(String, String), Vec<Range<usize>>> {
    let mut found: HashMap<_, Vec<_>> = HashMap::new();
    for item in tree.items() {
        let Item::Use(import) = item else { continue };
        let (mut of, mut part) = (None, &import.tree);
        while let UseTree::Path(path) = part {
            (of, part) = (Some(path.ident.to_string()), &path.tree);
        }
        let name = match part {
            UseTree::Glob(_) => "*".to_owned(),
            UseTree::Name(name) => name.ident.to_string(),
            _ => continue,
        };
        let of = of.unwrap_or_default();
        found.entry((of, name)).or_default().push(tree.range(item));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::lines;

    #[test]
    fn imports_of_the_variant_and_self_are_followed() {
        let text = "mod m { enum E<T> { A(T, u8), } impl<T> E<T> { fn f(t: T) -> Self { Self::A(t, 1) } } \
                    use E::*; } fn g(e: m::E<u8>) { let m::E::A(..) = e; }";
        assert_eq!(
            lines(propose, text),
            ["mod m { struct A<T> (T, u8); impl<T> A<T> { fn f(t: T) -> Self { Self(t, 1) } } } \
              fn g(e: m::A<u8>) { let m::A(..) = e; }"]
        );
    }

    #[test]
    fn without_fields_a_semicolon_ends_the_struct() {
        assert_eq!(
            lines(propose, "#[derive(Debug)] enum E { A } static E_: E = E::A;"),
            ["#[derive(Debug)] struct A ; static E_: A = A;"]
        );
    }

    #[test]
    fn enums_of_several_variants_stay() {
        assert_eq!(lines(propose, "enum E { A, B } enum F {}"), [""; 0]);
    }
}
