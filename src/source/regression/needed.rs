//! Which items a test cannot do without.

use std::collections::{BTreeMap, BTreeSet};

use crate::source::item::{Item, ItemKind};
use crate::source::named::Named;
use crate::source::{Crate, Edits, FileIndex, Located, idents};

/// The items that the test names, directly or through others, and the names that they mention.
#[derive(Default)]
pub(super) struct Needed {
    pub named: Named,
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
        let names_in = |index: usize| {
            let item = &krate.items[index];
            let text = krate.text_of(item);
            let edited = edits.get(&item.file).map(|edits| edits.within(&item.span).apply(text));
            names_in(edited.as_deref().unwrap_or(text))
        };
        let items = BTreeSet::from([located.item]);
        let mut named = Named { items, names: names_in(located.item) };
        named.grow(krate, |item, names| is_named(krate, item, names), names_in);
        Needed { named, ..Needed::default() }
    }
}

fn is_named(krate: &Crate, item: &Item, names: &BTreeSet<String>) -> bool {
    match item.kind {
        ItemKind::Fn => !item.is_test && names.contains(&item.name),
        ItemKind::Const
        | ItemKind::Static
        | ItemKind::Type
        | ItemKind::Trait
        | ItemKind::MacroRules => names.contains(&item.name),
        ItemKind::Impl => item.owner.as_ref().is_none_or(|owner| names.contains(owner)),
        ItemKind::MacroCall => !idents::defined_in(krate.text_of(item)).is_disjoint(names),
        ItemKind::Method
        | ItemKind::AssociatedConst
        | ItemKind::Mod
        | ItemKind::Use
        | ItemKind::ExternCrate => false,
    }
}
