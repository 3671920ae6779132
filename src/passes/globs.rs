//! Imports of everything.

use syn::{Item, UseTree};

use super::{Effect, Pass, Reduction, Tier, Tree, walk};

/// Takes `use super::*` out and writes the path in front of each name that it brought in from the
/// module around.
pub(super) const PASS: Pass = Pass {
    name: "globs",
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
    let around: Vec<String> = items.iter().filter_map(name).collect();
    for item in items {
        let Item::Mod(module) = item else { continue };
        let Some((_, inside)) = &module.content else {
            continue;
        };
        expand_in(tree, inside, reductions);
        let own: Vec<String> = inside.iter().filter_map(name).collect();
        for import in inside.iter().filter(|item| is_super_glob(item)) {
            let first_segments = walk::paths(tree).into_iter().filter(|path| {
                let place = tree.range(*path);
                let range = tree.range(module);
                range.start <= place.start && place.end <= range.end && path.leading_colon.is_none()
            });
            let mut expanded = Reduction::remove(tree.range(import));
            for path in first_segments {
                let Some(first) = path
                    .segments
                    .first()
                    .map(|segment| segment.ident.to_string())
                else {
                    continue;
                };
                if around.contains(&first) && !own.contains(&first) {
                    let start = tree.range(path).start;
                    expanded = expanded.and_replace(start..start, "super::");
                }
            }
            reductions.push(expanded);
        }
    }
}

fn is_super_glob(item: &Item) -> bool {
    let Item::Use(import) = item else {
        return false;
    };
    matches!(&import.tree, UseTree::Path(path)
        if path.ident == "super" && matches!(&*path.tree, UseTree::Glob(_)))
}

/// What can be named by a path from another module: a macro without `pub use` cannot.
fn name(item: &Item) -> Option<String> {
    let name = walk::item_name(item).filter(|_| !matches!(item, Item::Macro(_)));
    name.map(ToString::to_string)
}
