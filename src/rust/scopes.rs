//! Modules, what can be named in them, and who names an item of one.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use syn::{Ident, Item, UseTree};

use super::Tree;
use super::names::Lead;
use super::places::Label;
use crate::reduce::RangeExt;
use crate::source::item_name;

/// A module with a body, or the file.
pub(crate) struct Module {
    /// With its head.
    pub(crate) range: Range<usize>,
    /// From the root of the crate, with `::` at the end.
    pub(crate) path: String,
    /// What its items and imports are called.
    pub(crate) names: HashSet<String>,
    /// Where it imports all from: each word with `::` behind it.
    globs: Vec<String>,
    /// The place of the one around it; of the root its own.
    around: usize,
}

/// A name that a `use` brings.
pub(crate) struct Import {
    /// What it is called there, and what it is called here.
    pub(crate) word: Range<usize>,
    pub(crate) name: String,
    /// The words before it, each with `::` behind it.
    pub(crate) prefix: String,
    /// What goes along with it.
    pub(crate) removed: Range<usize>,
}

/// The modules and imports of a tree.
#[derive(Default)]
pub(crate) struct Scopes {
    /// Outer ones first.
    modules: Vec<Module>,
    by_path: HashMap<String, usize>,
    imports: Vec<Import>,
    imports_of: HashMap<String, Vec<usize>>,
    /// For each module those that import all from it.
    importing_all: Vec<Vec<usize>>,
}

/// Where an item is named.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ItemUses {
    /// By paths that are just its name, or lead to it.
    pub(crate) paths: Vec<Range<usize>>,
    /// By imports: what to remove.
    pub(crate) imports: Vec<Range<usize>>,
}

impl Tree<'_> {
    /// The innermost module around a place.
    pub(crate) fn module_around(&self, place: &Range<usize>) -> &Module {
        let scopes = self.scopes();
        &scopes.modules[scopes.innermost(place)]
    }

    /// All names that are imported, but for those that get another one.
    pub(crate) fn imports(&self) -> &[Import] {
        &self.scopes().imports
    }

    /// Where the type, constant or function is named that is called `name` where that stands; other items may have the
    /// same name in other modules.
    pub(crate) fn uses_of_item(&self, name: &Ident) -> ItemUses {
        let scopes = self.scopes();
        let definition = self.span(name.span());
        let home = scopes.innermost(&definition);
        let word = name.to_string();
        let mut uses = ItemUses::default();
        let mut known_in = HashSet::from([home]);
        let mut imports: Vec<&Import> = scopes
            .imports_of
            .get(&word)
            .into_iter()
            .flatten()
            .map(|place| &scopes.imports[*place])
            .collect();
        // What it is imported to it may be imported from.
        let mut new = vec![home];
        while let Some(from) = new.pop() {
            let has_another = |place: &usize| scopes.modules[*place].names.contains(&word);
            let all = scopes.importing_all[from].iter().filter(|place| !has_another(place));
            new.extend(all.filter(|place| known_in.insert(**place)));
            imports.retain(|import| {
                self.count(1);
                let around = scopes.innermost(&import.word);
                let words = import.prefix.split_terminator("::");
                let is_it = scopes.lead(around, words, home) == Some(from);
                if is_it {
                    uses.imports.push(import.removed.clone());
                    new.extend(known_in.insert(around).then_some(around));
                }
                !is_it
            });
        }
        for found in self.words(name).filter(|found| found.range != definition) {
            let is_other =
                found.lead == Lead::Dot || self.label(&found.range) == Some(Label::Field);
            let (start, path) = self.path_to(found);
            let around = scopes.innermost(&found.range);
            let meant_in = scopes.lead(around, path.iter().copied(), home);
            if !is_other && meant_in.is_some_and(|place| known_in.contains(&place)) {
                uses.paths.push(start..found.range.end);
            }
        }
        uses.paths.retain(|place| {
            let mut gone = uses.imports.iter();
            !gone.any(|gone| gone.covers(place))
        });
        uses
    }

    fn scopes(&self) -> &Scopes {
        self.lookups.get(|| {
            let mut scopes = Scopes::default();
            scopes.add_module(self, 0..self.text.len(), "crate::", 0, &self.file.items);
            for item in self.items() {
                if let Item::Use(import) = item {
                    scopes.add_imports(self, &import.tree, "", &self.range(item));
                }
            }
            scopes.add_globs();
            scopes
        })
    }
}

