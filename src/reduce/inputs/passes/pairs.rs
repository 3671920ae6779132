//! Two things removed together that cannot go alone.
//!
//! `[Open, Write, Close]` → `[Write]`; `"a(b)c"` → `"abc"`; the same elements of two sequences.

use std::ops::Range;
use std::sync::Arc;

use crate::reduce::Result;
use crate::reduce::inputs::chunks::{remove_chunks, without};
use crate::reduce::inputs::search::PassContext;
use crate::reduce::inputs::text::text_leaves;
use crate::reduce::inputs::{Body, Inputs, Node, NodeId};

use super::elements::{elements_of, sequences};

/// Lists longer than this are left alone: there are as many pairs as the square of the length.
const LONGEST: usize = 48;

/// How many sequences are paired.
const MOST_PARALLEL: usize = 6;

/// Removes two elements of a sequence.
pub(in super::super) fn remove_element_pairs(search: &mut PassContext) -> Result<()> {
    for id in sequences(search.best()) {
        let Some(elements) = elements_of(search.best(), id) else { continue };
        remove_pairs(search, elements, |base, kept: Vec<Arc<Node>>| {
            base.replace(id, Body::Seq(kept))
        })?;
    }
    Ok(())
}

/// Removes two characters of a text.
pub(in super::super) fn remove_character_pairs(search: &mut PassContext) -> Result<()> {
    for leaf in text_leaves(search.best()) {
        let chars = leaf.chars(search.best());
        remove_pairs(search, chars, |base, kept: Vec<char>| leaf.with_chars(base, &kept))?;
    }
    Ok(())
}

/// Removes all pairs that can go; after a success it goes on where it is.
fn remove_pairs<T: Clone>(
    search: &mut PassContext,
    mut units: Vec<T>,
    build: impl Fn(&Inputs, Vec<T>) -> Inputs,
) -> Result<()> {
    if units.len() > LONGEST {
        return Ok(());
    }
    let mut end = units.len();
    while end > 1 {
        let right = end - 1;
        let base = search.best().clone();
        let lacking = |left: usize| {
            let mut kept = without(&units, right..right + 1);
            kept.remove(left);
            kept
        };
        let candidates = (0..right).rev().map(|left| build(&base, lacking(left)));
        if let Some(place) = search.consider_first(candidates)? {
            units = lacking(right - 1 - place);
            end -= 1;
        }
        end -= 1;
    }
    Ok(())
}

/// Removes the same elements of two sequences, in chunks.
pub(in super::super) fn remove_parallel_elements(search: &mut PassContext) -> Result<()> {
    let has_pair = |id: &NodeId| elements_of(search.best(), *id).is_some_and(|all| all.len() > 1);
    let ids: Vec<NodeId> =
        sequences(search.best()).into_iter().filter(has_pair).take(MOST_PARALLEL).collect();
    for (place, &left) in ids.iter().enumerate() {
        for &right in &ids[place + 1..] {
            let best = search.best();
            let nested = best.get(left).is_some_and(|node| node.contains(right));
            if !nested {
                remove_parallel(search, left, right)?;
            }
        }
    }
    Ok(())
}

fn remove_parallel(search: &mut PassContext, left: NodeId, right: NodeId) -> Result<()> {
    let (Some(left_elements), Some(right_elements)) =
        (elements_of(search.best(), left), elements_of(search.best(), right))
    else {
        return Ok(());
    };
    let pairs: Vec<(Arc<Node>, Arc<Node>)> =
        left_elements.iter().cloned().zip(right_elements.iter().cloned()).collect();
    let rest = pairs.len();
    remove_chunks(&mut search.within(pairs.len()), pairs, |base, pairs, removed: Range<usize>| {
        let (mut kept_left, mut kept_right): (Vec<_>, Vec<_>) =
            without(pairs, removed).into_iter().unzip();
        kept_left.extend_from_slice(&left_elements[rest..]);
        kept_right.extend_from_slice(&right_elements[rest..]);
        base.replace(left, Body::Seq(kept_left)).replace(right, Body::Seq(kept_right))
    })
}

#[cfg(test)]
mod tests {
    use crate::reduce::inputs::testing::{
        inputs, int, numbers, reduce_by, reduce_within, seq, text, the_text,
    };

    use super::*;

    #[test]
    fn an_opening_and_its_closing_element_go_together() {
        let all = inputs([seq([1, -1, 2, 7, -2].map(int))]);
        let best = reduce_within(15, all, remove_element_pairs, |inputs| {
            let numbers = numbers(inputs);
            numbers.contains(&7) && numbers.iter().filter(|&&n| n.abs() < 5).sum::<i128>() == 0
        });
        assert_eq!(numbers(&best), [7]);
    }

    #[test]
    fn two_characters_go_together() {
        let (best, _) = reduce_by(inputs([text("a(b)c")]), remove_character_pairs, |inputs| {
            let text = the_text(inputs);
            text.contains('b')
                && text.matches('(').count() == text.matches(')').count()
                && text.len() % 2 == 1
        });
        assert_eq!(the_text(&best), "b");
    }

    #[test]
    fn sequences_of_the_same_length_are_shortened_together() {
        let all = inputs([seq((0..300).map(int)), seq((0..310).map(int))]);
        let best = reduce_within(120, all, remove_parallel_elements, |inputs| {
            let lengths: Vec<usize> = inputs.0.iter().map(|node| node.children().len()).collect();
            lengths[0] + 10 == lengths[1] && lengths[0] >= 66
        });
        assert_eq!(best.size(), 66 + 76);
    }
}
