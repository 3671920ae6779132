//! An element removed while a number that depends on it is lowered.
//!
//! `([(43, 56), (74, 101)], skip(42))` → `([(74, 101)], skip(28))`: the first range had 14 members.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::reduce::Result;
use crate::reduce::inputs::numbers::{Equal, NumberPlace, equal_numbers, with_numbers};
use crate::reduce::inputs::search::PassContext;
use crate::reduce::inputs::{Inputs, Int, Node, NodeId, Value};

use super::elements::{length, remove_each_along, sequences};

/// Sequences longer than this are left alone.
const LONGEST: usize = 100;
/// How many groups of equal numbers are tried with each element.
const MOST_NUMBERS: usize = 8;
/// Numbers up to this are tried with all smaller values.
const SCAN: u128 = 12;

/// Removes each element, and lowers a number outside of the sequence (all its occurrences) by an
/// amount that follows from the integers in the element: one of them, a difference, a sum, 1 more or
/// less than these, or 1.
pub(in super::super) fn remove_counted_elements(search: &mut PassContext) -> Result<()> {
    for id in sequences(search.best()) {
        if length(search.best(), id) <= LONGEST {
            remove_each_along(search, id, |element, fewer| {
                let amounts = amounts(element);
                let groups = numbers_outside(fewer, id).into_iter();
                Box::new(groups.flat_map(move |group| {
                    let values: Vec<Int> = lower_values(group.value, &amounts);
                    let lowered = move |value| with_numbers(fewer, [(&group.places[..], value)]);
                    values.into_iter().map(lowered)
                }))
            })?;
        }
    }
    Ok(())
}

/// What a number may have counted of the element.
fn amounts(element: &Arc<Node>) -> BTreeSet<u128> {
    let alone = Inputs(vec![Arc::clone(element)]);
    let ints: Vec<u128> = alone
        .leaves()
        .filter_map(|(_, value)| match value {
            Value::Int(int) => Some(int.magnitude),
            Value::Text(text) => Some(text.len() as u128),
            _ => None,
        })
        .take(4)
        .collect();
    let mut amounts = BTreeSet::from([1]);
    for (place, &left) in ints.iter().enumerate() {
        amounts.insert(left);
        for &right in &ints[place + 1..] {
            let difference = left.abs_diff(right);
            amounts.extend([difference, difference + 1, difference.saturating_sub(1)]);
            amounts.insert(left.saturating_add(right));
        }
    }
    amounts.remove(&0);
    amounts
}

/// The groups of equal numbers that have no occurrence in the sequence.
fn numbers_outside(inputs: &Inputs, id: NodeId) -> Vec<Equal> {
    let Some(sequence) = inputs.get(id) else { return Vec::new() };
    let inside: BTreeSet<NodeId> = Inputs(vec![Arc::clone(sequence)]).ids().collect();
    let is_inside = |place: &NumberPlace| match place {
        NumberPlace::Leaf(id) => inside.contains(id),
        NumberPlace::Text(leaf, _) => inside.contains(&leaf.id),
    };
    let mut groups = equal_numbers(inputs);
    for group in &mut groups {
        group.places.retain(|place| !is_inside(place));
    }
    groups.retain(|group| group.value.magnitude > 0 && !group.places.is_empty());
    groups.truncate(MOST_NUMBERS);
    groups
}

/// The values to try instead of a number: lower by an amount, or if it is small any lower one.
fn lower_values(int: Int, amounts: &BTreeSet<u128>) -> Vec<Int> {
    let lowered = |amount: &u128| int.magnitude.checked_sub(*amount);
    let mut values: BTreeSet<u128> = amounts.iter().filter_map(lowered).collect();
    if int.magnitude <= SCAN {
        values.extend(0..int.magnitude);
    }
    values.into_iter().map(|magnitude| int.with_magnitude(magnitude)).collect()
}

#[cfg(test)]
mod tests {
    use crate::reduce::inputs::testing::{group, inputs, int, numbers, reduce_within, seq};

    use super::*;

    #[test]
    fn a_number_that_counts_the_members_goes_down_with_each_range() {
        let ranges = [(43, 56), (74, 101), (135, 157), (209, 234)];
        let ranges = ranges.map(|(first, last)| group([int(first), int(last)]));
        let all = inputs([seq(ranges), int(65), int(65)]);
        let best = reduce_within(60, all, remove_counted_elements, |inputs| {
            let numbers = numbers(inputs);
            let [ranges @ .., skipped, again] = &numbers[..] else { return false };
            let sizes = ranges.chunks(2).map(|range| range[1] - range[0] + 1);
            let mut sum = 0;
            let at_an_end = sizes
                .map(|size| {
                    sum += size;
                    sum
                })
                .any(|sum| sum == *skipped);
            at_an_end && ranges.len() > 2 && skipped == again
        });
        assert_eq!(numbers(&best).len(), 6);
    }
}
