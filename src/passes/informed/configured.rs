//! What the conditions under which a source is compiled decide: parts that are never compiled go, and the conditions
//! of the others.

use syn::{AttrStyle, Meta};

use crate::passes::PassId;
use crate::reduce::{RangeExt, keep_outermost};
use crate::rust::{Conditions, Reduction, Tree};

/// The passes among whose removals is that of a part with a condition.
const REMOVALS: [PassId; 6] = [
    PassId::Items,
    PassId::Members,
    PassId::Statements,
    PassId::Fields,
    PassId::Variants,
    PassId::Arms,
];

/// Removes each part whose condition does not hold in any crate of which the source is a part, and each condition
/// that holds in all of them.
pub(crate) fn propose(tree: &Tree<'_>, crates: &[Conditions]) -> Vec<Reduction> {
    let mut reductions = Vec::new();
    let mut removals: Option<Vec<Reduction>> = None;
    for attribute in tree.attributes() {
        let Meta::List(list) = &attribute.meta else { continue };
        let Some(predicate) = list.parse_args::<Meta>().ok().filter(|_| list.path.is_ident("cfg"))
        else {
            continue;
        };
        let range = tree.range(attribute);
        let mut held = crates.iter().map(|conditions| conditions.hold(&predicate));
        let Some(Some(first)) = held.next() else { continue };
        if held.any(|other| other != Some(first)) {
            continue;
        }
        if first {
            reductions.push(Reduction::remove(range));
        } else if matches!(attribute.style, AttrStyle::Outer) {
            let removals = removals.get_or_insert_with(|| {
                REMOVALS.into_iter().flat_map(|id| (id.pass().propose)(tree)).collect()
            });
            let takes = |removal: &&Reduction| matches!(&removal.changes[..], [only] if only.text.is_empty() && only.range.covers(&range));
            let smallest = removals.iter().filter(takes).min_by_key(|it| it.weight());
            reductions.extend(smallest.cloned());
        }
    }
    // What stands within a part that goes needs no removal of its own.
    keep_outermost(&mut reductions, |reduction| &reduction.changes[0].range);
    reductions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::{StandIn, apply};

    #[test]
    fn what_is_not_compiled_goes_and_conditions_that_hold() {
        let text = "#[cfg(has_std)] struct A { x: u8, #[cfg(no_std)] y: u8 } \
                    #[cfg(not(has_std))] mod m { #[cfg(has_std)] fn f() {} } \
                    fn g() { #[cfg(no_std)] h(); #[cfg(debug_assertions)] i(); } \
                    impl A { /// Docs.\n #[cfg(no_std)] fn j() {} #[cfg(has_std)] fn k() {} }";
        let one = Conditions { set: ["has_std".to_owned()].into(), ..Conditions::default() };
        let left = |crates: &[Conditions]| {
            let all = Tree::with(text, StandIn::Panic, |tree| propose(tree, crates)).unwrap();
            let words = apply(text, &all);
            words.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            left(std::slice::from_ref(&one)),
            "struct A { x: u8 } fn g() { #[cfg(debug_assertions)] i(); } impl A { fn k() {} }"
        );
        // Where the crates of a file do not agree, it stays.
        let both = left(&[one, Conditions::default()]);
        assert!(both.contains("mod m") && !both.contains("h();"), "{both}");
    }
}
