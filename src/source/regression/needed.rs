//! Which items a test cannot do without.

use std::collections::{BTreeMap, BTreeSet};

use quote::ToTokens;
use syn::UseTree;
use syn::parse::Parse;

use crate::reduce::RangeExt;
use crate::source::item::{Item, ItemKind};
use crate::source::named::Named;
use crate::source::parse::look_at;
use crate::source::tokens::plain;
use crate::source::{Crate, Edits, FileIndex, Located, idents};

/// The items that the test names, directly or through others, and the names that they mention.
#[derive(Default)]
pub(super) struct Needed {
    pub named: Named,
    /// The names that each of the items mentions.
    pub of_items: BTreeMap<usize, BTreeSet<String>>,
    /// Names that certainly stand for types: unlike traits, nothing needs them that does not name them.
    pub types: BTreeSet<String>,
    /// Types of the test's crate that it can do without.
    pub left_types: BTreeSet<String>,
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
            let text = edited.as_deref().unwrap_or(text);
            // Where methods stay that nothing calls, what they mention is needed, too.
            let may_lack_methods = !is_untidy && item.kind == ItemKind::Impl;
            let outside = may_lack_methods.then(|| outside_of_methods(text)).flatten();
            names_in(outside.as_deref().unwrap_or(text))
        };
        let items = BTreeSet::from([located.item]);
        let mut named = Named { items, names: names_in(located.item) };
        let mut of_items = BTreeMap::from([(located.item, named.names.clone())]);
        let opened = opened(krate);
        let is_needed = |(_, item): (usize, &Item), names: &BTreeSet<String>| {
            let is_variant = |variants: &BTreeSet<String>| !variants.is_disjoint(names);
            let is_type = item.kind == ItemKind::Type;
            is_named(krate, item, names)
                || is_type && opened.get(&item.name).is_some_and(is_variant)
        };
        named.grow(krate, is_needed, |index| {
            let names = names_in(index);
            of_items.insert(index, names.clone());
            names
        });
        let types = krate.items.iter().enumerate().filter(|(_, item)| item.kind == ItemKind::Type);
        let left = types.filter(|(index, _)| !named.items.contains(index));
        let left_types = left.map(|(_, item)| item.name.clone()).collect();
        Needed { named, of_items, left_types, ..Needed::default() }
    }

    /// The items.
    pub(super) fn items<'k>(&self, krate: &'k Crate) -> impl Iterator<Item = &'k Item> {
        self.named.items.iter().map(|index| &krate.items[*index])
    }

    /// The methods of types that it cannot do without, but that nothing calls any more.
    pub(super) fn left_methods<'k>(&self, krate: &'k Crate) -> impl Iterator<Item = &'k Item> {
        let is_own = |item: &&Item| {
            item.kind == ItemKind::Impl && outside_of_methods(krate.text_of(item)).is_some()
        };
        let own: Vec<&Item> = self.items(krate).filter(is_own).collect();
        let others = krate.items.iter().enumerate();
        let others = others.filter(move |(index, _)| !self.named.items.contains(index));
        let methods = others.map(|(_, item)| item).filter(|item| item.kind == ItemKind::Method);
        methods.filter(move |item| {
            own.iter().any(|it| it.file == item.file && it.span.covers(&item.span))
        })
    }

    /// The names that are mentioned where an import can be seen, and in macros, which may be called there.
    pub(super) fn names_around(&self, krate: &Crate, import: &Item) -> BTreeSet<String> {
        let looks_up = |module: &[String]| {
            let mut own = krate.items.iter().filter(|item| item.module == module);
            own.any(|item| ["super", "crate"].iter().any(|it| krate.text_of(item).contains(it)))
        };
        let is_around = |item: &Item| {
            item.kind == ItemKind::MacroRules
                || item.module == import.module
                || item.module.starts_with(&import.module) && looks_up(&item.module)
        };
        let is_private = !krate.text_of(import).starts_with("pub");
        let around = self.of_items.iter().filter(|(index, _)| {
            let item = &krate.items[**index];
            !is_private || is_around(item)
        });
        around.flat_map(|(_, names)| names.iter().cloned()).collect()
    }
}

/// The text of the implementation of a type without its methods; `None` for one of a trait, which has to have all.
fn outside_of_methods(text: &str) -> Option<String> {
    let without = |mut item: syn::ItemImpl| {
        let is_own = item.trait_.is_none();
        item.items.retain(|member| !matches!(member, syn::ImplItem::Fn(_)));
        is_own.then(|| item.to_token_stream().to_string())
    };
    look_at(text, syn::ItemImpl::parse, without).ok()?
}

/// The enums from which the crate imports variants, as `use Step::*;` does, with all that they have.
fn opened(krate: &Crate) -> BTreeMap<String, BTreeSet<String>> {
    let imports = krate.items_of(ItemKind::Use);
    let sources: BTreeSet<String> =
        imports.filter_map(|item| first_segment(krate.text_of(item))).collect();
    let enums = krate.items_of(ItemKind::Type).filter(|item| sources.contains(&item.name));
    let variants = |text: &str| {
        look_at(text, syn::ItemEnum::parse, |item| {
            item.variants.iter().map(|variant| plain(&variant.ident)).collect()
        })
    };
    enums
        .filter_map(|item| Some((item.name.clone(), variants(krate.text_of(item)).ok()?)))
        .collect()
}

/// The first word of what an import names, but for `self`.
pub(super) fn first_segment(import: &str) -> Option<String> {
    let first = |item: syn::ItemUse| {
        let mut tree = item.tree;
        while let UseTree::Path(path) = tree {
            if path.ident != "self" {
                return Some(plain(&path.ident));
            }
            tree = *path.tree;
        }
        None
    };
    look_at(import, syn::ItemUse::parse, first).ok()?
}

fn is_named(krate: &Crate, item: &Item, names: &BTreeSet<String>) -> bool {
    match item.kind {
        ItemKind::Fn => !item.is_test && names.contains(&item.name),
        ItemKind::Const
        | ItemKind::Static
        | ItemKind::Type
        | ItemKind::Trait
        | ItemKind::MacroRules => names.contains(&item.name),
        ItemKind::Impl => item.is_of(names),
        ItemKind::Method => item.is_of(names) && names.contains(&item.name),
        ItemKind::MacroCall => !idents::defined_in(krate.text_of(item)).is_disjoint(names),
        ItemKind::AssociatedConst | ItemKind::Mod | ItemKind::Use | ItemKind::ExternCrate => false,
    }
}
