//! Modules.

use std::collections::HashMap;
use std::ops::Range;

use syn::{Item, ItemMod, UseTree};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};

/// Puts the items of a module in its place; `m::` and the `super::` inside go away. Done once with, and
/// once without the imports that may name what is now beside them: those of the module that come from
/// this crate, and those around it that come from the module.
pub(crate) const PASS: Pass = Pass {
    name: "modules",
    about: "move the items of a module into its parent",
    tier: Tier::Medium,
    effect: Effect::Any,
    before: "mod m { pub fn f() { super::g() } } fn g() { m::f() }",
    after: "pub fn f() { g() } fn g() { f() }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut neighbours = HashMap::new();
    add_neighbours(tree, &tree.file.items, &mut neighbours);
    let modules = tree.items().filter_map(|item| match item {
        Item::Mod(module) => Some((module, flatten(tree, module)?)),
        _ => None,
    });
    modules
        .flat_map(|(module, flat)| {
            let around = neighbours.get(&tree.span(module.ident.span()).start);
            let around = around.copied().unwrap_or_default();
            [without_imports(tree, module, around, flat.clone()), flat]
        })
        .collect()
}

fn without_imports(
    tree: &Tree<'_>,
    module: &ItemMod,
    around: &[Item],
    flat: Reduction,
) -> Reduction {
    let inside = module.content.iter().flat_map(|(_, items)| items);
    let local = inside.filter(|item| matches!(item, Item::Use(import) if is_local(&import.tree)));
    let through = around.iter().filter_map(|item| match item {
        Item::Use(import) => Some(through(tree, &import.tree, tree.range(item), module)),
        _ => None,
    });
    let local = local.map(|item| tree.range(item));
    local.chain(through.flatten()).fold(flat, Reduction::and_remove)
}

/// Adds the items that each module stands among, by the place of its name.
fn add_neighbours<'t>(tree: &Tree<'_>, items: &'t [Item], found: &mut HashMap<usize, &'t [Item]>) {
    for item in items {
        let Item::Mod(module) = item else { continue };
        found.insert(tree.span(module.ident.span()).start, items);
        if let Some((_, inside)) = &module.content {
            add_neighbours(tree, inside, found);
        }
    }
}

/// The parts of an import, or all of its `range`, that come from within `module`.
fn through(
    tree: &Tree<'_>,
    import: &UseTree,
    range: Range<usize>,
    module: &ItemMod,
) -> Vec<Range<usize>> {
    match import {
        UseTree::Path(path) if path.ident == module.ident => vec![range],
        UseTree::Path(path) => through(tree, &path.tree, range, module),
        UseTree::Group(group) => {
            let parts: Vec<Range<usize>> = tree.elements(&group.items);
            let found = group.items.iter().zip(&parts);
            let found: Vec<Range<usize>> =
                found.flat_map(|(item, part)| through(tree, item, part.clone(), module)).collect();
            if found == parts { vec![range] } else { found }
        }
        _ => Vec::new(),
    }
}

fn is_local(tree: &UseTree) -> bool {
    matches!(tree, UseTree::Path(path) if ["crate", "super", "self"].iter().any(|root| path.ident == root))
}

fn flatten(tree: &Tree<'_>, module: &ItemMod) -> Option<Reduction> {
    let (braces, _) = module.content.as_ref()?;
    let outer = tree.range(module);
    let inner = tree.inside(&braces.span);
    let words = tree.words(&module.ident).chain(tree.words_in("super", &inner));
    let leading = words.filter(|word| tree.text[word.range.end..].trim_start().starts_with("::"));
    let prefixes = leading.map(|word| {
        let behind = tree.text[word.range.end..].trim_start();
        word.range.start..tree.text.len() - behind.len() + 2
    });
    Some(prefixes.fold(Reduction::keep(outer, inner.clone()), Reduction::and_remove))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::{proposes_all, results};

    #[test]
    fn imports_of_what_is_now_beside_them_go() {
        let text = "struct A; mod m { use crate::A; struct B(A); }";
        let results = results(propose, text);
        assert_eq!(results[0], "struct A;   struct B(A); ");
    }

    #[test]
    fn imports_around_it_of_what_comes_out_of_the_module_go() {
        let text = "mod n { pub use self::m::A; mod m { pub struct A; } } use n::A;";
        proposes_all(propose, text, ["mod n {   pub struct A;  } use n::A;"]);
        let text = "mod m { pub struct A; } mod n { pub fn f() {} } use crate::{m::A, n::f};";
        proposes_all(
            propose,
            text,
            [
                " pub struct A;  mod n { pub fn f() {} } use crate::{ n::f};",
                "mod m { pub struct A; }  pub fn f() {}  use crate::{m::A};",
            ],
        );
        let text = "mod m { pub struct A; pub struct B; } use self::{m::{A, B}};";
        proposes_all(propose, text, [" pub struct A; pub struct B;  "]);
    }
}
