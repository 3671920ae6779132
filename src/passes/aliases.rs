//! Type aliases and constants.

use syn::Item;

use super::{Effect, Pass, Reduction, Tier, Tree, walk};

/// Puts the type of an alias, or the value of a constant, in the place of each mention.
pub(super) const PASS: Pass = Pass {
    name: "aliases",
    about: "inline type aliases and constants",
    tier: Tier::Medium,
    effect: Effect::Quiet,
    before: "type A = u8; fn f(a: A) {}",
    after: "fn f(a: u8) {}",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    walk::items(tree)
        .into_iter()
        .filter_map(|item| {
            let (name, meaning) = match item {
                Item::Type(item) if item.generics.params.is_empty() => {
                    (&item.ident, tree.text_of(&item.ty))
                }
                Item::Const(item) => (&item.ident, tree.text_of(&item.expr)),
                _ => return None,
            };
            let definition = tree.range(item);
            let mentions = walk::mentions(tree, &tree.file, name);
            let outside = mentions
                .into_iter()
                .filter(|mention| !definition.contains(&mention.start));
            let removed = Reduction::remove(definition.clone());
            Some(outside.fold(removed, |reduction, mention| {
                reduction.and_replace(mention, meaning)
            }))
        })
        .collect()
}
