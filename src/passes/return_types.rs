//! Return types.

use syn::{ReturnType, Stmt};

use super::{Effect, Pass, Reduction, Tier, Tree, walk};

/// Removes a return type: alone, with the last expression of the body, and with all that is in the body.
pub(super) const PASS: Pass = Pass {
    name: "return-types",
    about: "remove return types, with the expression or the body that made the value",
    tier: Tier::Medium,
    effect: Effect::Quiet,
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
            if let [_, .., Stmt::Expr(value, None)] = &block.stmts[..] {
                let value = tree.range(value);
                reductions.push(Reduction::remove(output.clone()).and_remove(value));
            }
            reductions.push(Reduction::remove(output).and_remove(inside));
        }
    }
    reductions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::{StandIn, apply};

    #[test]
    fn what_stands_before_the_value_may_stay() {
        let text = "fn f() -> u8 { g(); 1 }";
        let results = Tree::with(text, StandIn::Loop, |tree| {
            let proposed = propose(tree);
            proposed
                .iter()
                .map(|reduction| apply(text, [reduction]))
                .collect::<Vec<_>>()
        });
        let tokens = |result: &String| result.split_whitespace().collect::<Vec<_>>().join(" ");
        let results: Vec<String> = results.unwrap().iter().map(tokens).collect();
        assert!(
            results.contains(&"fn f() { g(); }".to_owned()),
            "{results:?}"
        );
    }
}
