//! The walk through the files, each brought into the one that names it.

use std::ops::Range;
use std::path::Path;

use syn::{Item, ItemExternCrate};

use super::attributes::{inner, is_doc_from_file, is_for_tests, is_not_for_tests};
use super::conditions::Unmet;
use super::exported::{Exported, conditions, exported, named_at_root};
use super::flat::{CrateRoot, Flat};
use super::names::Names;
use super::old_root::OldRoot;
use super::pieces::{Swap, applied, cut};
use crate::rust::{NotTokens, Piece, Sources, StandIn, Tree};
use crate::source::{ModuleFiles, attributes_of};

/// The subject as one file with the path of the root of `tested`; `libraries` come before those that
/// use them.
///
/// # Errors
/// When a file is not made of Rust tokens.
pub fn flatten(
    sources: &Sources,
    tested: &CrateRoot,
    libraries: &[CrateRoot],
) -> Result<Sources, NotTokens> {
    let mut pieces = Vec::new();
    let roots = || libraries.iter().chain([tested]);
    let flat = Flat {
        sources,
        libraries,
        tested,
        features: roots().flat_map(|root| root.features.iter().cloned()).collect(),
        folder: Path::new(&tested.file).parent().unwrap_or(Path::new("")),
    };
    if let Some(root) = flat.file(&tested.file) {
        let text = &sources.files[root].text;
        // Attributes of the crate stay in front of all else.
        let start = Tree::with(text, StandIn::Panic, |tree| {
            let attributes = inner(&tree.file.attrs).map(|attribute| tree.range(attribute).end);
            attributes.max().unwrap_or(0)
        })?;
        let (libraries, at_root) = flat.libraries()?;
        let old = OldRoot::of(&flat, None);
        let mut within = Within { old, at_root, ..Within::default() };
        let whole = flat.module(root, &ModuleFiles::beside(tested.file.as_ref()), &mut within)?;
        let (head, tail) = cut(whole, root, start);
        pieces.extend(head);
        pieces.extend(flat.external_crates(root)?.into_iter().map(Piece::Made));
        pieces.extend(libraries);
        pieces.extend(tail);
    }
    Ok(sources.compose(vec![(tested.file.as_str().into(), pieces)]))
}

/// Where the text of a file goes.
#[derive(Default)]
struct Within<'s> {
    /// Its crate, if that becomes a module.
    library: Option<&'s CrateRoot>,
    /// The root of its crate, if that is one of 2015.
    old: Option<OldRoot>,
    /// The conditions of the modules around it.
    conditions: String,
    /// The macros that the crate exports, as far as they are known.
    exported: Vec<Exported>,
    /// The names of macros of other crates that stand at the root of this one, whose root comes next.
    at_root: Vec<String>,
    /// The files around it: one that names itself is not followed.
    open: Vec<usize>,
}

/// What changes in a file as it becomes a part of the one.
struct Merged {
    swaps: Vec<Swap>,
    outside: Vec<Outside>,
}

/// A part of a file that stands for the text of another one.
struct Outside {
    /// What the text takes the place of.
    range: Range<usize>,
    /// What stands around it then.
    around: (&'static str, &'static str),
    /// The file, and where its own modules are.
    file: (usize, ModuleFiles),
    /// The conditions under which it is compiled.
    conditions: String,
}

