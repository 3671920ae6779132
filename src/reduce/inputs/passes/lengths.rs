//! Only the first or the last few elements of a sequence, or characters of a text.
//!
//! `[2785, 157, 3385, …]` → `[2785, 157]`
//!
//! A failure that depends on a number of elements need not be monotone in it: a buffer that overflows
//! may do harm with 6 elements, none with 7, and again with 17. Passes that remove step by step end at
//! the first such gap; here the small numbers are tried one by one.

use crate::reduce::Result;
use crate::reduce::inputs::search::PassContext;
use crate::reduce::inputs::text::text_leaves;
use crate::reduce::inputs::{Body, Inputs};

use super::elements::{elements_of, sequences};

/// The largest number of elements that is tried.
const LONGEST: usize = 8;
/// How many sequences, and how many texts, are tried.
const MOST: usize = 4;

/// Keeps the first n or the last n elements, from n = 1 on, of the largest sequences and texts
/// (a text that is still large seldom fails by a few characters).
pub(in super::super) fn keep_ends(search: &mut PassContext) -> Result<()> {
    for id in sequences(search.best()).into_iter().take(MOST) {
        if let Some(elements) = elements_of(search.best(), id) {
            keep_end(search, &elements, |base, kept| base.replace(id, Body::Seq(kept.to_vec())))?;
        }
    }
    for leaf in text_leaves(search.best()).into_iter().take(MOST) {
        let chars = leaf.chars(search.best());
        if search.within(chars.len()).is_limited() {
            continue;
        }
        keep_end(search, &chars, |base, kept| leaf.with_chars(base, kept))?;
    }
    Ok(())
}

/// Tries the ends of one list, the shortest first. One shorter than the whole is not tried here: the
/// passes that remove single elements do so.
fn keep_end<T>(
    search: &mut PassContext,
    units: &[T],
    build: impl Fn(&Inputs, &[T]) -> Inputs,
) -> Result<()> {
    let base = search.best().clone();
    let longest = LONGEST.min(units.len().saturating_sub(2));
    let ends = (1..=longest).flat_map(|len| [&units[..len], &units[units.len() - len..]]);
    search.consider_first(ends.map(|kept| build(&base, kept)))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::reduce::inputs::testing::{
        inputs, int, numbers, reduce_within, seq, text, the_text,
    };

    use super::*;

    #[test]
    fn a_small_number_of_elements_is_found_behind_a_gap() {
        let fails = |inputs: &Inputs| matches!(numbers(inputs).len(), 6 | 17..);
        let all = inputs([seq((0..260).map(int))]);
        let best = reduce_within(11, all, keep_ends, fails);
        assert_eq!(numbers(&best), [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn a_text_may_fail_by_its_last_characters() {
        let fails = |inputs: &Inputs| the_text(inputs).ends_with("!?");
        let best = reduce_within(4, inputs([text("some words!?")]), keep_ends, fails);
        assert_eq!(the_text(&best), "!?");
    }

    #[test]
    fn long_lists_cost_a_fixed_number_of_runs() {
        let all = inputs([seq((0..5_000).map(int))]);
        reduce_within(16, all, keep_ends, |inputs| numbers(inputs).len() > 4_000);
    }
}
