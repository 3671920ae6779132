//! Imports of everything.

use std::collections::HashSet;

use syn::{Item, Path};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::import_parts::imports_all_around;
use crate::rust::{Reduction, Tree};
use crate::source::item_name;

/// Takes `use super::*` out and writes the path in front of each name that it brought in from the
/// module around.
pub(crate) const PASS: Pass = Pass {
    name: "expand-globs",
    about: "expand use globs at the names that need them",
    tier: Tier::Medium,
    effect: Effect::Quiet,
    before: "struct A; mod m { use super::*; fn f(a: A) {} }",
    after: "struct A; mod m { fn f(a: super::A) {} }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    expand_in(tree, &tree.file.items, &mut reductions);
    reductions
}

/// Looks at the modules among `items`, which stand beside each other.
fn expand_in(tree: &Tree<'_>, items: &[Item], reductions: &mut Vec<Reduction>) {
    let around: HashSet<String> = items.iter().filter_map(name).collect();
    for item in tree.counted(items) {
        let Item::Mod(module) = item else { continue };
        let Some((_, inside)) = &module.content else { continue };
        expand_in(tree, inside, reductions);
        let own: HashSet<String> = inside.iter().filter_map(name).collect();
        let is_brought = |path: &&Path| {
            let first = path.segments[0].ident.to_string();
            around.contains(&first) && !own.contains(&first)
        };
        for import in inside.iter().filter(|item| imports_all_around(item, false)) {
            let brought = tree.paths_within(&tree.range(item)).filter(is_brought);
            let removed = Reduction::remove(tree.range(import));
            reductions.push(brought.fold(removed, |expanded, path| {
                let start = tree.range(path).start;
                expanded.and_replace(start..start, "super::")
            }));
        }
    }
}

/// What can be named by a path from another module: a macro without `pub use` cannot.
fn name(item: &Item) -> Option<String> {
    let name = item_name(item).filter(|_| !matches!(item, Item::Macro(_)));
    name.map(ToString::to_string)
}
