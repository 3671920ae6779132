//! Which items a test cannot do without.

use std::collections::{BTreeMap, BTreeSet};

use crate::source::item::{Item, ItemKind};
use crate::source::{Crate, Edits, FileIndex, Located, idents};

/// The items that the test names, directly or through others, and the names that they mention.
#[derive(Default)]
pub(super) struct Needed {
    pub items: BTreeSet<usize>,
    pub names: BTreeSet<String>,
    /// Names that certainly stand for types: unlike traits, nothing needs them that does not name them.
    pub types: BTreeSet<String>,
    /// Crates whose macros are gone, and all that is imported from them at once.
    pub left: &'static [&'static str],
}

impl Needed {
    /// `edits` are those of the reduced test: what they take out needs nothing.
    pub(super) fn of(krate: &Crate, located: &Located, edits: &BTreeMap<FileIndex, Edits>) -> Self {
        let mut needed = Needed::default();
        needed.add(krate, located.item, edits);
        loop {
            let is_new = |(index, item): &(usize, &Item)| {
                !needed.items.contains(index) && needed.names_item(krate, item)
            };
            let new: Vec<usize> =
                krate.items.iter().enumerate().filter(is_new).map(|(index, _)| index).collect();
            if new.is_empty() {
                return needed;
            }
            for index in new {
                needed.add(krate, index, edits);
            }
        }
    }

    fn add(&mut self, krate: &Crate, index: usize, edits: &BTreeMap<FileIndex, Edits>) {
        let item = &krate.items[index];
        self.items.insert(index);
        let text = krate.slice(item.file, &item.span);
        let names = match edits.get(&item.file) {
            Some(edits) => idents::of_text(&edits.within(&item.span).apply(text)),
            None => idents::of_text(text),
        };
        self.names.extend(names);
    }

    fn names_item(&self, krate: &Crate, item: &Item) -> bool {
        match item.kind {
            ItemKind::Fn => !item.is_test && self.names.contains(&item.name),
            ItemKind::Const
            | ItemKind::Static
            | ItemKind::Type
            | ItemKind::Trait
            | ItemKind::MacroRules => self.names.contains(&item.name),
            ItemKind::Impl => item.owner.as_ref().is_none_or(|owner| self.names.contains(owner)),
            ItemKind::MacroCall => {
                let text = krate.slice(item.file, &item.span);
                idents::defined_in(text).iter().any(|name| self.names.contains(name))
            }
            ItemKind::Method
            | ItemKind::AssociatedConst
            | ItemKind::Mod
            | ItemKind::Use
            | ItemKind::ExternCrate => false,
        }
    }
}
