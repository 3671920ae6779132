//! Where the value of an input comes from.

use std::collections::BTreeSet;
use std::ops::Range;

use super::found::FoundInputs;
use super::shown::Origin;
use crate::reduce::inputs::NodeId;
use crate::source::item::Item;
use crate::source::{Crate, ValueKind, idents};

impl FoundInputs {
    /// Where the value of an input comes from.
    pub fn origin(&self, root: NodeId) -> Origin {
        let place = self.observed.get(&root).map_or(root, |observed| observed.place);
        let crossing = self.boundary.iter().find(|crossing| crossing.id == place);
        match (crossing, self.place(root).kind) {
            (Some(crossing), _) => crossing.origin,
            (None, ValueKind::File(_) | ValueKind::Files) => Origin::Read,
            (None, _) => Origin::Literal,
        }
    }
}

impl Crate {
    /// Where the value of the expression at `range` comes from, in an item of test code, by what it and the helpers
    /// that it names mention; `is_test_code` tells helpers.
    pub(super) fn origin_of(
        &self,
        item: &Item,
        range: &Range<usize>,
        is_test_code: &dyn Fn(&Item) -> bool,
    ) -> Origin {
        let mut names = idents::of_text(&self.file(item.file).text[range.clone()]);
        let mut seen = BTreeSet::new();
        loop {
            let is_named = |(index, item): &(usize, &Item)| {
                names.contains(&item.name) && !seen.contains(index) && is_test_code(item)
            };
            let new: Vec<usize> =
                self.items.iter().enumerate().filter(is_named).map(|(index, _)| index).collect();
            if new.is_empty() {
                break;
            }
            for index in new {
                seen.insert(index);
                names.append(&mut self.names_in(&self.items[index]));
            }
        }
        names.iter().map(|name| told_by(name)).max().unwrap_or(Origin::Computed)
    }
}

/// What one name tells of a value.
fn told_by(name: &str) -> Origin {
    const READS: [&str; 12] = [
        "BufReader",
        "File",
        "OpenOptions",
        "fs",
        "include_bytes",
        "include_str",
        "read_dir",
        "read_line",
        "read_to_end",
        "read_to_string",
        "stdin",
        "var",
    ];
    const GENERATES: [&str; 4] = ["arbitrary", "rand", "random", "rng"];
    let lower = name.to_lowercase();
    let is_generator = GENERATES.iter().any(|word| {
        let is_part = |part: &str| part == *word;
        lower.split('_').any(is_part) || name.ends_with("Rng") || name.starts_with("Random")
    });
    if is_generator {
        Origin::Generated
    } else if READS.contains(&name) {
        Origin::Read
    } else {
        Origin::Computed
    }
}
