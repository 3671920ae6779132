//! Variables that give a name to what a statement works with.

use std::collections::BTreeSet;
use std::ops::Range;

use super::free_functions::outermost_function;
use super::{Reduction, StandIn, Tree};
use crate::reduce::RangeExt;

/// So far the values that a statement works with are followed: the variables that it names, and those that their values name.
const LEVELS: usize = 2;

/// The `let` statements before the one at `statement` of a text, in its function, whose variables it works with.
pub fn named_values(text: &str, statement: &Range<usize>) -> Vec<Range<usize>> {
    let Some(function) = outermost_function(text, statement) else { return Vec::new() };
    let (text, statement) = (&text[function.clone()], &statement.counted_from(function.start));
    let look = |tree: &Tree<'_>| {
        let mut found = Vec::new();
        let mut read = vec![statement.clone()];
        for _ in 0..LEVELS {
            let words: BTreeSet<&str> = read
                .iter()
                .flat_map(|range| tree.words_within(range))
                .map(|word| &text[word.range.clone()])
                .collect();
            let named = tree.lets_before(statement.start, |name| words.contains(name));
            let named: Vec<Range<usize>> = named.map(|local| tree.range(local)).collect();
            found.extend(
                named.iter().filter(|it| !found.contains(*it)).cloned().collect::<Vec<_>>(),
            );
            read = named;
        }
        found
    };
    let found: Vec<Range<usize>> = Tree::with(text, StandIn::Panic, look).unwrap_or_default();
    found.into_iter().map(|range| range.offset_by(function.start)).collect()
}

/// Whether a reduction takes the `let` at that place away and puts something in the place of its variable.
pub fn inlines(let_statement: &Range<usize>, reduction: &Reduction) -> bool {
    let takes = |range: &Range<usize>| range.covers(let_statement);
    let (taken, others): (Vec<_>, Vec<_>) =
        reduction.changes.iter().partition(|change| takes(&change.range));
    taken.iter().any(|change| change.text.trim().is_empty())
        && others.iter().any(|change| !change.text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rust::testing::range_of;

    const TEXT: &str = "impl A { fn e() { let all = 0; } #[inline] fn f(&self, q: &Q) { let all = q.all(); let first = q.first(); let last = days(first); let other = 3; \
                        for it in all { let range = (first, last); for day in it.range(range) { g(day, other); } } } }";

    #[test]
    fn values_are_named_by_the_variables_of_a_statement_and_by_those_of_their_values() {
        let statement = range_of(TEXT, "for day in it.range(range)");
        let found: Vec<&str> =
            named_values(TEXT, &statement).into_iter().map(|it| &TEXT[it]).collect();
        let expected =
            ["let range = (first, last);", "let first = q.first();", "let last = days(first);"];
        assert_eq!(found, expected);
    }

    #[test]
    fn to_write_a_value_in_the_place_of_its_variable_takes_the_name_away() {
        let whole = range_of(TEXT, "let first = q.first();");
        let removed = Reduction::remove(whole.clone());
        assert!(!inlines(&whole, &removed));
        let usage = range_of(TEXT, "first, last");
        assert!(inlines(
            &whole,
            &removed.clone().and_replace(usage.start..usage.start + 5, "q.first()")
        ));
        assert!(!inlines(&whole, &removed.and_remove(usage)));
    }
}
