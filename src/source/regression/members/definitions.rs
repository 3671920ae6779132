//! The types that come along with a reduced test, those that may do without a member.

use std::collections::BTreeSet;

use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Attribute, Generics, Path, Token, Type};

use super::facts::{Field, FieldOf, Place, Variant, Walk};
use crate::source::idents;
use crate::source::tokens::plain;

/// Finds the types.
pub(super) struct Definitions<'w> {
    pub walk: Walk<'w>,
    /// Whether a value is shown by `Debug`, with all of its fields.
    pub shows_debug: bool,
}

impl<'ast> Visit<'ast> for Definitions<'_> {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        if self.walk.is_needed(item) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        let derived = ["Debug", "Clone", "Copy", "PartialEq", "Eq", "PartialOrd", "Ord", "Hash"];
        let is_plain = |it: &syn::Variant| it.discriminant.is_none() && are_derived(&it.attrs, &[]);
        if !are_derived(&item.attrs, &derived)
            || !item.generics.params.is_empty()
            || !item.variants.iter().all(is_plain)
        {
            return;
        }
        let list = self.walk.list(&item.variants);
        for (part, variant) in item.variants.iter().enumerate() {
            let name = plain(&variant.ident);
            let own = Variant { place: Place { list, part }, arms: Vec::new() };
            // Of two with one name it is not known which one is made.
            if self.walk.facts.variants.insert(name.clone(), own).is_some() {
                self.walk.facts.mentioned.insert(name);
            }
        }
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        let derived: &[&str] =
            if self.shows_debug { &["Clone", "Copy"] } else { &["Clone", "Copy", "Debug"] };
        let syn::Fields::Named(fields) = &item.fields else { return };
        let is_plain = |it: &syn::Field| are_derived(&it.attrs, &[]);
        if !are_derived(&item.attrs, derived) || !fields.named.iter().all(is_plain) {
            return;
        }
        let list = self.walk.list(&fields.named);
        for (part, field) in fields.named.iter().enumerate() {
            let owner = plain(&item.ident);
            let name = field.ident.as_ref().map(plain).unwrap_or_default();
            let generics = generics_in(&field.ty, &item.generics);
            let of = FieldOf { owner, field: name.clone() };
            let own = Field { place: Place { list, part }, generics };
            if self.walk.facts.fields.insert(of, own).is_some() {
                self.walk.facts.reads.insert(name);
            }
        }
    }
}

/// Whether attributes are only documentation, and derives of these traits.
fn are_derived(attributes: &[Attribute], traits: &[&str]) -> bool {
    attributes.iter().all(|attribute| {
        let paths = Punctuated::<Path, Token![,]>::parse_terminated;
        let is_known = |path: &Path| traits.iter().any(|it| path.is_ident(it));
        let are_known = |paths: Punctuated<Path, Token![,]>| paths.iter().all(is_known);
        attribute.path().is_ident("doc")
            || attribute.path().is_ident("derive")
                && attribute.parse_args_with(paths).is_ok_and(are_known)
    })
}

/// The generic parameters that a type names.
fn generics_in(of: &Type, generics: &Generics) -> BTreeSet<String> {
    let words = idents::of_text(&of.to_token_stream().to_string());
    let names = generics.params.iter().map(|parameter| match parameter {
        syn::GenericParam::Lifetime(it) => plain(&it.lifetime.ident),
        syn::GenericParam::Type(it) => plain(&it.ident),
        syn::GenericParam::Const(it) => plain(&it.ident),
    });
    names.filter(|name| words.contains(name)).collect()
}
