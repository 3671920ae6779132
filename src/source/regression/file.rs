//! A new file with the reduced test and what it needs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::beside::Reduced;
use super::draft::Draft;
use super::imports;
use super::members;
use super::needed::Needed;
use super::pieced::Regression;
use crate::reduce::RangeExt;
use crate::reduce::inputs::Inputs;
use crate::source::item::{Item, ItemKind};
use crate::source::locate::test_path;
use crate::source::{Crate, Edits, FileIndex, FoundInputs, Harness, Located, removal};

/// Where the reduced test will stand, and what is written above it.
#[derive(Debug, Clone)]
pub struct NewFile<'n> {
    /// The directory of the new file, in the same tree as the crate's root.
    pub directory: &'n Path,
    /// Comment lines for the top, without `//`.
    pub header: &'n [String],
    /// Crates whose macros made the test, and that nothing in it needs.
    pub left: &'static [&'static str],
}

impl FoundInputs {
    /// The reduced test as a file of its own, with the items that it needs and nothing else: for an
    /// integration test. Modules in other files are put in.
    pub fn regression_file(
        &self,
        krate: &Crate,
        located: &Located,
        candidate: &Inputs,
        new: &NewFile<'_>,
    ) -> Regression {
        let Reduced { function, mut edits, files, mut is_tidied } =
            self.reduced(krate, located, candidate);
        if located.facts.harness == Harness::None {
            edits.entry(located.file).or_default().insert(located.span.start, "#[test]\n");
        }
        let mut needed = Needed::of(krate, located, &edits, self.is_untidy);
        if !self.is_untidy {
            if members::leave_out(krate, &needed, &mut edits) {
                krate.tidy(located, &mut edits);
                needed = Needed::of(krate, located, &edits, false);
                is_tidied = true;
            }
            is_tidied |= Needed::of(krate, located, &edits, true).named.items != needed.named.items;
            let before = imports_of(krate, &needed);
            needed.types =
                krate.files().iter().flat_map(|it| imports::types_in(&it.text)).collect();
            needed.left = new.left;
            is_tidied |= imports_of(krate, &needed) != before;
            leave_out_methods(krate, &needed, &mut edits);
        }
        repair_includes(krate, &needed, new.directory, &mut edits);
        trim_imports(krate, &needed, &mut edits);
        let mut writer = Writer { krate, needed: &needed, draft: Draft::new(krate, &edits) };
        for line in new.header {
            writer.draft.push(format!("// {line}").trim_end());
            writer.draft.push("\n");
        }
        if !new.header.is_empty() {
            writer.draft.push("\n");
        }
        writer.inner_attributes();
        writer.module(&[]);
        let test = test_path(&located.module, &function);
        let mut regression = writer.draft.into_regression(function, test);
        regression.files = files;
        regression.is_tidied = is_tidied;
        regression.tests_end = regression.end_of(located.file, located.span.start);
        regression
    }
}

/// Takes out the methods that nothing calls any more.
fn leave_out_methods(krate: &Crate, needed: &Needed, edits: &mut BTreeMap<FileIndex, Edits>) {
    for method in needed.left_methods(krate) {
        let range = removal::with_lines(&krate.file(method.file).text, &method.span);
        edits.entry(method.file).or_default().cover(range, "");
    }
}

/// Paths in `include_str!` and its like start at the file that holds them.
fn repair_includes(
    krate: &Crate,
    needed: &Needed,
    directory: &Path,
    edits: &mut BTreeMap<FileIndex, Edits>,
) {
    for item in needed.items(krate) {
        let from = krate.file(item.file).path.parent().unwrap_or(Path::new(""));
        if from == directory {
            continue;
        }
        let edits = edits.entry(item.file).or_default();
        for (range, path) in krate.included_paths(item.file, &item.span) {
            let target = relative(directory, &from.join(path));
            if !edits.covers(&range) {
                edits.replace(range, format!("{:?}", target.to_string_lossy()));
            }
        }
    }
}

