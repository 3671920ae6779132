//! Where the value of an input comes from.

use std::ops::Range;

use super::found::FoundInputs;
use super::shown::Origin;
use crate::reduce::inputs::NodeId;
use crate::source::item::Item;
use crate::source::methods::is_among;
use crate::source::named::Named;
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
        let names = idents::of_text(self.slice(item.file, range));
        let mut named = Named { names, ..Named::default() };
        named.grow(
            self,
            |(_, item), names| names.contains(&item.name) && is_test_code(item),
            |index| self.names_in(&self.items[index]),
        );
        named.names.iter().map(|name| told_by(name)).max().unwrap_or(Origin::Computed)
    }
}

/// What one name tells of a value.
fn told_by(name: &str) -> Origin {
    const READS: &str = "BufReader File OpenOptions fs include_bytes include_str read_dir read_line \
                         read_to_end read_to_string stdin var";
    const GENERATES: [&str; 4] = ["arbitrary", "rand", "random", "rng"];
    let lower = name.to_lowercase();
    let is_generator = GENERATES.iter().any(|word| {
        let is_part = |part: &str| part == *word;
        lower.split('_').any(is_part) || name.ends_with("Rng") || name.starts_with("Random")
    });
    if is_generator {
        Origin::Generated
    } else if is_among(READS, name) {
        Origin::Read
    } else {
        Origin::Computed
    }
}
