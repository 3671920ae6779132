//! Type aliases and constants.

use syn::Item;

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};

/// Puts the type of an alias, or the value of a constant, in the place of each use. Imports of it go.
pub(crate) const PASS: Pass = Pass {
    name: "aliases",
    about: "inline type aliases and constants",
    tier: Tier::Medium,
    effect: Effect::Quiet,
    before: "type A = u8; fn f(a: A) {}",
    after: "fn f(a: u8) {}",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let inlined = tree.items().filter_map(|item| {
        let (name, is_inlined) = match item {
            Item::Type(alias) => (&alias.ident, alias.generics.params.is_empty()),
            Item::Const(constant) => (&constant.ident, true),
            _ => return None,
        };
        let uses = if is_inlined {
            tree.uses_of_item(name)
        } else {
            return None;
        };
        let mut reduction = Reduction::remove(tree.range(item));
        for import in uses.imports {
            reduction = reduction.and_remove(import);
        }
        for place in uses.paths {
            reduction = match item {
                Item::Type(alias) => tree.replace_type(reduction, place, &alias.ty),
                Item::Const(constant) => tree.replace_expr(reduction, place, &constant.expr),
                _ => return None,
            };
        }
        Some(reduction)
    });
    inlined.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::{lines, sources_of};

    #[test]
    fn a_value_keeps_together_where_it_goes() {
        let text = "const N: u8 = 1 + 2; fn f() { g(N * 3, N, S { N: 0 }.N) }";
        assert_eq!(lines(propose, text), ["fn f() { g((1 + 2) * 3, 1 + 2, S { N: 0 }.N) }"]);
    }

    #[test]
    fn the_same_name_in_another_module_is_another_one() {
        let text = "const N: u8 = 1; mod m { const N: u8 = 2; fn f() { N; super::N; } } \
                    mod n { fn f() { N; crate::N; crate::m::N; } } mod o { use super::*; fn f() { N } }";
        assert_eq!(
            lines(propose, text)[0],
            "mod m { const N: u8 = 2; fn f() { N; 1; } } \
             mod n { fn f() { N; 1; crate::m::N; } } mod o { use super::*; fn f() { 1 } }"
        );
        let own = "const N: u8 = 1; mod m { fn f() { 2; super::N; } } \
                   mod n { fn f() { N; crate::N; 2; } } mod o { use super::*; fn f() { N } }";
        assert_eq!(lines(propose, text)[1], own);
    }

    #[test]
    fn imports_go_along() {
        let text = "mod m { pub type A = Vec<u8>; pub type B = A; } use m::{A, B}; fn f(a: A) { A::new() }";
        assert_eq!(
            lines(propose, text)[0],
            "mod m { pub type B = Vec<u8>; } use m::{ B}; fn f(a: Vec<u8>) { <Vec<u8>>::new() }"
        );
    }

    #[test]
    fn a_type_keeps_together_behind_a_reference() {
        let text = "type A = dyn B + C; fn f(a: &A, b: Box<A>) {}";
        assert_eq!(lines(propose, text), ["fn f(a: &(dyn B + C), b: Box<dyn B + C>) {}"]);
    }

    #[test]
    fn what_stands_there_then_is_known_to_come_from_the_definition() {
        let text = "const N: u8 = g(1); fn f() { h(N) }";
        let before = sources_of(text);
        let found = Tree::with(text, crate::rust::StandIn::Loop, propose).unwrap();
        let after = before.edit([(0, &found[0])]);
        let place = after.files[0].text.find("g(1)").unwrap();
        let definition = text.find("g(1)").unwrap();
        assert_eq!(after.origin(0, place), before.origin(0, definition));
    }
}