/// The path of `target` as seen from `directory`, where both start at the same place.
pub(crate) fn relative(directory: &Path, target: &Path) -> PathBuf {
    let common =
        directory.components().zip(target.components()).take_while(|(a, b)| a == b).count();
    let up = directory.components().skip(common).map(|_| Path::new(".."));
    let down = target.components().skip(common).map(|component| Path::new(component.as_os_str()));
    up.chain(down).collect()
}

/// What is left of the imports of all files.
fn imports_of(krate: &Crate, needed: &Needed) -> Vec<String> {
    let trimmed = krate
        .items_of(ItemKind::Use)
        .filter_map(|item| Some(trimmed(krate, needed, item)?.apply(krate.text_of(item))));
    trimmed.collect()
}

/// What is left of an import.
fn trimmed(krate: &Crate, needed: &Needed, import: &Item) -> Option<Edits> {
    imports::trimmed(krate.text_of(import), needed, &needed.names_around(krate, import))
}

fn trim_imports(krate: &Crate, needed: &Needed, edits: &mut BTreeMap<FileIndex, Edits>) {
    for item in krate.items_of(ItemKind::Use) {
        for edit in trimmed(krate, needed, item).iter().flat_map(Edits::iter) {
            let range = edit.range.offset_by(item.span.start);
            edits.entry(item.file).or_default().remove(range);
        }
    }
}

struct Writer<'w> {
    krate: &'w Crate,
    needed: &'w Needed,
    draft: Draft<'w>,
}

impl Writer<'_> {
    /// Attributes of the whole crate, such as `#![feature(…)]`.
    fn inner_attributes(&mut self) {
        let root = FileIndex(0);
        for range in self.krate.inner_attributes(root) {
            self.draft.piece(root, &range);
            self.draft.push("\n");
        }
    }

    /// The items of a module, in the order of the source.
    fn module(&mut self, module: &[String]) {
        let mut items: Vec<(usize, &Item)> =
            self.krate.items.iter().enumerate().filter(|(_, item)| item.module == module).collect();
        items.sort_by_key(|(_, item)| (item.file, item.span.start));
        let mut last = None;
        let mut done = BTreeSet::new();
        for (index, item) in items {
            let is_wanted = match item.kind {
                ItemKind::Use => trimmed(self.krate, self.needed, item).is_some(),
                ItemKind::Mod => done.insert(item.name.clone()) && self.holds_needed(item),
                // What it is needed for (macros, paths, all of it in old editions) no name tells.
                ItemKind::ExternCrate => true,
                ItemKind::Method | ItemKind::AssociatedConst => false,
                _ => self.needed.named.items.contains(&index),
            };
            if is_wanted {
                self.separate(last, item);
                self.item(item);
                last = Some(item);
            }
        }
    }

    /// A blank line between items, but not between imports that stand in one group.
    fn separate(&mut self, before: Option<&Item>, item: &Item) {
        let Some(before) = before else { return };
        let are_imports = before.kind == ItemKind::Use && item.kind == ItemKind::Use;
        let is_one_group = before.file == item.file && {
            let between = &self.krate.file(item.file).text[before.span.end..item.span.start];
            !between.replace(' ', "").contains("\n\n")
        };
        if !are_imports || !is_one_group {
            self.draft.push("\n");
        }
    }

    fn item(&mut self, item: &Item) {
        if item.kind != ItemKind::Mod {
            self.draft.piece(item.file, &item.span);
            return self.draft.push("\n");
        }
        let path = item.inside();
        if self.defines_macro(&path) {
            self.draft.push("#[macro_use]\n");
        }
        self.draft.push(&format!("mod {} {{\n", item.name));
        self.module(&path);
        self.draft.push("}\n");
    }

    fn holds_needed(&self, module: &Item) -> bool {
        let path = module.inside();
        let needed = self.needed.items(self.krate).filter(|item| item.kind != ItemKind::Impl);
        needed.into_iter().any(|item| item.module.starts_with(&path))
    }

    fn defines_macro(&self, path: &[String]) -> bool {
        let mut needed = self.needed.items(self.krate);
        needed.any(|item| item.kind == ItemKind::MacroRules && item.module.starts_with(path))
    }
}
