//! Two numbers lowered by the same amount, and gaps between numbers closed.
//!
//! `(range(5, 276), skip(353))` → `(range(5, 5), skip(82))`; `[3, 17, 900]` → `[0, 1, 2]`.

use crate::reduce::Result;
use crate::reduce::inputs::numbers::{Equal, equal_numbers, with_numbers};
use crate::reduce::inputs::order::LARGE;
use crate::reduce::inputs::search::PassContext;
use crate::reduce::inputs::{Inputs, Int};

/// How many different numbers there may be.
const MOST: usize = 16;

/// Lowers two numbers (with all their equals) by the same amount, as far as it goes.
pub(in super::super) fn lower_pairs(search: &mut PassContext) -> Result<()> {
    let count = equal_numbers(search.best()).len();
    if count > MOST {
        return Ok(());
    }
    for left in 0..count {
        for right in left + 1..count {
            let groups = equal_numbers(search.best());
            if let (Some(larger), Some(smaller)) = (groups.get(left), groups.get(right)) {
                lower_by_amount(search, &[larger.clone(), smaller.clone()])?;
            }
        }
    }
    Ok(())
}

/// Lowers all numbers above a gap, so that the gap closes.
pub(in super::super) fn close_gaps(search: &mut PassContext) -> Result<()> {
    let count = equal_numbers(search.best()).len();
    if count > 4 * MOST {
        return Ok(());
    }
    for place in 0..count {
        let groups = equal_numbers(search.best());
        if place >= groups.len() {
            break;
        }
        lower_by_amount(search, &groups[..=place])?;
    }
    Ok(())
}

/// Lowers all these numbers by the same amount: by as much as the least of them allows, or by a half
/// of that, and so on; large ones by no less than half of it, as nobody sees a smaller difference.
fn lower_by_amount(search: &mut PassContext, groups: &[Equal]) -> Result<()> {
    let Some(least) = groups.iter().map(|group| group.value.magnitude).min() else { return Ok(()) };
    let mut reached = 0;
    let original = search.best().clone();
    let smallest = if least < LARGE { 1 } else { least / 2 };
    for bit in (0..=128 - least.leading_zeros()).rev() {
        let step = if bit == 0 { 1 } else { least >> (128 - least.leading_zeros() - bit) };
        let is_step = |amount: &u128| step >= smallest && *amount <= least;
        let Some(amount) = Some(reached + step).filter(is_step) else {
            continue;
        };
        if search.consider(lowered(&original, groups, amount))? {
            reached = amount;
        }
    }
    Ok(())
}

fn lowered(inputs: &Inputs, groups: &[Equal], amount: u128) -> Inputs {
    let lower = |int: Int| int.with_magnitude(int.magnitude.saturating_sub(amount));
    with_numbers(inputs, groups.iter().map(|group| (&group.places[..], lower(group.value))))
}

#[cfg(test)]
mod tests {
    use crate::reduce::inputs::testing::{inputs, int, numbers, reduce_within};

    use super::*;

    #[test]
    fn two_numbers_with_a_fixed_difference_go_down_together() {
        let best = reduce_within(4, inputs([int(353), int(276)]), lower_pairs, |inputs| {
            let numbers = numbers(inputs);
            numbers[0] - numbers[1] == 77
        });
        assert_eq!(numbers(&best), [77, 0]);
    }

    #[test]
    fn numbers_are_packed_in_their_order() {
        let best = reduce_within(60, inputs([int(17), int(3), int(900)]), close_gaps, |inputs| {
            let numbers = numbers(inputs);
            numbers[1] < numbers[0] && numbers[0] < numbers[2]
        });
        assert_eq!(numbers(&best), [1, 0, 2]);
    }
}
