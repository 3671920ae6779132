//! Parts of attributes.

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree, walk};

/// Removes one part of a list in an attribute: a derive, a feature, a lint.
pub(crate) const PASS: Pass = Pass {
    name: "derives",
    about: "remove parts of derive, feature and other attribute lists",
    tier: Tier::Medium,
    effect: Effect::Quiet,
    before: "#[derive(Clone, Debug)] struct A;",
    after: "#[derive(Debug)] struct A;",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    tree.attributes()
        .filter_map(|attribute| attribute.meta.require_list().ok())
        .filter_map(|list| walk::parts_at_commas(&list.tokens))
        .filter(|parts| parts.len() > 1)
        .flat_map(|parts| tree.elements(&parts))
        .map(Reduction::remove)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::{lines, proposes};

    #[test]
    fn the_only_part_goes_with_the_attribute_whatever_stands_before_it() {
        assert_eq!(lines(propose, "#[derive(Debug)] struct A;"), [""; 0]);
        let text = "#[derive(Clone, Copy)] struct A; #[derive(Debug)] struct B;";
        let [first, second] = ["Copy", "Clone"].map(|left| text.replacen("Clone, Copy", left, 1));
        assert_eq!(lines(propose, text), [first.replace("(Copy", "( Copy"), second]);
    }

    #[test]
    fn parts_may_be_of_any_kind() {
        let text = "#[case(1, 2 => 3)] #[cfg(any(a, b), not(c),)] fn f() {}";
        proposes(propose, text, "#[case(1)] #[cfg(any(a, b), not(c),)] fn f() {}");
        proposes(propose, text, "#[case(1, 2 => 3)] #[cfg(any(a, b), )] fn f() {}");
    }
}
