//! Which items a test cannot do without.

use std::collections::BTreeSet;

use crate::source::item::{Item, ItemKind};
use crate::source::{Crate, Located, idents};

/// The items that the test names, directly or through others, and the names that they mention.
pub(super) struct Needed {
    pub items: BTreeSet<usize>,
    pub names: BTreeSet<String>,
}

impl Needed {
    pub(super) fn of(krate: &Crate, located: &Located) -> Self {
        let mut needed = Needed {
            items: BTreeSet::new(),
            names: BTreeSet::new(),
        };
        needed.add(krate, located.item);
        loop {
            let is_new = |(index, item): &(usize, &Item)| {
                !needed.items.contains(index) && needed.names_item(krate, item)
            };
            let new: Vec<usize> = krate
                .items
                .iter()
                .enumerate()
                .filter(is_new)
                .map(|(index, _)| index)
                .collect();
            if new.is_empty() {
                return needed;
            }
            for index in new {
                needed.add(krate, index);
            }
        }
    }

    fn add(&mut self, krate: &Crate, index: usize) {
        let item = &krate.items[index];
        self.items.insert(index);
        self.names
            .append(&mut idents::of_text(krate.slice(item.file, &item.span)));
    }

    fn names_item(&self, krate: &Crate, item: &Item) -> bool {
        match item.kind {
            ItemKind::Fn => !item.is_test && self.names.contains(&item.name),
            ItemKind::Const
            | ItemKind::Static
            | ItemKind::Type
            | ItemKind::Trait
            | ItemKind::MacroRules => self.names.contains(&item.name),
            ItemKind::Impl => item
                .owner
                .as_ref()
                .is_none_or(|owner| self.names.contains(owner)),
            ItemKind::MacroCall => {
                let text = krate.slice(item.file, &item.span);
                idents::defined_in(text)
                    .iter()
                    .any(|name| self.names.contains(name))
            }
            ItemKind::Method
            | ItemKind::AssociatedConst
            | ItemKind::Mod
            | ItemKind::Use
            | ItemKind::ExternCrate => false,
        }
    }
}
