//! Return types.

use syn::ReturnType;

use super::{Pass, Reduction, Tier, Tree, walk};

/// Removes a return type.
pub(super) const PASS: Pass = Pass {
    name: "return-types",
    about: "remove return types",
    tier: Tier::Medium,
    before: "fn f() -> u8 { loop {} }",
    after: "fn f() { loop {} }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    walk::return_types(tree)
        .into_iter()
        .filter(|output| matches!(output, ReturnType::Type(..)))
        .map(|output| Reduction::remove(tree.range(output)))
        .collect()
}
