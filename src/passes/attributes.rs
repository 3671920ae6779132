//! Attributes.

use quote::ToTokens;
use syn::Meta;

use super::{Effect, Pass, Reduction, Tier, Tree, walk};

/// Removes an attribute; of `cfg_attr` and the like also only its argument list.
pub(super) const PASS: Pass = Pass {
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
    for attribute in walk::attributes(tree) {
        reductions.push(Reduction::remove(tree.range(attribute)));
        let after_path = tree.range(attribute.meta.path()).end;
        if !matches!(attribute.meta, Meta::Path(_)) && !is_doc(attribute) {
            let end = tree.range(&attribute.meta.to_token_stream()).end;
            reductions.push(Reduction::remove(after_path..end));
        }
    }
    reductions
}

/// A doc comment has no argument list in the text.
fn is_doc(attribute: &syn::Attribute) -> bool {
    attribute.path().is_ident("doc")
}
