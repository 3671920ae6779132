//! Variants of enums.

use syn::{Item, Pat};

use super::{Effect, Pass, Reduction, Tier, Tree, walk};

/// Removes a variant alone, and with the arms that match it; removes a discriminant.
pub(super) const PASS: Pass = Pass {
    name: "variants",
    about: "remove variants of enums with the arms that match them",
    tier: Tier::Medium,
    effect: Effect::Quiet,
    before: "enum E { A, B = 2 } fn f(e: E) { match e { E::A => {} E::B => {} } }",
    after: "enum E { A } fn f(e: E) { match e { E::A => {} } }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let arms = walk::arms(tree);
    let mut reductions = Vec::new();
    for item in walk::items(tree) {
        let Item::Enum(item) = item else { continue };
        for (variant, range) in item.variants.iter().zip(tree.elements(&item.variants)) {
            // `, B = 2` and `A,` are cut so that no comma is left behind.
            let alone = Reduction::remove(range);
            let mut together = alone.clone();
            for arm in arms
                .iter()
                .filter(|arm| matches_variant(&arm.pat, &variant.ident))
            {
                together = together.and_remove(tree.range(*arm));
            }
            if together != alone {
                reductions.push(together);
            }
            reductions.push(alone);
            if let Some((equals, value)) = &variant.discriminant {
                let range = tree.range(equals).start..tree.range(value).end;
                reductions.push(Reduction::remove(range));
            }
        }
    }
    reductions
}

fn matches_variant(pattern: &Pat, variant: &syn::Ident) -> bool {
    let path = match pattern {
        Pat::Path(pattern) => &pattern.path,
        Pat::Struct(pattern) => &pattern.path,
        Pat::TupleStruct(pattern) => &pattern.path,
        Pat::Ident(pattern) => return pattern.ident == *variant,
        _ => return false,
    };
    path.segments
        .last()
        .is_some_and(|segment| segment.ident == *variant)
}
