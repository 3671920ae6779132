//! Elements of sequences, the largest sequence first, outer before inner.
//!
//! `vec![Insert(3), Get(9), Clear, Remove(3)]` → `vec![Insert(3), Remove(3)]`

use std::cmp::Reverse;
use std::sync::Arc;

use crate::reduce::Result;
use crate::reduce::inputs::chunks::{remove_chunks, remove_classes, without};
use crate::reduce::inputs::search::PassContext;
use crate::reduce::inputs::{Body, Inputs, Node, NodeId, Value};

/// Removes elements from each sequence, in chunks and one by one.
pub(in super::super) fn remove_elements(search: &mut PassContext) -> Result<()> {
    for id in sequences(search.best()) {
        let Some(elements) = elements_of(search.best(), id) else { continue };
        let build = |base: &Inputs, kept: Vec<Arc<Node>>| base.replace(id, Body::Seq(kept));
        remove_classes(search, elements, |node| Some(shape(node)), build)?;
        let Some(elements) = elements_of(search.best(), id) else { continue };
        remove_chunks(&mut search.within(0), elements, |base, elements, removed| {
            build(base, without(elements, removed))
        })?;
    }
    Ok(())
}

/// The sequences, outer before inner (preorder), the largest inputs first.
pub(in super::super) fn sequences(inputs: &Inputs) -> Vec<NodeId> {
    let mut roots: Vec<&Arc<Node>> = inputs.0.iter().collect();
    roots.sort_by_key(|node| (Reverse(node.size()), node.id));
    let roots = Inputs(roots.into_iter().cloned().collect());
    roots.nodes().filter(|node| matches!(node.body, Body::Seq(_))).map(|node| node.id).collect()
}

/// The elements of a sequence, if it is still there.
pub(in super::super) fn elements_of(inputs: &Inputs, id: NodeId) -> Option<Vec<Arc<Node>>> {
    match &inputs.get(id)?.body {
        Body::Seq(elements) => Some(elements.clone()),
        _ => None,
    }
}

/// Removes each element of a sequence, from the last on, along with a change elsewhere: of what `along` makes of the element and
/// of the inputs without it, the first that fails.
pub(in super::super) fn remove_each_along(
    search: &mut PassContext,
    id: NodeId,
    along: impl for<'f> Fn(&Arc<Node>, &'f Inputs) -> Box<dyn Iterator<Item = Inputs> + 'f>,
) -> Result<()> {
    for idx in (0..length(search.best(), id)).rev() {
        let Some(elements) = elements_of(search.best(), id) else { return Ok(()) };
        let Some(element) = elements.get(idx) else { continue };
        let fewer = search.best().replace(id, Body::Seq(without(&elements, idx..idx + 1)));
        search.consider_first(along(element, &fewer))?;
    }
    Ok(())
}

/// How many elements a sequence has.
pub(in super::super) fn length(inputs: &Inputs, id: NodeId) -> usize {
    elements_of(inputs, id).map_or(0, |elements| elements.len())
}

/// A coarse description of an element: its kind, and those of its parts.
fn shape(node: &Node) -> String {
    let parts = node.children().iter().map(|part| kind(part));
    std::iter::once(kind(node)).chain(parts).collect()
}

fn kind(node: &Node) -> char {
    match &node.body {
        Body::Leaf(Value::Text(_) | Value::Bytes(_)) => 't',
        Body::Leaf(Value::Char(_)) => 'c',
        Body::Leaf(Value::Int(_) | Value::Float(_)) => 'n',
        Body::Leaf(Value::Bool(false)) => '0',
        Body::Leaf(Value::Bool(true)) => '1',
        Body::Seq(_) => 's',
        Body::Group(_) => 'g',
        Body::Opaque => 'o',
    }
}

#[cfg(test)]
mod tests {
    use crate::reduce::inputs::testing::{inputs, int, numbers, reduce_within, seq};

    use super::*;

    #[test]
    fn two_elements_of_a_thousand_are_found_in_few_runs() {
        let all = inputs([seq((0..1000).map(int))]);
        let fails = |inputs: &Inputs| {
            let left = numbers(inputs);
            left.contains(&17) && left.contains(&612)
        };
        let best = reduce_within(70, all, remove_elements, fails);
        assert_eq!(numbers(&best), [17, 612]);
    }

    #[test]
    fn inner_sequences_are_reduced_after_outer_ones() {
        let all =
            inputs([
                seq((0..20).map(|row| seq((0..20).map(move |column| int(row * 20 + column))))),
            ]);
        let best = reduce_within(40, all, remove_elements, |inputs| numbers(inputs).contains(&333));
        assert_eq!(numbers(&best), [333]);
    }
}
