//! Hiding the nodes that a way of running candidates cannot change.

use std::sync::Arc;

use super::{Body, Inputs, Node, NodeId};

/// The forest in which only the nodes for which `is_open` holds can be reduced: other leaves are
/// opaque, and other sequences keep all their elements.
pub fn mask(inputs: &Inputs, is_open: impl Fn(NodeId) -> bool) -> Inputs {
    Inputs(inputs.0.iter().map(|node| mask_node(node, &is_open)).collect())
}

fn mask_node(node: &Arc<Node>, is_open: &impl Fn(NodeId) -> bool) -> Arc<Node> {
    let parts =
        |children: &[Arc<Node>]| children.iter().map(|child| mask_node(child, is_open)).collect();
    let body = match &node.body {
        Body::Leaf(_) if is_open(node.id) => return Arc::clone(node),
        Body::Opaque => return Arc::clone(node),
        Body::Leaf(_) => Body::Opaque,
        Body::Seq(children) if is_open(node.id) => Body::Seq(parts(children)),
        Body::Seq(children) | Body::Group(children) => Body::Group(parts(children)),
    };
    Arc::new(Node { id: node.id, body })
}

/// The candidate that `masked` stands for, what is hidden in it taken from `original`.
pub fn unmask(masked: &Inputs, original: &Inputs) -> Inputs {
    Inputs(unmask_all(&masked.0, &original.0))
}

/// Both are in the order of the source, so one walk pairs them by id.
fn unmask_all(masked: &[Arc<Node>], original: &[Arc<Node>]) -> Vec<Arc<Node>> {
    let mut originals = original.iter();
    masked
        .iter()
        .filter_map(|node| {
            Some(unmask_node(node, originals.find(|original| original.id == node.id)?))
        })
        .collect()
}

fn unmask_node(masked: &Arc<Node>, original: &Arc<Node>) -> Arc<Node> {
    let body = match (&masked.body, &original.body) {
        (Body::Opaque, _) => return Arc::clone(original),
        (Body::Leaf(_), _) => return Arc::clone(masked),
        (Body::Seq(kept) | Body::Group(kept), Body::Seq(children)) => {
            Body::Seq(unmask_all(kept, children))
        }
        (Body::Seq(kept) | Body::Group(kept), _) => {
            Body::Group(unmask_all(kept, original.children()))
        }
    };
    Arc::new(Node { id: masked.id, body })
}

#[cfg(test)]
mod tests {
    use super::super::Value;
    use super::super::testing::{group, inputs, seq, text};
    use super::*;

    fn sample() -> Inputs {
        inputs([text("root"), seq([group([text("a"), text("b")]), text("c")])])
    }

    #[test]
    fn a_mask_that_hides_nothing_changes_nothing() {
        let all = mask(&sample(), |_| true);
        assert_eq!(all, sample());
        assert_eq!(unmask(&all, &sample()), sample());
    }

    #[test]
    fn hidden_parts_come_back_and_open_ones_are_those_of_the_candidate() {
        let masked = mask(&sample(), |id| matches!(id.0, 1 | 3));
        assert_eq!(masked.size(), 2 + 1, "two elements, and the text of node 3");
        let changed = masked.with_value(NodeId(3), Value::Text(String::new()));
        let first = changed.0[1].children()[..1].to_vec();
        let candidate = changed.replace(NodeId(1), Body::Seq(first));
        let expected = inputs([text("root"), seq([group([text(""), text("b")])])]);
        assert_eq!(unmask(&candidate, &sample()), expected);
    }

    #[test]
    fn a_hidden_sequence_keeps_its_elements() {
        let masked = mask(&sample(), |id| id.0 == 5);
        assert!(matches!(masked.0[1].body, Body::Group(_)));
        assert_eq!(unmask(&masked, &sample()), sample());
    }
}
