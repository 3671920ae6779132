//! Items that name each other.

use std::collections::BTreeSet;

use super::Crate;
use super::item::Item;

/// Items, and the names that are mentioned in them.
#[derive(Default)]
pub(super) struct Named {
    /// The items, by their places in the crate's index.
    pub items: BTreeSet<usize>,
    /// The names.
    pub names: BTreeSet<String>,
}

impl Named {
    /// Adds all items that `is_named` takes for mentioned by the names so far, until there are no more; `names_in` tells
    /// what an item mentions.
    pub(super) fn grow(
        &mut self,
        krate: &Crate,
        is_named: impl Fn((usize, &Item), &BTreeSet<String>) -> bool,
        mut names_in: impl FnMut(usize) -> BTreeSet<String>,
    ) {
        loop {
            let is_new = |(index, item): &(usize, &Item)| {
                !self.items.contains(index) && is_named((*index, *item), &self.names)
            };
            let new = krate.items.iter().enumerate().filter(is_new);
            let new: Vec<usize> = new.map(|(index, _)| index).collect();
            if new.is_empty() {
                return;
            }
            for index in new {
                self.items.insert(index);
                self.names.append(&mut names_in(index));
            }
        }
    }
}
