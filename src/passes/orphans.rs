//! Items together with the items that name them.

use std::collections::HashMap;

use quote::ToTokens;
use syn::Item;

use super::{Effect, Pass, Reduction, Tier, Tree, walk};

/// Removes a type, trait or macro with all impls, imports and other items that name it.
pub(super) const PASS: Pass = Pass {
    name: "orphans",
    about: "remove an item with everything that names it",
    tier: Tier::Coarse,
    effect: Effect::Any,
    before: "struct A; impl A {} fn f(a: A) {} fn g() {}",
    after: "fn g() {}",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let items: Vec<&Item> = walk::items(tree)
        .into_iter()
        .filter(|item| !matches!(item, Item::Mod(_)))
        .collect();
    let mut naming: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, item) in items.iter().enumerate() {
        for token in walk::flat_tokens(&item.to_token_stream()) {
            if let proc_macro2::TokenTree::Ident(word) = token {
                let users = naming.entry(word.to_string()).or_default();
                if users.last() != Some(&index) {
                    users.push(index);
                }
            }
        }
    }
    let mut reductions = Vec::new();
    for item in &items {
        let users = walk::item_name(item).and_then(|name| naming.get(&name.to_string()));
        let Some(users) = users.filter(|users| users.len() > 1) else {
            continue;
        };
        let ranges = users.iter().map(|user| tree.range(items[*user]));
        reductions.push(ranges.fold(Reduction::default(), Reduction::and_remove));
    }
    reductions
}
