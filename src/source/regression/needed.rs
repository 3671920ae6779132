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
    /// `edits` are those of the reduced test: what they take out needs nothing. Where `is_untidy`, the name of a variable
    /// may be one of an item, too.
    pub(super) fn of(
        krate: &Crate,
        located: &Located,
        edits: &BTreeMap<FileIndex, Edits>,
        is_untidy: bool,
    ) -> Self {
        let names_in = if is_untidy { idents::of_text } else { idents::of_item };
        let mut needed = Needed::default();
        let add = |needed: &mut Needed, index: usize| {
            let item = &krate.items[index];
            let text = krate.slice(item.file, &item.span);
            let edited = edits.get(&item.file).map(|edits| edits.within(&item.span).apply(text));
            needed.items.insert(index);
            needed.names.extend(names_in(edited.as_deref().unwrap_or(text)));
        };
        add(&mut needed, located.item);
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
                add(&mut needed, index);
            }
        }
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
