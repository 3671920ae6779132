//! Attributes.

use std::ops::Range;

use quote::ToTokens;
use syn::{FnArg, ItemFn, Meta};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::{Reduction, Tree};

/// Removes an attribute; of `cfg_attr` and the like also only its argument list.
pub(crate) const PASS: Pass = Pass {
    name: "attributes",
    about: "remove attributes",
    tier: Tier::Medium,
    effect: Effect::Quiet,
    before: "#![feature(never_type)] #[inline] fn f() {}",
    after: "#![feature(never_type)] fn f() {}",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    for attribute in tree.attributes() {
        reductions.push(Reduction::remove(tree.range(attribute)));
        let after_path = tree.range(attribute.meta.path()).end;
        if !matches!(attribute.meta, Meta::Path(_)) && !is_doc(attribute) {
            let end = tree.range(&attribute.meta.to_token_stream()).end;
            reductions.push(Reduction::remove(after_path..end));
        }
    }
    reductions.extend(
        tree.item_functions().flat_map(|function| with_those_of_parameters(tree, function)),
    );
    reductions
}

/// An attribute together with those of the parameters, which may mean nothing without it:
/// `#[fixture] fn shop(#[default(1)] size: u8)`.
fn with_those_of_parameters<'r>(
    tree: &'r Tree<'_>,
    function: &'r ItemFn,
) -> impl Iterator<Item = Reduction> + 'r {
    let attributes = function.sig.inputs.iter().flat_map(|input| match input {
        FnArg::Typed(parameter) => &parameter.attrs,
        FnArg::Receiver(receiver) => &receiver.attrs,
    });
    let ranges: Vec<Range<usize>> = attributes.map(|it| tree.range(it)).collect();
    let outer = function.attrs.iter().filter(|it| !is_doc(it));
    let has_any = !ranges.is_empty();
    outer.filter(move |_| has_any).map(move |attribute| {
        let first = Reduction::remove(tree.range(attribute));
        ranges.iter().cloned().fold(first, Reduction::and_remove)
    })
}

/// A doc comment has no argument list in the text.
fn is_doc(attribute: &syn::Attribute) -> bool {
    attribute.path().is_ident("doc")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::{StandIn, apply};

    #[test]
    fn attributes_of_parameters_go_with_one_of_the_function() {
        let text = "#[fixture] fn f(#[default(1)] a: u8, #[default(2)] b: u8) {}";
        let all = Tree::with(text, StandIn::Panic, propose).unwrap();
        let is_plain = |reduction: &Reduction| {
            let words = apply(text, [reduction]);
            words.split_whitespace().collect::<Vec<_>>().join(" ") == "fn f( a: u8, b: u8) {}"
        };
        assert!(all.iter().any(is_plain));
    }
}
