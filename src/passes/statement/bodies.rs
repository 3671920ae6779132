//! Function bodies.

use syn::ReturnType;

use crate::passes::{Effect, Pass, Tier};
use crate::rust::switches::shapes;
use crate::rust::{Reduction, Tree};

/// Empties the body of a function; where a value has to come back, the stand-in takes its place.
pub(crate) const PASS: Pass = Pass {
    name: "bodies",
    about: "swap function bodies for empty ones",
    tier: Tier::Coarse,
    effect: Effect::Switched,
    before: "fn f() -> String { let mut s = g(); s.push('a'); s }",
    after: "fn f() -> String { loop {} }",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions: Vec<Reduction> = tree
        .functions()
        // A stand-in would not compile where the body decides the type that is returned.
        .filter(|(signature, _)| !shapes::returns_opaque(&signature.output))
        .filter_map(|(signature, block)| {
            let inside = tree.inside(&block.brace_token.span);
            let body = match signature.output {
                ReturnType::Default => "",
                ReturnType::Type(..) => tree.stand_in.expr(),
            };
            let is_smaller = tree.text[inside.clone()].trim().len() > body.len();
            is_smaller.then(|| Reduction::replace(inside, body))
        })
        .collect();
    reductions.sort_by_key(Reduction::start);
    reductions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::{StandIn, apply};

    fn all_at_once(text: &str) -> String {
        Tree::with(text, StandIn::Loop, |tree| apply(text, &propose(tree))).unwrap()
    }

    #[test]
    fn functions_of_all_kinds_are_emptied() {
        let text = "fn a() { b(); } trait T { fn c(&self) -> u8 { self.d() } } impl T for () { fn c(&self) -> u8 { 1 + 2 + 3 } }";
        assert_eq!(
            all_at_once(text),
            "fn a() {} trait T { fn c(&self) -> u8 {loop {}} } impl T for () { fn c(&self) -> u8 {loop {}} }"
        );
    }

    #[test]
    fn a_body_that_decides_the_type_stays() {
        let text = "fn a() -> impl Iterator<Item = u8> { std::iter::empty() }";
        assert_eq!(all_at_once(text), text);
    }
}
