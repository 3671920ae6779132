//! Who names whom: the items of all files as units that are kept or removed in closed sets.
//!
//! Names are resolved by their spelling alone, wherever they are defined: a unit may be kept that is
//! not needed, which later passes correct; a unit that is needed is rarely missed. Impls are not named
//! by anybody: one belongs to a set when the types and the trait in its head do, and for an inherent
//! impl when one of its members is mentioned too.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use syn::{ImplItem, Item, UseTree};

use super::definitions::{Words, called, defined_names, of_call, produced};
use super::{NotTokens, Reduction, Sources, StandIn, Tree};

/// An item that is kept or removed as a whole.
struct Unit {
    file: usize,
    range: Range<usize>,
    module: usize,
    role: Role,
    defines: Vec<String>,
    words: Words,
    /// The macro that it calls.
    calls: Option<String>,
}

enum Role {
    /// Kept when its name is mentioned.
    Named,
    /// Kept when its name is mentioned in the same module.
    Import,
    /// Kept when anything in the same module is.
    Glob,
    /// Kept when all of `head` is, and for an inherent impl one of `members` is mentioned.
    Impl { head: Vec<String>, members: Option<Vec<String>> },
    /// Kept only when asked for.
    Free,
}

/// A module with a body: removed when nothing in it is kept.
struct Module {
    file: usize,
    range: Range<usize>,
    parent: Option<usize>,
}

/// The graph of the items of all files.
#[derive(Default)]
pub(crate) struct ItemGraph {
    units: Vec<Unit>,
    modules: Vec<Module>,
    definitions: HashMap<String, Vec<usize>>,
    /// What calls of each macro define.
    produced: HashMap<String, Vec<String>>,
}

impl ItemGraph {
    /// Reads all files.
    pub(crate) fn read(sources: &Sources) -> Result<Self, NotTokens> {
        let mut graph = ItemGraph::default();
        for (file, source) in sources.files.iter().enumerate() {
            Tree::with(&source.text, StandIn::Loop, |tree| {
                graph.modules.push(Module { file, range: 0..0, parent: None });
                let root = graph.modules.len() - 1;
                graph.add_items(tree, file, root, &tree.file.items);
            })?;
        }
        graph.resolve_calls();
        for (index, unit) in graph.units.iter().enumerate() {
            for name in &unit.defines {
                graph.definitions.entry(name.clone()).or_default().push(index);
            }
        }
        for unit in &mut graph.units {
            if let Role::Impl { head, .. } = &mut unit.role {
                head.retain(|name| graph.definitions.contains_key(name));
            }
        }
        Ok(graph)
    }

    /// Adds to calls of macros what they define by way of their macro.
    fn resolve_calls(&mut self) {
        for unit in &mut self.units {
            let produced = unit.calls.as_ref().and_then(|name| self.produced.get(name));
            let Some(produced) = produced else { continue };
            unit.defines.extend(of_call(produced, &unit.words));
            if !unit.defines.is_empty() {
                unit.role = Role::Named;
            }
        }
    }

    /// The number of units.
    pub(crate) fn len(&self) -> usize {
        self.units.len()
    }

    /// Adds to `kept` what it needs.
    pub(crate) fn close(&self, kept: &mut [bool]) {
        let mut names: HashSet<&str> = HashSet::new();
        let mut defined: HashSet<&str> = HashSet::new();
        let mut modules: HashSet<usize> = HashSet::new();
        let mut open: Vec<usize> = (0..kept.len()).filter(|unit| kept[*unit]).collect();
        loop {
            while let Some(index) = open.pop() {
                let unit = &self.units[index];
                modules.insert(unit.module);
                defined.extend(unit.defines.iter().map(String::as_str));
                names.extend(unit.words.all.iter().map(String::as_str));
                for named in
                    unit.words.paths.iter().filter_map(|name| self.definitions.get(name)).flatten()
                {
                    if !kept[*named] && self.is_visible(*named, unit.module) {
                        kept[*named] = true;
                        open.push(*named);
                    }
                }
            }
            for (index, unit) in self.units.iter().enumerate().filter(|(index, _)| !kept[*index]) {
                let belongs = match &unit.role {
                    Role::Glob => modules.contains(&unit.module),
                    Role::Impl { head, members } => {
                        !head.is_empty()
                            && head.iter().all(|name| defined.contains(name.as_str()))
                            && members.as_ref().is_none_or(|members| {
                                members.iter().any(|name| names.contains(name.as_str()))
                            })
                    }
                    _ => false,
                };
                if belongs {
                    open.push(index);
                }
            }
            if open.is_empty() {
                return;
            }
            for index in &open {
                kept[*index] = true;
            }
        }
    }

    /// The files with only the units of `kept`, out of the files that were read.
    pub(crate) fn build(&self, sources: &Sources, kept: &[bool]) -> Sources {
        let mut alive = vec![false; self.modules.len()];
        for (unit, _) in self.units.iter().zip(kept).filter(|(_, kept)| **kept) {
            let mut module = Some(unit.module);
            while let Some(index) = module.filter(|index| !alive[*index]) {
                alive[index] = true;
                module = self.modules[index].parent;
            }
        }
        let dead_modules = self.modules.iter().zip(&alive).filter(|(_, alive)| !**alive);
        let dead_units = self.units.iter().zip(kept).filter(|(_, kept)| !**kept);
        let removed: Vec<(usize, Reduction)> = dead_modules
            .map(|(module, _)| (module.file, Reduction::remove(module.range.clone())))
            .chain(dead_units.map(|(unit, _)| (unit.file, Reduction::remove(unit.range.clone()))))
            .collect();
        sources.edit_all(&removed)
    }

