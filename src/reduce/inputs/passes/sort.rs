//! Neighbouring elements put in order.
//!
//! `[(2, "b"), (1, "a")]` → `[(1, "a"), (2, "b")]`
//!
//! The nodes stay where they are; it is the values of their leaves that change places, so only
//! elements of the same build are exchanged.

use std::sync::Arc;

use crate::reduce::Result;
use crate::reduce::inputs::search::PassContext;
use crate::reduce::inputs::{Inputs, Node, NodeId, Value};

use super::elements::{elements_of, length, sequences};

/// Sequences longer than this are left alone.
const LONGEST: usize = 48;

/// Exchanges neighbours that are in the wrong order (one round of an insertion sort).
pub(in super::super) fn sort_elements(search: &mut PassContext) -> Result<()> {
    for id in sequences(search.best()) {
        let length = length(search.best(), id);
        if length > LONGEST {
            continue;
        }
        for end in 1..length {
            for place in (1..=end).rev() {
                if !exchange(search, id, place)? {
                    break;
                }
            }
        }
    }
    Ok(())
}

fn exchange(search: &mut PassContext, id: NodeId, place: usize) -> Result<bool> {
    let Some(elements) = elements_of(search.best(), id) else { return Ok(false) };
    let (Some(left), Some(right)) = (elements.get(place - 1), elements.get(place)) else {
        return Ok(false);
    };
    let (left, right) = (leaves(left), leaves(right));
    let same_build = left.len() == right.len()
        && left.iter().zip(&right).all(|((_, l), (_, r))| same_type(l, r));
    if !same_build || left.is_empty() {
        return Ok(false);
    }
    let exchanged = left.iter().zip(&right).fold(search.best().clone(), |inputs, (l, r)| {
        inputs.with_value(l.0, r.1.clone()).with_value(r.0, l.1.clone())
    });
    search.consider(exchanged)
}

fn leaves(node: &Arc<Node>) -> Vec<(NodeId, Value)> {
    let alone = Inputs(vec![Arc::clone(node)]);
    alone.leaves().map(|(id, value)| (id, value.clone())).collect()
}

fn same_type(left: &Value, right: &Value) -> bool {
    std::mem::discriminant(left) == std::mem::discriminant(right)
}

#[cfg(test)]
mod tests {
    use crate::reduce::inputs::testing::{group, inputs, int, numbers, reduce_by, seq};

    use super::*;

    #[test]
    fn elements_are_sorted_as_far_as_the_failure_allows() {
        let all = inputs([seq([5, 3, 9, 1].map(|n| group([int(n)])))]);
        let (best, _) = reduce_by(all.clone(), sort_elements, |_| true);
        assert_eq!(numbers(&best), [1, 3, 5, 9]);
        let (best, _) = reduce_by(all, sort_elements, |inputs| numbers(inputs)[0] != 1);
        assert_eq!(numbers(&best), [3, 1, 5, 9]);
    }
}
