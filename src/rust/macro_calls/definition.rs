//! The macros that a file defines.

use syn::Item;

use crate::rust::Tree;
use crate::source::macro_rules::{Arm, arms};

/// A `macro_rules!` macro.
#[derive(Debug, Clone)]
pub struct Definition {
    /// Its name.
    pub name: String,
    pub(crate) arms: Vec<Arm>,
}

/// The macros that a file defines, and where.
pub fn definitions<'t>(tree: &'t Tree<'_>) -> Vec<(Definition, &'t syn::ItemMacro)> {
    let items = tree.items();
    let read = items.filter_map(|item| match item {
        Item::Macro(item) if item.mac.path.is_ident("macro_rules") => {
            let name = item.ident.as_ref()?.to_string();
            let arms = arms(item.mac.tokens.clone())?;
            Some((Definition { name, arms }, item))
        }
        _ => None,
    });
    read.collect()
}
