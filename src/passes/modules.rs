//! Modules.

use syn::{Item, ItemMod, UseTree};

use super::{Effect, Pass, Reduction, Tier, Tree, walk};

/// Puts the items of a module in its place; `m::` and the `super::` inside go away. Done once with, and
/// once without the imports that may name what is now beside them: those of the module that come from
/// this crate, and those around it that come from the module.
pub(super) const PASS: Pass = Pass {
    name: "modules",
    about: "flatten modules into what is around them",
    tier: Tier::Medium,
    effect: Effect::Any,
    before: "mod m { pub fn f() { super::g() } } fn g() { m::f() }",
    after: "pub fn f() { g() } fn g() { f() }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    walk::items(tree)
        .into_iter()
        .filter_map(|item| match item {
            Item::Mod(item) => Some((item, flatten(tree, item)?)),
            _ => None,
        })
        .flat_map(|(item, flat)| [without_imports(tree, item, flat.clone()), flat])
        .collect()
}

fn without_imports(tree: &Tree<'_>, module: &ItemMod, flat: Reduction) -> Reduction {
    let inside = module.content.iter().flat_map(|(_, items)| items);
    let local = inside.filter(|item| matches!(item, Item::Use(import) if is_local(&import.tree)));
    let around = neighbours(&tree.file.items, module).into_iter().flatten();
    let through = around
        .filter(|item| matches!(item, Item::Use(import) if leads_through(&import.tree, module)));
    local
        .chain(through)
        .fold(flat, |flat, item| flat.and_remove(tree.range(item)))
}

/// The items that `module` stands among.
fn neighbours<'t>(items: &'t [Item], module: &ItemMod) -> Option<&'t [Item]> {
    items.iter().find_map(|item| match item {
        Item::Mod(item) if std::ptr::eq(item, module) => Some(items),
        Item::Mod(item) => neighbours(&item.content.as_ref()?.1, module),
        _ => None,
    })
}

/// Whether all that is imported comes from within `module`.
fn leads_through(import: &UseTree, module: &ItemMod) -> bool {
    match import {
        UseTree::Path(path) => path.ident == module.ident || leads_through(&path.tree, module),
        _ => false,
    }
}

fn is_local(tree: &UseTree) -> bool {
    matches!(tree, UseTree::Path(path) if ["crate", "super", "self"].iter().any(|root| path.ident == root))
}

fn flatten(tree: &Tree<'_>, module: &ItemMod) -> Option<Reduction> {
    let (braces, _) = module.content.as_ref()?;
    let outer = tree.range(module);
    let inner = tree.inside(&braces.span);
    let mut reduction = Reduction::keep(outer.clone(), inner.clone());
    for (segment, separator) in prefixes(tree) {
        let place = tree.span(segment.span());
        let is_inside = inner.contains(&place.start);
        if *segment == module.ident || is_inside && segment == "super" {
            reduction = reduction.and_remove(place.start..separator);
        }
    }
    Some(reduction)
}

/// The segments of paths that are followed by `::`, and where that ends.
fn prefixes<'t>(tree: &'t Tree<'_>) -> Vec<(&'t proc_macro2::Ident, usize)> {
    let mut prefixes = Vec::new();
    for path in walk::paths(tree) {
        for pair in path.segments.pairs() {
            if let Some(separator) = pair.punct() {
                prefixes.push((&pair.value().ident, tree.range(separator).end));
            }
        }
    }
    for part in walk::use_trees(tree) {
        if let UseTree::Path(part) = part {
            prefixes.push((&part.ident, tree.range(&part.colon2_token).end));
        }
    }
    prefixes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::{StandIn, apply};

    #[test]
    fn imports_of_what_is_now_beside_them_go() {
        let text = "struct A; mod m { use crate::A; struct B(A); }";
        let results = Tree::with(text, StandIn::Loop, |tree| {
            let texts = propose(tree)
                .into_iter()
                .map(|reduction| apply(text, [&reduction]));
            texts.collect::<Vec<_>>()
        });
        assert_eq!(results.unwrap()[0], "struct A;   struct B(A); ");
    }

    #[test]
    fn imports_around_it_of_what_comes_out_of_the_module_go() {
        let text = "mod n { pub use self::m::A; mod m { pub struct A; } } use n::A;";
        let results = Tree::with(text, StandIn::Loop, |tree| {
            let texts = propose(tree)
                .into_iter()
                .map(|reduction| apply(text, [&reduction]));
            texts.collect::<Vec<_>>()
        })
        .unwrap();
        let expected = "mod n {   pub struct A;  } use n::A;";
        assert!(
            results.iter().any(|result| result == expected),
            "{results:?}"
        );
    }
}
