//! Variants of enums.

use std::collections::HashMap;
use std::ops::Range;

use syn::{Item, Pat, Path};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};

/// Removes a variant alone, and with the arms that match it; removes a discriminant.
pub(crate) const PASS: Pass = Pass {
    name: "variants",
    about: "remove variants of enums and the arms that match them",
    tier: Tier::Medium,
    effect: Effect::Quiet,
    before: "enum E { A, B = 2 } fn f(e: E) { match e { E::A => {} E::B => {} } }",
    after: "enum E { A } fn f(e: E) { match e { E::A => {} } }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let arms = arms(tree);
    let mut reductions = Vec::new();
    for item in tree.items() {
        let Item::Enum(item) = item else { continue };
        for (variant, range) in item.variants.iter().zip(tree.elements(&item.variants)) {
            // `, B = 2` and `A,` are cut so that no comma is left behind.
            let alone = Reduction::remove(range);
            let name = variant.ident.to_string();
            // The variant may have been imported.
            let of = [Some(item.ident.to_string()), None];
            let matching =
                of.map(|of| arms.get(&(of, name.clone()))).into_iter().flatten().flatten();
            let together =
                tree.counted(matching).cloned().fold(alone.clone(), Reduction::and_remove);
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

/// The arms by the last words of the path that they match.
fn arms(tree: &Tree<'_>) -> HashMap<(Option<String>, String), Vec<Range<usize>>> {
    let mut found: HashMap<_, Vec<_>> = HashMap::new();
    for arm in tree.arms() {
        let range = tree.range(arm);
        let (of, name) = match &arm.pat {
            Pat::Ident(pattern) => (None, pattern.ident.to_string()),
            pattern => {
                let Some(path) = path_of(pattern) else { continue };
                let mut words = path.segments.iter().rev().map(|segment| segment.ident.to_string());
                let Some(name) = words.next() else { continue };
                (words.next(), name)
            }
        };
        let own =
            of.as_deref().filter(|of| *of == "Self").and_then(|_| tree.self_name(range.start));
        let of = own.map(ToOwned::to_owned).or(of);
        found.entry((of, name)).or_default().push(range);
    }
    found
}

fn path_of(pattern: &Pat) -> Option<&Path> {
    match pattern {
        Pat::Path(pattern) => Some(&pattern.path),
        Pat::Struct(pattern) => Some(&pattern.path),
        Pat::TupleStruct(pattern) => Some(&pattern.path),
        _ => None,
    }
}
