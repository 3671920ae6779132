//! Variants of enums.

use std::collections::HashMap;
use std::ops::Range;

use syn::visit::{self, Visit};
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

/// The arms by the last words of each path that their patterns need, and so the alternatives of an arm.
fn arms(tree: &Tree<'_>) -> HashMap<(Option<String>, String), Vec<Range<usize>>> {
    let mut found: HashMap<_, Vec<_>> = HashMap::new();
    let mut add = |pattern: &Pat, range: Range<usize>| {
        for (of, name) in needed(pattern) {
            let own = of.as_deref().filter(|of| *of == "Self");
            let own = own.and_then(|_| tree.self_name(range.start)).map(ToOwned::to_owned);
            found.entry((own.or(of), name)).or_default().push(range.clone());
        }
    };
    for arm in tree.arms() {
        match &arm.pat {
            Pat::Or(pattern) => {
                let ranges = tree.elements(&pattern.cases);
                pattern.cases.iter().zip(ranges).for_each(|(case, range)| add(case, range));
            }
            pattern => add(pattern, tree.range(arm)),
        }
    }
    found
}

/// The last two words of each path without which a pattern never matches.
fn needed(pattern: &Pat) -> Vec<(Option<String>, String)> {
    let mut needed = Needed::default();
    needed.visit_pat(pattern);
    needed.0
}

#[derive(Default)]
struct Needed(Vec<(Option<String>, String)>);

impl<'p> Visit<'p> for Needed {
    fn visit_pat(&mut self, pattern: &'p Pat) {
        match pattern {
            // One of them is enough.
            Pat::Or(_) => {}
            Pat::Ident(pattern) if pattern.subpat.is_none() => {
                self.0.push((None, pattern.ident.to_string()));
            }
            pattern => visit::visit_pat(self, pattern),
        }
    }

    fn visit_path(&mut self, path: &'p Path) {
        let mut words = path.segments.iter().rev().map(|segment| segment.ident.to_string());
        if let Some(name) = words.next() {
            self.0.push((words.next(), name));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::proposes;

    #[test]
    fn arms_and_alternatives_that_need_a_variant_go_with_it() {
        proposes(
            propose,
            "enum E { A, B(u8) } fn f(e: Option<E>) { match e { Some(E::A) => a(), Some(E::B(1)) | None => b(), \
             Some(E::B(_)) => c() } }",
            "enum E { A } fn f(e: Option<E>) { match e { Some(E::A) => a(), None => b(), } }",
        );
        proposes(
            propose,
            "enum E { A, B } fn f(e: (E, E)) { match e { (E::A | E::B, E::A) => a(), (_, E::B) => b() } }",
            "enum E { A } fn f(e: (E, E)) { match e { (E::A | E::B, E::A) => a(), } }",
        );
    }
}
