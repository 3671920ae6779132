//! Modules, and what can be named in them.

use std::collections::HashSet;
use std::ops::Range;

use syn::{Item, UseTree};

use super::{Tree, walk};

/// A module with a body, or the file.
pub(super) struct Module {
    range: Range<usize>,
    /// From the root of the crate, with `::` at the end.
    pub(super) path: String,
    /// What its items and imports are called.
    pub(super) names: HashSet<String>,
}

impl Module {
    /// All modules, outer ones first.
    pub(super) fn all(tree: &Tree<'_>) -> Vec<Module> {
        let mut modules = Vec::new();
        let whole = 0..tree.text.len();
        Module::add(
            tree,
            whole,
            "crate::".to_owned(),
            &tree.file.items,
            &mut modules,
        );
        modules
    }

    fn add(
        tree: &Tree<'_>,
        range: Range<usize>,
        path: String,
        items: &[Item],
        modules: &mut Vec<Module>,
    ) {
        let names = items.iter().flat_map(names).collect();
        let place = modules.len();
        modules.push(Module { range, path, names });
        for item in items {
            let Item::Mod(module) = item else { continue };
            if let Some((_, items)) = &module.content {
                let path = format!("{}{}::", modules[place].path, module.ident);
                Module::add(tree, tree.range(module), path, items, modules);
            }
        }
    }

    /// The innermost module around a place.
    pub(super) fn around<'m>(modules: &'m [Module], place: &Range<usize>) -> Option<&'m Module> {
        { modules.iter().rev() }
            .find(|module| module.range.start <= place.start && place.end <= module.range.end)
    }
}

/// What an item is called, and what an import brings.
fn names(item: &Item) -> Vec<String> {
    match item {
        Item::Use(item) => leaves(&item.tree),
        Item::Macro(_) => Vec::new(),
        _ => { walk::item_name(item).into_iter() }
            .map(ToString::to_string)
            .collect(),
    }
}

/// The names that an import brings, those of globs left out.
fn leaves(tree: &UseTree) -> Vec<String> {
    match tree {
        UseTree::Path(path) => leaves(&path.tree),
        UseTree::Name(name) => vec![name.ident.to_string()],
        UseTree::Rename(name) => vec![name.rename.to_string()],
        UseTree::Group(group) => group.items.iter().flat_map(leaves).collect(),
        UseTree::Glob(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::StandIn;

    #[test]
    fn the_innermost_module_around_a_place_is_found_with_its_names() {
        let text = "use a::{b, c as d}; mod e { fn f() {} mod g { struct H; } }";
        let look = |tree: &Tree<'_>| {
            let modules = Module::all(tree);
            let at = |word: &str| {
                let place = text.find(word).unwrap();
                let module = Module::around(&modules, &(place..place + 1)).unwrap();
                let mut names: Vec<String> = module.names.iter().cloned().collect();
                names.sort();
                (module.path.clone(), names.join(" "))
            };
            (at("use"), at("fn f"), at("H"))
        };
        let (root, outer, inner) = Tree::with(text, StandIn::Loop, look).unwrap();
        assert_eq!(root, ("crate::".to_owned(), "b d e".to_owned()));
        assert_eq!(outer, ("crate::e::".to_owned(), "f g".to_owned()));
        assert_eq!(inner, ("crate::e::g::".to_owned(), "H".to_owned()));
    }
}
