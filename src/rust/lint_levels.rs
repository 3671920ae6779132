//! What a source says of lints.

use super::{Reduction, StandIn, Tree};

/// Removes all attributes by which a source warns of a lint, denies or forbids it.
pub fn without_lint_levels(text: &str) -> Reduction {
    let look = |tree: &Tree<'_>| {
        let attributes = tree.attributes();
        let levels = attributes.filter(|attribute| {
            let level = attribute.path().get_ident();
            level.is_some_and(|level| level == "warn" || level == "deny" || level == "forbid")
        });
        levels.fold(Reduction::default(), |all, level| all.and_remove(tree.range(level)))
    };
    Tree::with(text, StandIn::Panic, look).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_example_of_without_lint_levels_holds() {
        use crate::rust::{apply, without_lint_levels};

        let text = "#![deny(warnings)]\n#![no_std]\n#[forbid(unused)]\nfn f() {}\n";
        assert_eq!(apply(text, [&without_lint_levels(text)]), "#![no_std]\nfn f() {}\n");
    }
}
