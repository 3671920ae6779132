//! Parts of `use`.

use syn::UseTree;

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};

/// Removes a part of a `use` group, a group around a single part, and `as`.
pub(crate) const PASS: Pass = Pass {
    name: "trim-use",
    about: "remove parts of use declarations",
    tier: Tier::Medium,
    effect: Effect::Quiet,
    before: "use std::{fmt, io as i};",
    after: "use std::{io as i};",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    for part in tree.use_trees() {
        match part {
            UseTree::Path(path) if is_itself(&path.tree) => {
                reductions.push(Reduction::keep(tree.range(path), tree.range(&path.ident)));
            }
            UseTree::Group(group) if group.items.len() == 1 => {
                // A comma may follow it.
                let inside = tree.range(&group.items[0]);
                reductions.push(Reduction::keep(tree.range(group), inside));
            }
            UseTree::Group(group) => {
                reductions.extend(tree.elements(&group.items).into_iter().map(Reduction::remove));
            }
            UseTree::Rename(rename) => {
                reductions.push(Reduction::keep(tree.range(rename), tree.range(&rename.ident)));
            }
            _ => {}
        }
    }
    reductions
}

/// Whether it is `{self}`: the module in front of it.
fn is_itself(part: &UseTree) -> bool {
    let UseTree::Group(group) = part else { return false };
    group.items.len() == 1 && matches!(&group.items[0], UseTree::Name(name) if name.ident == "self")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::proposes;

    #[test]
    fn a_single_part_needs_no_braces() {
        proposes(propose, "use a::{b::c,};", "use a::b::c;");
        proposes(propose, "use a::b::{self};", "use a::b;");
    }
}
