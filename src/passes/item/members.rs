//! Items of impls, traits and `extern` blocks.

use std::collections::HashMap;
use std::ops::Range;

use syn::{Ident, ImplItem, Item, TraitItem};

use crate::passes::{Effect, Pass, Tier};
use crate::rust::names::last_word;
use crate::rust::{Reduction, Tree};

/// Removes an associated item. One of a trait goes alone, and together with what implements it.
pub(crate) const PASS: Pass = Pass {
    name: "members",
    about: "remove items of impls, traits and extern blocks",
    tier: Tier::Coarse,
    effect: Effect::Quiet,
    before: "trait T { fn a(); fn b(); } impl T for () { fn a() {} fn b() {} }",
    after: "trait T { fn b(); } impl T for () { fn b() {} }",
    propose,
};

pub(crate) fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let implementations = implementations(tree);
    let mut reductions = Vec::new();
    for item in tree.items() {
        let Item::Trait(item) = item else { continue };
        for member in &item.items {
            let alone = Reduction::remove(tree.range(member));
            let key =
                trait_item_name(member).map(|name| (item.ident.to_string(), name.to_string()));
            if let Some(others) = key.and_then(|key| implementations.get(&key)) {
                let others = tree.counted(others).cloned();
                reductions.push(others.fold(alone.clone(), Reduction::and_remove));
            }
            reductions.push(alone);
        }
    }
    let in_impls = tree.impl_items().map(|item| tree.range(item));
    let foreign = tree.foreign_items().map(|item| tree.range(item));
    reductions.extend(in_impls.chain(foreign).map(Reduction::remove));
    reductions.sort_by_key(Reduction::start);
    reductions
}

/// The items in impls of traits, by the name of the trait and their own.
fn implementations(tree: &Tree<'_>) -> HashMap<(String, String), Vec<Range<usize>>> {
    let mut ranges: HashMap<_, Vec<_>> = HashMap::new();
    for item in tree.items() {
        let Item::Impl(item) = item else { continue };
        let Some(of) = item.trait_.as_ref().and_then(|(path, _)| last_word(path)) else { continue };
        for member in &item.items {
            let name = match member {
                ImplItem::Const(member) => &member.ident,
                ImplItem::Fn(member) => &member.sig.ident,
                ImplItem::Type(member) => &member.ident,
                _ => continue,
            };
            let same = ranges.entry((of.to_string(), name.to_string())).or_default();
            same.push(tree.range(member));
        }
    }
    ranges
}

fn trait_item_name(item: &TraitItem) -> Option<&Ident> {
    match item {
        TraitItem::Const(item) => Some(&item.ident),
        TraitItem::Fn(item) => Some(&item.sig.ident),
        TraitItem::Type(item) => Some(&item.ident),
        _ => None,
    }
}
