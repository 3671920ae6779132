//! Elements removed while the numbers that point behind them are lowered.
//!
//! `(["a", "b", "c"], remove(2), connect(2, 0))` → `(["a", "b"], remove(1), connect(1, 0))`

use std::ops::Range;
use std::sync::Arc;

use crate::reduce::Result;
use crate::reduce::inputs::chunks::{remove_chunks, without};
use crate::reduce::inputs::search::PassContext;
use crate::reduce::inputs::{Body, Inputs, Int, NodeId, Value};

use super::elements::{elements_of, sequences};

/// How many sequences are tried.
const MOST: usize = 16;

/// Removes elements of each sequence; integers elsewhere that are indices into it go along, either
/// those of one other input alone, or all.
pub(in super::super) fn remove_indexed_elements(search: &mut PassContext) -> Result<()> {
    for id in sequences(search.best()).into_iter().take(MOST) {
        for scope in scopes(search.best(), id) {
            let Some(elements) = elements_of(search.best(), id) else { break };
            remove_chunks(
                &mut search.within(elements.len()),
                elements,
                |base, elements, removed| {
                    let kept = without(elements, removed.clone());
                    renumbered(base, id, &scope, &removed).replace(id, Body::Seq(kept))
                },
            )?;
        }
    }
    Ok(())
}

/// The groups of integers outside of a sequence that may be indices into it: all, and if there are
/// several inputs, those of each other input.
fn scopes(inputs: &Inputs, id: NodeId) -> Vec<Vec<NodeId>> {
    let Some(elements) = elements_of(inputs, id) else { return Vec::new() };
    let inside = |other: NodeId| inputs.get(id).is_some_and(|node| node.contains(other));
    let mut scopes: Vec<Vec<NodeId>> = Vec::new();
    for root in &inputs.0 {
        let alone = Inputs(vec![Arc::clone(root)]);
        let points = |value: &Value| matches!(value, Value::Int(int) if !int.negative && int.magnitude <= elements.len() as u128 && int.magnitude > 0);
        let ints: Vec<NodeId> = alone
            .leaves()
            .filter(|&(other, value)| points(value) && !inside(other))
            .map(|(other, _)| other)
            .collect();
        if !ints.is_empty() {
            scopes.push(ints);
        }
    }
    if scopes.len() > 1 {
        scopes.insert(0, scopes.concat());
    }
    scopes
}

/// The candidate in which the integers behind the removed elements are lowered by their number.
fn renumbered(base: &Inputs, sequence: NodeId, scope: &[NodeId], removed: &Range<usize>) -> Inputs {
    let by = removed.len() as u128;
    scope.iter().filter(|&&id| id != sequence).fold(base.clone(), |inputs, &id| {
        match base.value(id) {
            Some(Value::Int(int)) if int.magnitude >= removed.end as u128 => {
                inputs.with_value(id, Value::Int(Int::new(int.negative, int.magnitude - by)))
            }
            _ => inputs,
        }
    })
}

#[cfg(test)]
mod tests {
    use crate::reduce::inputs::testing::{inputs, int, numbers, reduce_within, seq, text};

    use super::*;

    #[test]
    fn the_element_that_is_pointed_at_moves_to_the_front() {
        let names = (0..30).map(|i| text(&format!("lab-{i}")));
        let all = inputs([seq(names), int(23), seq([int(4), int(23)]), int(9)]);
        let best = reduce_within(60, all, remove_indexed_elements, |inputs| {
            let names = inputs.0[0].children();
            let Body::Leaf(Value::Int(at)) = inputs.0[1].body else { return false };
            let at = usize::try_from(at.magnitude).unwrap();
            names.get(at).is_some_and(|name| name.body == Body::Leaf(Value::Text("lab-23".into())))
                && numbers(inputs).get(2) == Some(&i128::try_from(at).unwrap())
        });
        assert_eq!(best.0[0].children().len(), 1);
        assert_eq!(numbers(&best)[..1], [0]);
    }
}
