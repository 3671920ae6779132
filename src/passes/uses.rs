//! Parts of `use`.

use syn::UseTree;

use super::{Effect, Pass, Reduction, Tier, Tree, walk};

/// Removes a part of a `use` group, a group around a single part, and `as`.
pub(super) const PASS: Pass = Pass {
    name: "uses",
    about: "remove parts of use declarations",
    tier: Tier::Medium,
    effect: Effect::Quiet,
    before: "use std::{fmt, io as i};",
    after: "use std::{io as i};",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    for part in walk::use_trees(tree) {
        match part {
            UseTree::Group(group) if group.items.len() == 1 => {
                let inside = tree.range(&group.items);
                reductions.push(Reduction::keep(tree.range(group), inside));
            }
            UseTree::Group(group) => {
                reductions.extend(
                    tree.elements(&group.items)
                        .into_iter()
                        .map(Reduction::remove),
                );
            }
            UseTree::Rename(rename) => {
                reductions.push(Reduction::keep(
                    tree.range(rename),
                    tree.range(&rename.ident),
                ));
            }
            _ => {}
        }
    }
    reductions
}
