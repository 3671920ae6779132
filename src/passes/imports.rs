//! Imports that take more words than they save.

use std::ops::Range;

use syn::{Ident, Item, Path, UseTree};

use super::scopes::Module;
use super::{Effect, Pass, Reduction, Tier, Tree, count_tokens, walk};

/// Takes an import out and writes the whole path where its name is used, or imports all that is in
/// what it names and drops the name in front of what was used of it. Either is proposed only where it
/// saves tokens.
pub(super) const PASS: Pass = Pass {
    name: "imports",
    about: "write paths out instead of importing them, or import all instead of naming the module",
    tier: Tier::Fine,
    effect: Effect::Quiet,
    before: "use std::io; fn f() -> io::Result<()> {}",
    after: "fn f() -> std::io::Result<()> {}",
    propose,
};

/// A name that an import brings.
struct Import<'t> {
    name: &'t Ident,
    /// The whole path, and how much of it stands before the name.
    path: String,
    prefix: usize,
    /// What goes along with it.
    removed: Range<usize>,
}

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let modules = Module::all(tree);
    let mut reductions = Vec::new();
    for item in walk::items(tree) {
        let Item::Use(item) = item else { continue };
        let mut imports = Vec::new();
        add(tree, &item.tree, "", tree.range(item), &mut imports);
        for import in &imports {
            let uses = uses(tree, &modules, import);
            reductions.extend(written_out(tree, import, &uses));
            reductions.extend(all_of_it(tree, import, &uses));
        }
    }
    reductions
}

/// Adds the names that `part` of an import brings; `removed` is what stands for no more than them.
fn add<'t>(
    tree: &'t Tree<'_>,
    part: &'t UseTree,
    before: &str,
    removed: Range<usize>,
    imports: &mut Vec<Import<'t>>,
) {
    match part {
        UseTree::Path(path) => {
            let before = format!("{before}{}::", path.ident);
            add(tree, &path.tree, &before, removed, imports);
        }
        UseTree::Name(name) if name.ident != "self" => imports.push(Import {
            name: &name.ident,
            path: format!("{before}{}", name.ident),
            prefix: before.len(),
            removed,
        }),
        UseTree::Group(group) => {
            for (part, range) in group.items.iter().zip(tree.elements(&group.items)) {
                add(tree, part, before, range, imports);
            }
        }
        UseTree::Name(_) | UseTree::Rename(_) | UseTree::Glob(_) => {}
    }
}

/// The paths in the module of an import that begin with its name.
fn uses<'t>(tree: &'t Tree<'_>, modules: &[Module], import: &Import<'_>) -> Vec<&'t Path> {
    let here = |place: &Range<usize>| Module::around(modules, place).map(|module| &module.path);
    let home = here(&import.removed);
    walk::paths(tree)
        .into_iter()
        .filter(|path| {
            path.leading_colon.is_none()
                && path.segments.first().map(|first| &first.ident) == Some(import.name)
                && here(&tree.range(*path)) == home
        })
        .collect()
}

/// The import goes, its path stands where its name was.
fn written_out(tree: &Tree<'_>, import: &Import<'_>, uses: &[&Path]) -> Option<Reduction> {
    let prefix = &import.path[..import.prefix];
    let saved = count_tokens(&tree.text[import.removed.clone()]);
    let is_shorter = !uses.is_empty() && count_tokens(prefix) * uses.len() < saved;
    is_shorter.then(|| {
        let removed = Reduction::remove(import.removed.clone());
        uses.iter().fold(removed, |reduction, path| {
            let start = tree.range(*path).start;
            reduction.and_replace(start..start, prefix)
        })
    })
}

/// `name::*` is imported, and `name::` goes in front of everything.
fn all_of_it(tree: &Tree<'_>, import: &Import<'_>, uses: &[&Path]) -> Option<Reduction> {
    const LEAST: usize = 2;
    let leads = uses.iter().all(|path| path.segments.len() > 1);
    (leads && uses.len() >= LEAST).then(|| {
        let end = tree.span(import.name.span()).end;
        uses.iter()
            .filter_map(|path| path.segments.iter().nth(1).map(|next| (path, next)))
            .fold(
                Reduction::replace(end..end, "::*"),
                |reduction, (path, next)| {
                    reduction.and_remove(tree.range(*path).start..tree.range(next).start)
                },
            )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::{StandIn, apply};

    fn results(text: &str) -> Vec<String> {
        Tree::with(text, StandIn::Loop, |tree| {
            let texts = propose(tree)
                .into_iter()
                .map(|reduction| apply(text, [&reduction]));
            texts.collect()
        })
        .unwrap()
    }

    #[test]
    fn everything_is_imported_of_a_module_that_is_named_often() {
        let text = "use std::fmt; fn f(a: fmt::A, b: fmt::B) {}";
        assert_eq!(results(text), ["use std::fmt::*; fn f(a: A, b: B) {}"]);
    }

    #[test]
    fn a_part_of_a_group_is_written_out_only_where_that_is_shorter() {
        assert!(results("use a::{b, c}; fn f(x: b) {}").is_empty());
        let text = "use d::{a::b::{c}, e}; fn f(x: e, y: c) {}";
        assert!(results(text).is_empty(), "{:?}", results(text));
        let alone = "use a::{self, b::c}; use d::e; fn f(x: e, y: c) {}";
        assert_eq!(
            results(alone),
            ["use a::{self, b::c};  fn f(x: d::e, y: c) {}"]
        );
    }

    #[test]
    fn names_in_other_modules_are_not_meant() {
        let text = "use std::io; mod m { fn f(x: io::A) {} }";
        assert!(results(text).is_empty(), "{:?}", results(text));
    }
}
