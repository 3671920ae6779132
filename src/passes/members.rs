//! Items of impls, traits and `extern` blocks.

use std::collections::HashMap;

use syn::{ImplItem, Item, TraitItem};

use super::{Effect, Pass, Reduction, Tier, Tree, walk};

/// Removes an associated item. One of a trait goes alone, and together with what implements it.
pub(super) const PASS: Pass = Pass {
    name: "members",
    about: "remove items of impls, traits and extern blocks",
    tier: Tier::Coarse,
    effect: Effect::Quiet,
    before: "trait T { fn a(); fn b(); } impl T for () { fn a() {} fn b() {} }",
    after: "trait T { fn b(); } impl T for () { fn b() {} }",
    propose,
};

pub(super) fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let implementations = implementations(tree);
    let mut reductions = Vec::new();
    for item in walk::trait_items(tree) {
        let alone = Reduction::remove(tree.range(item));
        let others = trait_item_name(item).and_then(|name| implementations.get(&name));
        if let Some(others) = others {
            let together = others
                .iter()
                .cloned()
                .fold(alone.clone(), Reduction::and_remove);
            reductions.push(together);
        }
        reductions.push(alone);
    }
    let in_impls = walk::impl_items(tree)
        .into_iter()
        .map(|item| tree.range(item));
    let foreign = walk::foreign_items(tree)
        .into_iter()
        .map(|item| tree.range(item));
    reductions.extend(in_impls.chain(foreign).map(Reduction::remove));
    reductions.sort_by_key(Reduction::start);
    reductions
}

/// The ranges of items in impls of traits, by name.
fn implementations(tree: &Tree<'_>) -> HashMap<String, Vec<std::ops::Range<usize>>> {
    let mut ranges: HashMap<String, Vec<_>> = HashMap::new();
    for item in walk::items(tree) {
        let Item::Impl(item) = item else { continue };
        for member in item.items.iter().filter(|_| item.trait_.is_some()) {
            let name = match member {
                ImplItem::Const(member) => member.ident.to_string(),
                ImplItem::Fn(member) => member.sig.ident.to_string(),
                ImplItem::Type(member) => member.ident.to_string(),
                _ => continue,
            };
            ranges.entry(name).or_default().push(tree.range(member));
        }
    }
    ranges
}

fn trait_item_name(item: &TraitItem) -> Option<String> {
    match item {
        TraitItem::Const(item) => Some(item.ident.to_string()),
        TraitItem::Fn(item) => Some(item.sig.ident.to_string()),
        TraitItem::Type(item) => Some(item.ident.to_string()),
        _ => None,
    }
}
