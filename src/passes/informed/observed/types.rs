//! The definitions of types in the sources.

use std::collections::HashMap;

use syn::{Fields, Generics, Item, Type};

use crate::rust::{Sources, Tree, place_of_file};
use crate::source::ends_in;

/// The types that the sources define, by their names.
#[derive(Default)]
pub(crate) struct Types {
    by_name: HashMap<String, Vec<Definition>>,
}

/// A type, as far as values of it can be written.
#[derive(Clone)]
pub(crate) struct Definition {
    /// The package and kind of target of its file: what stands before the path inside the crate.
    pub krate: String,
    /// The modules around it.
    pub modules: Vec<String>,
    /// The names of its type parameters.
    pub parameters: Vec<String>,
    /// What it is.
    pub shape: TypeShape,
}

/// What a definition says.
#[derive(Clone)]
pub(crate) enum TypeShape {
    /// A struct whose text is that of a derived `Debug`.
    Struct(Members),
    /// An enum whose text is that of a derived `Debug`, with its variants.
    Enum(Vec<(String, Members)>),
    /// Another name for a type.
    Alias(Box<Type>),
}

/// The fields of a struct or variant, each with its type.
#[derive(Clone)]
pub(crate) enum Members {
    /// With names.
    Named(Vec<(String, Type)>),
    /// In parentheses, or none.
    Unnamed(Vec<Type>),
}

impl Types {
    /// The definitions in `sources`.
    pub(crate) fn of(sources: &Sources) -> Self {
        let mut types = Types::default();
        let read = |file: usize, tree: &Tree<'_>| {
            let (krate, modules) = place_of_file(&sources.files[file].path);
            types.add_all(&tree.file.items, &krate, &modules);
        };
        Tree::each(sources, read).for_each(drop);
        types
    }

    fn add_all(&mut self, items: &[Item], krate: &str, modules: &[String]) {
        for item in items {
            let (name, generics, shape) = match item {
                Item::Mod(module) => {
                    let inner = module.content.as_ref().map(|(_, items)| items);
                    let modules = [modules, &[module.ident.to_string()]].concat();
                    self.add_all(inner.map_or(&[], |items| items), krate, &modules);
                    continue;
                }
                Item::Struct(item) if derives_debug(&item.attrs) => {
                    let shape = TypeShape::Struct(members(&item.fields));
                    (&item.ident, &item.generics, shape)
                }
                Item::Enum(item) if derives_debug(&item.attrs) => {
                    let variants = item.variants.iter();
                    let variants =
                        variants.map(|one| (one.ident.to_string(), members(&one.fields)));
                    (&item.ident, &item.generics, TypeShape::Enum(variants.collect()))
                }
                Item::Type(item) => {
                    let shape = TypeShape::Alias(item.ty.clone());
                    (&item.ident, &item.generics, shape)
                }
                _ => continue,
            };
            let definition = Definition {
                krate: krate.to_owned(),
                modules: modules.to_vec(),
                parameters: parameters(generics),
                shape,
            };
            let same = self.by_name.entry(name.to_string()).or_default();
            same.push(definition);
        }
    }

    /// The definition of that name, the one in these modules if there are several.
    pub(crate) fn get(&self, name: &str, modules: &[String]) -> Option<&Definition> {
        let found = self.by_name.get(name)?;
        let in_modules = found.iter().filter(|one| modules.ends_with(&one.modules));
        in_modules.max_by_key(|one| one.modules.len()).or(found.first())
    }
}

fn derives_debug(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let mut is_derived = false;
        if attribute.path().is_ident("derive") {
            let _ = attribute.parse_nested_meta(|meta| {
                is_derived |= ends_in(&meta.path, "Debug");
                Ok(())
            });
        }
        is_derived
    })
}

fn parameters(generics: &Generics) -> Vec<String> {
    let names = generics.type_params().map(|one| one.ident.to_string());
    names.collect()
}

fn members(fields: &Fields) -> Members {
    match fields {
        Fields::Named(named) => {
            let fields = named.named.iter();
            let fields = fields
                .filter_map(|field| Some((field.ident.as_ref()?.to_string(), field.ty.clone())));
            Members::Named(fields.collect())
        }
        Fields::Unnamed(unnamed) => {
            let types = unnamed.unnamed.iter().map(|field| field.ty.clone());
            Members::Unnamed(types.collect())
        }
        Fields::Unit => Members::Unnamed(Vec::new()),
    }
}