impl Scopes {
    fn add_module(
        &mut self,
        tree: &Tree<'_>,
        range: Range<usize>,
        path: &str,
        around: usize,
        items: &[Item],
    ) {
        let place = self.modules.len();
        self.by_path.insert(path.to_owned(), place);
        self.modules.push(Module {
            range,
            path: path.to_owned(),
            names: items.iter().flat_map(names).collect(),
            globs: items.iter().filter_map(glob).collect(),
            around,
        });
        for item in tree.counted(items) {
            let Item::Mod(module) = item else { continue };
            if let Some((_, items)) = &module.content {
                let path = format!("{path}{}::", module.ident);
                self.add_module(tree, tree.range(item), &path, place, items);
            }
        }
    }

    /// Adds the names that `part` of an import brings; `removed` is what stands for no more than them.
    fn add_imports(
        &mut self,
        tree: &Tree<'_>,
        part: &UseTree,
        prefix: &str,
        removed: &Range<usize>,
    ) {
        match part {
            UseTree::Path(path) => {
                let prefix = format!("{prefix}{}::", path.ident);
                self.add_imports(tree, &path.tree, &prefix, removed);
            }
            UseTree::Name(name) if name.ident != "self" => {
                let same = self.imports_of.entry(name.ident.to_string()).or_default();
                same.push(self.imports.len());
                self.imports.push(Import {
                    word: tree.span(name.ident.span()),
                    name: name.ident.to_string(),
                    prefix: prefix.to_owned(),
                    removed: removed.clone(),
                });
            }
            UseTree::Group(group) => {
                for (part, range) in group.items.iter().zip(tree.elements(&group.items)) {
                    self.add_imports(tree, part, prefix, &range);
                }
            }
            UseTree::Name(_) | UseTree::Rename(_) | UseTree::Glob(_) => {}
        }
    }

    fn add_globs(&mut self) {
        self.importing_all = vec![Vec::new(); self.modules.len()];
        for (place, module) in self.modules.iter().enumerate() {
            for glob in &module.globs {
                if let Some(from) = self.lead(place, glob.split_terminator("::"), place) {
                    self.importing_all[from].push(place);
                }
            }
        }
    }

    /// The place of the innermost of the modules around a place.
    fn innermost(&self, place: &Range<usize>) -> usize {
        let modules = &self.modules;
        let after = modules.partition_point(|module| module.range.start <= place.start);
        let mut found = after.saturating_sub(1);
        while modules[found].range.end < place.end && found != 0 {
            found = modules[found].around;
        }
        found
    }

    /// The module that these words lead to from `start`. A name that is no module there may have been imported: it is
    /// taken for `hoped`, if that is called so.
    fn lead<'w>(
        &self,
        start: usize,
        words: impl Iterator<Item = &'w str>,
        hoped: usize,
    ) -> Option<usize> {
        let mut place = start;
        for word in words {
            let inner = format!("{}{word}::", self.modules[place].path);
            let is_hoped = self.modules[hoped].path.ends_with(&format!("::{word}::"));
            place = match (word, self.by_path.get(&inner)) {
                ("crate", _) => 0,
                ("self", _) => place,
                ("super", _) => self.modules[place].around,
                (_, Some(inner)) => *inner,
                _ if is_hoped => hoped,
                _ => return None,
            };
        }
        Some(place)
    }
}

/// What an item imports all from.
fn glob(item: &Item) -> Option<String> {
    let Item::Use(import) = item else { return None };
    let (mut path, mut part) = (String::new(), &import.tree);
    while let UseTree::Path(next) = part {
        path.extend([next.ident.to_string().as_str(), "::"]);
        part = &next.tree;
    }
    matches!(part, UseTree::Glob(_)).then_some(path)
}

/// What an item is called, and what an import brings.
fn names(item: &Item) -> Vec<String> {
    match item {
        Item::Use(item) => leaves(&item.tree),
        Item::Macro(_) => Vec::new(),
        _ => item_name(item).into_iter().map(ToString::to_string).collect(),
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
    use crate::rust::StandIn;

    #[test]
    fn the_innermost_module_around_a_place_is_found_with_its_names() {
        let text = "use a::{b, c as d}; mod e { fn f() {} mod g { struct H; } }";
        let look = |tree: &Tree<'_>| {
            let at = |word: &str| {
                let place = text.find(word).unwrap();
                let module = tree.module_around(&(place..place + 1));
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