    fn is_visible(&self, unit: usize, module: usize) -> bool {
        match self.units[unit].role {
            Role::Import => self.units[unit].module == module,
            _ => true,
        }
    }

    fn add_items(&mut self, tree: &Tree<'_>, file: usize, module: usize, items: &[Item]) {
        for item in items {
            if let Item::Mod(inner) = item
                && let Some((_, content)) = &inner.content
            {
                self.modules.push(Module { file, range: tree.range(item), parent: Some(module) });
                let index = self.modules.len() - 1;
                self.add_items(tree, file, index, content);
                continue;
            }
            self.produced.extend(produced(item));
            let (role, defines) = role(item);
            let range = tree.range(item);
            self.units.push(Unit {
                file,
                range,
                module,
                role,
                defines,
                words: Words::of(item),
                calls: called(item),
            });
        }
    }
}

fn role(item: &Item) -> (Role, Vec<String>) {
    match item {
        Item::Use(item) => {
            let mut names = Vec::new();
            let is_glob = imported(&item.tree, &mut names);
            let is_public = !matches!(item.vis, syn::Visibility::Inherited);
            let role = match (is_glob, is_public) {
                (true, _) => Role::Glob,
                (false, true) => Role::Named,
                (false, false) => Role::Import,
            };
            (role, names)
        }
        Item::Impl(item) => {
            let mut head: Vec<String> = Words::of(&item.self_ty).all.into_iter().collect();
            head.extend(item.trait_.iter().flat_map(|(path, _)| Words::of(path).all));
            head.sort();
            let members =
                item.trait_.is_none().then(|| item.items.iter().filter_map(member_name).collect());
            (Role::Impl { head, members }, Vec::new())
        }
        item => {
            let names = defined_names(item);
            (if names.is_empty() { Role::Free } else { Role::Named }, names)
        }
    }
}

/// Collects the names that a `use` brings in; whether one of its parts is `*`.
fn imported(tree: &UseTree, names: &mut Vec<String>) -> bool {
    match tree {
        UseTree::Path(path) => imported(&path.tree, names),
        UseTree::Name(name) => {
            names.push(name.ident.to_string());
            false
        }
        UseTree::Rename(rename) => {
            names.push(rename.rename.to_string());
            rename.rename == "_"
        }
        UseTree::Glob(_) => true,
        UseTree::Group(group) => {
            let globs: Vec<bool> = group.items.iter().map(|part| imported(part, names)).collect();
            globs.contains(&true)
        }
    }
}

fn member_name(member: &ImplItem) -> Option<String> {
    match member {
        ImplItem::Const(member) => Some(member.ident.to_string()),
        ImplItem::Fn(member) => Some(member.sig.ident.to_string()),
        ImplItem::Type(member) => Some(member.ident.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::Sameness;

    /// What is left of `text` when the unit that contains `root` is kept with all it needs.
    fn closure(text: &str, root: &str) -> String {
        let sources = Sources::of_file("a.rs", text, Sameness::Tokens);
        let graph = ItemGraph::read(&sources).unwrap();
        let at = text.find(root).unwrap();
        let mut kept: Vec<bool> = graph.units.iter().map(|unit| unit.range.contains(&at)).collect();
        graph.close(&mut kept);
        let built = graph.build(&sources, &kept);
        built.files[0].text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn an_item_needs_what_it_names_and_the_impls_that_join_them() {
        let text = "trait T {} struct A; struct B; impl T for A {} impl T for B {} fn f() { g::<A>() } fn g<X: T>() {}";
        assert_eq!(
            closure(text, "fn f"),
            "trait T {} struct A; impl T for A {} fn f() { g::<A>() } fn g<X: T>() {}"
        );
    }

    #[test]
    fn an_inherent_impl_is_needed_only_when_a_member_is_mentioned() {
        let text = "struct A; impl A { fn a() {} } impl A { fn b() {} } fn f() { A::b() }";
        assert_eq!(closure(text, "fn f"), "struct A; impl A { fn b() {} } fn f() { A::b() }");
    }

    #[test]
    fn modules_without_anything_kept_go_and_imports_stay_in_their_module() {
        let text =
            "mod m { use std::fmt; pub struct A; } mod n { use std::fmt; fn f(x: fmt::Error) {} }";
        assert_eq!(closure(text, "fn f"), "mod n { use std::fmt; fn f(x: fmt::Error) {} }");
    }

    #[test]
    fn what_a_macro_call_defines_is_found() {
        let text = "thread_local! { static A: u8 = 1; } struct B; fn f() { A.with(|_| ()) }";
        assert_eq!(
            closure(text, "fn f"),
            "thread_local! { static A: u8 = 1; } fn f() { A.with(|_| ()) }"
        );
    }
}