impl Flat<'_> {
    /// The `extern crate` of libraries that become modules: only at the root of a crate do they give a name
    /// to all of its modules, and the macros of another crate.
    fn external_crates(&self, root: usize) -> Result<Vec<String>, NotTokens> {
        let mut known = self.externs_of(root, false)?;
        let mut texts = Vec::new();
        for library in self.libraries {
            let Some(file) = self.file(&library.file) else { continue };
            for new in self.externs_of(file, library.has_tests)? {
                match known.iter_mut().find(|other| other.name == new.name) {
                    None => {
                        texts.push(format!("\n{}\n", new.text));
                        known.push(new);
                    }
                    Some(other) if new.has_macros && !other.has_macros => {
                        texts.push(format!("\n#[macro_use]\nextern crate {} as _;\n", new.of));
                        other.has_macros = true;
                    }
                    Some(_) => {}
                }
            }
        }
        Ok(texts)
    }

    /// The `extern crate` at the root of a file; those for tests only with them.
    fn externs_of(&self, file: usize, with_tests: bool) -> Result<Vec<External>, NotTokens> {
        Tree::with(&self.sources.files[file].text, StandIn::Panic, |tree| {
            let items = tree.file.items.iter().filter_map(|item| match item {
                Item::ExternCrate(item) => Some(item),
                _ => None,
            });
            let outside = items.filter(|item| {
                let is_own = item.ident == "self" || self.is_library(&item.ident);
                !is_own && (with_tests || !item.attrs.iter().any(is_for_tests))
            });
            let external = |item: &ItemExternCrate| External {
                name: item.rename.as_ref().map_or(&item.ident, |(_, name)| name).to_string(),
                of: item.ident.to_string(),
                has_macros: item.attrs.iter().any(|it| it.path().is_ident("macro_use")),
                text: tree.text_of(item).to_owned(),
            };
            outside.map(external).collect()
        })
    }

    /// The modules that libraries become, and the names of the macros that they export.
    fn libraries(&self) -> Result<(Vec<Piece>, Vec<String>), NotTokens> {
        let (mut pieces, mut names) = (Vec::new(), Vec::new());
        for library in self.libraries {
            let Some(file) = self.file(&library.file) else { continue };
            let head = format!("\n#[macro_use]\npub mod {} {{\n", library.name);
            pieces.push(Piece::Made(head));
            let old = OldRoot::of(self, Some(library));
            let mut within = Within { library: Some(library), old, ..Within::default() };
            pieces.extend(self.module(
                file,
                &ModuleFiles::beside(library.file.as_ref()),
                &mut within,
            )?);
            let imports: String = within.exported.iter().map(Exported::import).collect();
            pieces.push(Piece::Made(format!("\n{imports}}}\n")));
            names.extend(within.exported.into_iter().map(|exported| exported.name));
        }
        Ok((pieces, names))
    }

    /// Takes the names from the imports at the root of macros that stand there.
    fn named_at_root(&self, tree: &Tree<'_>, names: &[String]) -> Vec<Swap> {
        let named = named_at_root(tree, |name| self.is_library(name), names).into_iter();
        named.map(|range| Swap::text(range.end..range.end, " as _")).collect()
    }

    /// The text of a file with those of its modules in it.
    fn module(
        &self,
        file: usize,
        children: &ModuleFiles,
        within: &mut Within<'_>,
    ) -> Result<Vec<Piece>, NotTokens> {
        let is_inside = within.library.is_some() || !within.open.is_empty();
        within.open.push(file);
        let text = &self.sources.files[file].text;
        let unmet = self.unmet(within.library);
        let Merged { mut swaps, outside } = Tree::with(text, StandIn::Panic, |tree| {
            let items = &tree.file.items;
            let around = within.conditions.as_str();
            if within.library.is_some() {
                exported(tree, &unmet, items, around, &mut within.exported);
            }
            let mut swaps = self.swaps(tree, &unmet, within, &children.own);
            if is_inside && !tree.preamble().is_empty() {
                swaps.push(Swap::text(tree.preamble(), ""));
            }
            swaps.extend(self.named_at_root(tree, &std::mem::take(&mut within.at_root)));
            let outside = self.included(tree, children, around);
            let mut merged = Merged { swaps, outside };
            self.modules(tree, &unmet, around, items, children, &mut merged);
            merged
        })?;
        for Outside { range, around: (before, after), file: (file, children), conditions } in
            outside
        {
            if within.open.contains(&file) {
                continue;
            }
            let around = std::mem::replace(&mut within.conditions, conditions);
            let mut by = vec![Piece::Made(before.to_owned())];
            by.extend(self.module(file, &children, within)?);
            by.push(Piece::Made(after.to_owned()));
            swaps.push(Swap { range, by });
            within.conditions = around;
        }
        within.open.pop();
        Ok(applied(file, text.len(), swaps))
    }

    /// The modules that stand in other files; those that the compiler did not read are not for this
    /// configuration, and go.
    fn modules(
        &self,
        tree: &Tree<'_>,
        unmet: &Unmet,
        around: &str,
        items: &[Item],
        children: &ModuleFiles,
        merged: &mut Merged,
    ) {
        for item in items {
            let Item::Mod(module) = item else { continue };
            match (&module.content, &module.semi) {
                (Some((_, items)), _) => {
                    let around = conditions(tree, unmet, around, item);
                    let children = children.within(module);
                    self.modules(tree, unmet, &around, items, &children, merged);
                }
                (None, Some(semicolon)) => match self.first_of(children.of_module(module)) {
                    Some(file) => merged.outside.push(Outside {
                        range: tree.range(semicolon),
                        around: (" {\n", "\n}"),
                        file,
                        conditions: conditions(tree, unmet, around, item),
                    }),
                    None => merged.swaps.push(Swap::text(tree.range(item), "")),
                },
                (None, None) => {}
            }
        }
    }

    /// The calls of `include!` that name a file of the subject: items, or an expression.
    fn included(&self, tree: &Tree<'_>, children: &ModuleFiles, conditions: &str) -> Vec<Outside> {
        let mut found: Vec<Outside> = Vec::new();
        for item in tree.items() {
            if let Item::Macro(item) = item
                && let Some(file) = self.first_of(children.included(&item.mac))
            {
                found.push(Outside {
                    range: tree.range(item),
                    around: ("", "\n"),
                    file,
                    conditions: conditions.to_owned(),
                });
            }
        }
        let items: Vec<Range<usize>> = found.iter().map(|item| item.range.clone()).collect();
        for call in tree.macros() {
            let range = tree.range(call);
            if items.iter().all(|item| !item.contains(&range.start))
                && let Some(file) = self.first_of(children.included(call))
            {
                found.push(Outside {
                    range,
                    around: ("(", "\n)"),
                    file,
                    conditions: conditions.to_owned(),
                });
            }
        }
        found
    }

    /// What has to change in a file besides its modules.
    fn swaps(
        &self,
        tree: &Tree<'_>,
        unmet: &Unmet,
        within: &Within<'_>,
        folder: &Path,
    ) -> Vec<Swap> {
        let (library, old) = (within.library, within.old.as_ref());
        let mut swaps = Vec::new();
        let is_without_tests = CrateRoot::is_without_tests(library);
        for item in tree.items() {
            let attributes = attributes_of(item);
            let is_gone = is_without_tests && attributes.iter().any(is_for_tests);
            let instead = match item {
                _ if is_gone => Some(String::new()),
                Item::ExternCrate(item) if self.is_library(&item.ident) => Some(import_of(item)),
                _ => None,
            };
            if let Some(instead) = instead {
                swaps.push(Swap::text(tree.range(item), instead));
                continue;
            }
            let unneeded = attributes.iter().filter(|attribute| {
                let is_of_root =
                    matches!(item, Item::ExternCrate(_)) && attribute.path().is_ident("macro_use");
                attribute.path().is_ident("path")
                    || is_without_tests && is_not_for_tests(attribute)
                    || library.is_some() && is_of_root
            });
            swaps.extend(unneeded.map(|attribute| Swap::text(tree.range(attribute), "")));
        }
        if library.is_some() {
            // Of the attributes of a crate only lints would make sense, and those are not kept up.
            let inner = inner(&tree.file.attrs);
            swaps.extend(inner.map(|attribute| Swap::text(tree.range(attribute), "")));
        }
        let docs = tree.attributes().filter(|it| is_doc_from_file(it));
        swaps.extend(docs.map(|attribute| Swap::text(tree.range(attribute), "")));
        let mut names = Names { flat: self, tree, library, old, unmet, folder, swaps: &mut swaps };
        names.stream(tree.tokens.clone());
        swaps.extend(old.into_iter().flat_map(|old| old.imports(tree)));
        swaps
    }
}

/// An `extern crate`.
struct External {
    /// The name that it gives to a crate.
    name: String,
    /// That of the crate.
    of: String,
    /// Whether the macros of the crate are known by it.
    has_macros: bool,
    text: String,
}

/// What takes the place of a library's `extern crate`: the library is a module, but may have another name here.
fn import_of(item: &ItemExternCrate) -> String {
    match &item.rename {
        Some((_, name)) => format!("use crate::{} as {name};", item.ident),
        None => String::new(),
    }
}
