//! What the compiler calls unused, as a list of removals.

use std::collections::HashSet;
use std::ops::Range;

use super::{Reduction, Sources, StandIn, Tree};
use super::{pass, repair};

/// The passes whose removals are looked through.
const REMOVALS: [&str; 7] = [
    "items",
    "members",
    "variants",
    "fields",
    "uses",
    "statements",
    "locals",
];

/// For each place the smallest removal that takes it away, each with the place of its file, but for
/// those that were refused.
pub(super) fn removals(
    sources: &Sources,
    places: &[(usize, Range<usize>)],
    (stand_in, refused): (StandIn, &HashSet<u64>),
) -> Vec<(usize, Reduction)> {
    let mut found = Vec::new();
    for (file, source) in sources.files.iter().enumerate() {
        let here: Vec<&Range<usize>> = { places.iter() }
            .filter(|(place, _)| *place == file)
            .map(|(_, range)| range)
            .collect();
        if here.is_empty() {
            continue;
        }
        let all = Tree::with(&source.text, stand_in, |tree| {
            let passes = pass::all()
                .iter()
                .filter(|pass| REMOVALS.contains(&pass.name));
            passes
                .flat_map(|pass| (pass.propose)(tree))
                .collect::<Vec<Reduction>>()
        });
        let all = all.unwrap_or_default();
        let mut chosen: Vec<&Reduction> = here
            .iter()
            .filter_map(|range| smallest(&all, range))
            .collect();
        chosen.dedup();
        chosen.retain(|removal| !refused.contains(&digest(removal, &source.text)));
        found.extend(chosen.into_iter().map(|removal| (file, removal.clone())));
    }
    found
}

/// Those of the removals that can be made together, the largest first: an implementation goes with all that
/// is unused in it.
pub(super) fn apart(found: &[(usize, Reduction)]) -> Vec<(usize, &Reduction)> {
    let mut all: Vec<(usize, &Reduction)> = { found.iter() }
        .map(|(file, removal)| (*file, removal))
        .collect();
    all.sort_by_key(|(_, removal)| std::cmp::Reverse(removal.weight()));
    { repair::apart(&all).into_iter() }
        .map(|index| all[index])
        .collect()
}

/// Stands for a removal of what is unused in `text`.
pub(super) fn digest(removal: &Reduction, text: &str) -> u64 {
    removal.digest("unused code", text)
}

fn smallest<'r>(all: &'r [Reduction], place: &Range<usize>) -> Option<&'r Reduction> {
    let takes = |reduction: &&Reduction| {
        reduction.changes.iter().any(|change| {
            change.text.is_empty()
                && change.range.start <= place.start
                && place.end <= change.range.end
        })
    };
    all.iter()
        .filter(takes)
        .min_by_key(|reduction| reduction.saving())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::{Sameness, SourceFile};

    #[test]
    fn an_implementation_goes_with_all_that_is_unused_in_it() {
        let text = "impl A { fn a() {} fn b() {} } fn c() {}";
        let remove = |part: &str| {
            let start = text.find(part).unwrap();
            (0, Reduction::remove(start..start + part.len()))
        };
        let found = ["fn a() {}", "impl A { fn a() {} fn b() {} }", "fn c() {}"].map(remove);
        let apart = apart(&found);
        assert_eq!(apart, [(0, &found[1].1), (0, &found[2].1)]);
    }

    #[test]
    fn the_smallest_removal_of_an_unused_name_is_chosen() {
        let text =
            "struct A { used: u8, unused: u8 } impl A { fn dead(&self) {} fn alive(&self) {} }";
        let file = SourceFile {
            path: "a.rs".into(),
            text: text.into(),
        };
        let sources = Sources::new(vec![file], Sameness::Tokens);
        let at = |name: &str| {
            let start = text.find(name).unwrap();
            (0, start..start + name.len())
        };
        let places = [at("unused"), at("dead")];
        let found = removals(&sources, &places, (StandIn::Panic, &HashSet::new()));
        let edited = sources.edit(found.iter().map(|(file, removal)| (*file, removal)));
        let words: Vec<&str> = edited.files[0].text.split_whitespace().collect();
        assert_eq!(
            words.join(" "),
            "struct A { used: u8 } impl A { fn alive(&self) {} }"
        );
        let refused = HashSet::from([digest(&found[0].1, text)]);
        let rest = removals(&sources, &places, (StandIn::Panic, &refused));
        assert_eq!(rest, &found[1..]);
    }
}
