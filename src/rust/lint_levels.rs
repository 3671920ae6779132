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
        use crate::rust::{Sameness, Sources, without_lint_levels};

        let text = "#![deny(warnings)]\n#![no_std]\n#[forbid(unused)]\nfn f() {}\n";
        let sources = Sources::of_file("a.rs", text, Sameness::Tokens);
        let after = sources.edit([(0, &without_lint_levels(text))]);
        assert_eq!(&*after.files[0].text, "#![no_std]\nfn f() {}\n");
    }
}
