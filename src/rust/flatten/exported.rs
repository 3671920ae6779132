//! Macros that a library exports: they stand at the root of their crate, wherever they are written.

use std::ops::Range;

use proc_macro2::Ident;
use syn::{Attribute, Item, UseTree};

use super::attributes::{is_for_tests, is_not_for_tests};
use super::conditions::Unmet;
use crate::rust::Tree;
use crate::source::attributes_of;

/// A macro that is exported.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Exported {
    /// Its name.
    pub(crate) name: String,
    /// Under which conditions.
    conditions: String,
}

impl Exported {
    /// Its import in the module that the crate becomes: there others look for it, while the compiler puts
    /// it at the root of the one crate.
    pub(crate) fn import(&self) -> String {
        format!("{}pub use crate::{};\n", self.conditions, self.name)
    }
}

/// The `#[cfg]`s of an item, as they read in the one crate, behind those of what it stands in.
pub(crate) fn conditions(tree: &Tree<'_>, unmet: &Unmet, around: &str, item: &Item) -> String {
    let is_condition =
        |attribute: &&Attribute| attribute.path().is_ident("cfg") && !is_not_for_tests(attribute);
    let own = attributes_of(item).iter().filter(is_condition);
    own.fold(around.to_owned(), |all, one| all + &unmet.settled(tree, one) + " ")
}

/// Adds the macros that items export to `found`.
pub(crate) fn exported(
    tree: &Tree<'_>,
    unmet: &Unmet,
    items: &[Item],
    around: &str,
    found: &mut Vec<Exported>,
) {
    for item in items {
        if attributes_of(item).iter().any(is_for_tests) {
            continue;
        }
        match item {
            Item::Mod(module) => {
                if let Some((_, items)) = &module.content {
                    let around = conditions(tree, unmet, around, item);
                    exported(tree, unmet, items, &around, found);
                }
            }
            Item::Macro(rules) if rules.attrs.iter().any(is_exported) => {
                let Some(name) = &rules.ident else { continue };
                let exported = Exported {
                    name: name.to_string(),
                    conditions: conditions(tree, unmet, around, item),
                };
                if !found.contains(&exported) {
                    found.push(exported);
                }
            }
            _ => {}
        }
    }
}

fn is_exported(attribute: &Attribute) -> bool {
    attribute.path().is_ident("macro_export")
}

/// Where the imports at the root of a crate name macros that libraries export: they stand there already.
pub(crate) fn named_at_root(
    tree: &Tree<'_>,
    is_library: impl Fn(&Ident) -> bool,
    names: &[String],
) -> Vec<Range<usize>> {
    let imports = tree.file.items.iter().filter_map(|item| match item {
        Item::Use(import) => Some(&import.tree),
        _ => None,
    });
    let of_libraries = imports.filter_map(|import| match import {
        UseTree::Path(path) if is_library(&path.ident) => Some(&*path.tree),
        _ => None,
    });
    let parts = of_libraries.flat_map(|part| match part {
        UseTree::Group(group) => group.items.iter().collect(),
        part => vec![part],
    });
    let named = parts.filter_map(|part| match part {
        UseTree::Name(name) => Some(&name.ident),
        _ => None,
    });
    named
        .filter(|name| names.contains(&name.to_string()))
        .map(|name| tree.span(name.span()))
        .collect()
}
