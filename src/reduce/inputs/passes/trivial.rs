//! Whole inputs to nothing: the empty text, the empty sequence, `0`, `false`.
//!
//! `(40, [(19, 39, 2), …], [3, 7], "…")` → `(0, [], [], "")` if the failure is elsewhere.

use crate::reduce::Result;
use crate::reduce::inputs::search::PassContext;
use crate::reduce::inputs::{Body, Inputs, Node, NodeId};

/// Tries to empty everything at once, then each input, the biggest first.
pub(in super::super) fn empty_inputs(search: &mut PassContext) -> Result<()> {
    let base = search.best().clone();
    let everything = base.0.iter().fold(base.clone(), |inputs, node| emptied(&inputs, node));
    if search.consider(everything)? {
        return Ok(());
    }
    let mut roots: Vec<(usize, NodeId)> =
        base.0.iter().map(|node| (node.size(), node.id)).collect();
    roots.sort_by_key(|&(size, id)| (std::cmp::Reverse(size), id));
    for (_, id) in roots {
        let best = search.best();
        let Some(node) = best.get(id) else { continue };
        let candidate = emptied(best, node);
        search.consider(candidate)?;
    }
    Ok(())
}

/// The candidate in which nothing is left of `node` but its fixed parts.
fn emptied(inputs: &Inputs, node: &Node) -> Inputs {
    match &node.body {
        Body::Leaf(value) => inputs.with_value(node.id, value.trivial()),
        Body::Seq(_) => inputs.replace(node.id, Body::Seq(Vec::new())),
        Body::Group(parts) => {
            parts.iter().fold(inputs.clone(), |inputs, part| emptied(&inputs, part))
        }
        Body::Opaque => inputs.clone(),
    }
}

#[cfg(test)]
mod tests {
    use crate::reduce::inputs::testing::{flag, group, inputs, int, reduce_by, seq, text};
    use crate::reduce::inputs::{Int, Value};

    use super::*;

    #[test]
    fn inputs_that_do_not_matter_are_emptied_in_one_run() {
        let all = inputs([text("abc"), seq([int(1), int(2)]), group([int(5), flag(true)])]);
        let (best, calls) = reduce_by(all, empty_inputs, |_| true);
        assert_eq!(best, inputs_of_nothing());
        assert_eq!(calls, 1);
    }

    fn inputs_of_nothing() -> Inputs {
        let all = inputs([text(""), seq([int(1), int(2)]), group([int(0), flag(false)])]);
        all.replace(NodeId(1), Body::Seq(Vec::new()))
    }

    #[test]
    fn one_input_that_matters_stays() {
        let all = inputs([text("abc"), int(7), text("long text")]);
        let fails = |inputs: &Inputs| {
            inputs.get(NodeId(1)).unwrap().body == Body::Leaf(Value::Int(Int::from(7)))
        };
        let (best, calls) = reduce_by(all, empty_inputs, fails);
        assert_eq!(best, inputs([text(""), int(7), text("")]));
        assert_eq!(calls, 4);
    }
}
