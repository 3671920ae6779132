//! The index of a crate's items: what there is, where it stands.

use std::collections::BTreeSet;
use std::ops::Range;

use super::FileIndex;

/// An item (or method) of the crate, by name and place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Item {
    pub kind: ItemKind,
    /// The name without `r#`; of a macro call, the macro's name; of an `impl`, the type's.
    pub name: String,
    /// The modules around it, from the crate root.
    pub module: Vec<String>,
    pub file: FileIndex,
    /// Its bytes, attributes included.
    pub span: Range<usize>,
    /// It, or something around it, is compiled for tests only.
    pub is_test_only: bool,
    /// It has an attribute that makes a test of it.
    pub is_test: bool,
    /// The type whose `impl` holds it, or is it.
    pub owner: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ItemKind {
    Fn,
    Method,
    Const,
    AssociatedConst,
    Static,
    MacroCall,
    MacroRules,
    Type,
    Trait,
    Mod,
    Impl,
    Use,
    ExternCrate,
}

impl Item {
    /// Whether a byte of a file stands in it.
    pub(crate) fn holds(&self, file: FileIndex, offset: usize) -> bool {
        self.file == file && self.span.contains(&offset)
    }

    /// Whether it belongs to no type, or to one of these.
    pub(crate) fn is_of(&self, types: &BTreeSet<String>) -> bool {
        self.owner.as_ref().is_none_or(|owner| types.contains(owner))
    }

    /// The modules around what stands in it, a module.
    pub(crate) fn inside(&self) -> Vec<String> {
        self.module.iter().chain([&self.name]).cloned().collect()
    }
}

impl ItemKind {
    /// Whether it is a value with a name, and belongs to no type.
    pub(crate) fn is_constant(self) -> bool {
        matches!(self, ItemKind::Const | ItemKind::Static)
    }

    /// The kind and attributes of `item`, if it is indexed, and what it is called, if it has a name.
    pub(crate) fn of(item: &syn::Item) -> Option<(Self, Option<&syn::Ident>, &[syn::Attribute])> {
        use syn::Item as I;
        let (kind, ident, attrs) = match item {
            I::Fn(item) => (ItemKind::Fn, &item.sig.ident, &item.attrs),
            I::Const(item) => (ItemKind::Const, &item.ident, &item.attrs),
            I::Static(item) => (ItemKind::Static, &item.ident, &item.attrs),
            I::Enum(item) => (ItemKind::Type, &item.ident, &item.attrs),
            I::Struct(item) => (ItemKind::Type, &item.ident, &item.attrs),
            I::Union(item) => (ItemKind::Type, &item.ident, &item.attrs),
            I::Type(item) => (ItemKind::Type, &item.ident, &item.attrs),
            I::Trait(item) => (ItemKind::Trait, &item.ident, &item.attrs),
            I::TraitAlias(item) => (ItemKind::Trait, &item.ident, &item.attrs),
            I::Mod(item) => (ItemKind::Mod, &item.ident, &item.attrs),
            I::ExternCrate(item) => (ItemKind::ExternCrate, &item.ident, &item.attrs),
            I::Macro(item) => {
                let is_call = item.ident.is_none();
                let kind = if is_call { ItemKind::MacroCall } else { ItemKind::MacroRules };
                return Some((kind, item.ident.as_ref(), &item.attrs));
            }
            I::Impl(item) => return Some((ItemKind::Impl, None, &item.attrs)),
            I::Use(item) => return Some((ItemKind::Use, None, &item.attrs)),
            _ => return None,
        };
        Some((kind, Some(ident), attrs))
    }
}

/// What an item is called; none for what comes from elsewhere, implementations and calls of macros.
pub(crate) fn item_name(item: &syn::Item) -> Option<&syn::Ident> {
    ItemKind::of(item).filter(|(kind, ..)| *kind != ItemKind::ExternCrate)?.1
}

/// The attributes of an item.
pub(crate) fn attributes_of(item: &syn::Item) -> &[syn::Attribute] {
    ItemKind::of(item).map_or(&[], |(_, _, attrs)| attrs)
}
