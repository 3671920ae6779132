//! Return types.

use syn::ReturnType;

use super::{Pass, Reduction, Tier, Tree, walk};

/// Removes a return type: alone, and with what is in the body.
pub(super) const PASS: Pass = Pass {
    name: "return-types",
    about: "remove return types, with the body that made the value",
    tier: Tier::Medium,
    before: "fn f() -> u8 { 1 + 2 }",
    after: "fn f() {}",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions: Vec<Reduction> = walk::return_types(tree)
        .into_iter()
        .filter(|output| matches!(output, ReturnType::Type(..)))
        .map(|output| Reduction::remove(tree.range(output)))
        .collect();
    for (signature, block) in walk::functions(tree) {
        if matches!(signature.output, ReturnType::Type(..)) {
            let inside = tree.inside(&block.brace_token.span);
            let output = tree.range(&signature.output);
            reductions.push(Reduction::remove(output).and_remove(inside));
        }
    }
    reductions
}
