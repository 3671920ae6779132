//! Reductions that can be made together.

use std::collections::BTreeSet;
use std::ops::Range;

use super::Reduction;

/// The first of `reductions` that do not overlap one before them, in that order.
pub fn apart(reductions: &[(usize, &Reduction)]) -> Vec<usize> {
    let mut taken: Vec<BTreeSet<(usize, usize)>> = Vec::new();
    let mut chosen = Vec::new();
    for (index, (file, reduction)) in reductions.iter().enumerate() {
        if taken.len() <= *file {
            taken.resize(file + 1, BTreeSet::new());
        }
        let taken = &mut taken[*file];
        let is_free = |range: &Range<usize>| {
            let before = taken.range(..(range.end.max(range.start + 1), 0)).next_back();
            before.is_none_or(|(_, end)| *end <= range.start)
        };
        if reduction.changes.iter().all(|change| is_free(&change.range)) {
            let ranges = reduction.changes.iter().map(|change| &change.range);
            taken.extend(ranges.map(|range| (range.start, range.end)));
            chosen.push(index);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::removals_of;

    #[test]
    fn of_overlapping_reductions_the_first_is_taken() {
        let text = "fn a() { b(1); c(2); } fn d() {}";
        let removals = removals_of(text, &["b(1); c(2);", "c(2);", "fn d() {}", "b(1);"]);
        let open: Vec<(usize, &Reduction)> = removals.iter().map(|it| (0, it)).collect();
        assert_eq!(apart(&open), [0, 2]);
    }
}
