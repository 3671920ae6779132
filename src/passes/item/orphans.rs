//! Items together with the items that name them.

use std::collections::BTreeSet;
use std::ops::Range;

use syn::Item;

use crate::passes::{Effect, Pass, Tier};
use crate::reduce::keep_outermost;
use crate::rust::{Reduction, Tree};
use crate::source::item_name;

/// Removes a type, trait or macro with all impls, imports and other items that name it.
pub(crate) const PASS: Pass = Pass {
    name: "orphans",
    about: "remove an item and everything that uses it",
    tier: Tier::Coarse,
    effect: Effect::Any,
    before: "struct A; impl A {} fn f(a: A) {} fn g() {}",
    after: "fn g() {}",
    propose,
};

fn propose(tree: &Tree<'_>) -> Vec<Reduction> {
    let mut ranges: Vec<Range<usize>> = tree
        .items()
        .filter(|item| !matches!(item, Item::Mod(_)))
        .map(|item| tree.range(item))
        .collect();
    keep_outermost(&mut ranges, |range| range);
    let with_users = tree.items().filter_map(|item| {
        let name = item_name(item).filter(|_| !matches!(item, Item::Mod(_)))?;
        // A macro is named wherever it stands.
        let places: Vec<usize> = if let Item::Macro(_) = item {
            tree.words(name).map(|word| word.range.start).collect()
        } else {
            let uses = tree.uses_of_item(name);
            let all = uses.paths.into_iter().chain(uses.imports);
            let all = all.map(|place| place.start);
            all.chain([tree.range(item).start]).collect()
        };
        let users: BTreeSet<usize> =
            places.into_iter().filter_map(|place| around(&ranges, place)).collect();
        let users = users.into_iter().map(|user| ranges[user].clone());
        (users.len() > 1).then(|| users.fold(Reduction::default(), Reduction::and_remove))
    });
    with_users.collect()
}

/// Which of these ranges is around a place.
fn around(ranges: &[Range<usize>], place: usize) -> Option<usize> {
    let before = ranges.partition_point(|range| range.start <= place).checked_sub(1)?;
    (place < ranges[before].end).then_some(before)
}
