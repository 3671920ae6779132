//! Tables among the inputs of a test: sequences of rows, each of which is checked by itself.

use std::collections::BTreeSet;
use std::mem::discriminant;
use std::sync::Arc;

use super::{Body, Inputs, Node, NodeId};

/// The sequences each of whose elements has an expected value of its own: those around the `expected` one, and others with
/// rows of the same form, which the same loop or helper looks at.
pub fn tables(inputs: &Inputs, expected: NodeId) -> BTreeSet<NodeId> {
    let sequences = || inputs.nodes().filter(|node| matches!(node.body, Body::Seq(_)));
    let holds = |node: &Node| node.id != expected && node.contains(expected);
    let around = || sequences().filter(|node| holds(node));
    // Single values look the same by chance.
    let is_row = |node: &Node| holds(node) && node.children().len() > 1;
    let rows = || around().flat_map(|table| table.children()).filter(|node| is_row(node));
    let has_such_rows = |other: &&Arc<Node>| {
        let others = other.children();
        !others.is_empty() && rows().any(|row| others.iter().all(|it| is_of_form(it, row)))
    };
    around().chain(sequences().filter(has_such_rows)).map(|node| node.id).collect()
}

/// Whether two nodes look the same but for their values, and for how many elements their sequences have.
fn is_of_form(node: &Node, other: &Node) -> bool {
    match (&node.body, &other.body) {
        (Body::Leaf(one), Body::Leaf(other)) => discriminant(one) == discriminant(other),
        (Body::Group(all), Body::Group(others)) => {
            all.len() == others.len()
                && all.iter().zip(others).all(|(part, other)| is_of_form(part, other))
        }
        (Body::Seq(_), Body::Seq(_)) | (Body::Opaque, Body::Opaque) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::inputs::testing::{group, inputs, int, seq, text};

    /// The tables among these, where the first text `c` is expected.
    fn tables_of(all: &Inputs) -> Vec<usize> {
        let is_c = |node: &&Arc<Node>| {
            all.value(node.id).and_then(|it| it.as_text()).is_some_and(|text| text == "c")
        };
        let expected = all.nodes().find(is_c).unwrap().id;
        let found = tables(all, expected);
        let roots = all.0.iter().enumerate();
        roots.filter(|(_, root)| found.contains(&root.id)).map(|(at, _)| at).collect()
    }

    #[test]
    fn rows_of_the_same_form_are_checked_by_themselves_wherever_they_stand() {
        let row = |name: &str, n: i128| group([text(name), int(n)]);
        let all = inputs([
            seq([row("a", 1), row("b", 2)]),
            seq([row("c", 3)]),
            seq([group([int(4), text("d")])]),
            seq([row("e", 5), group([text("f")])]),
            seq([]),
        ]);
        assert_eq!(tables_of(&all), [0, 1]);
    }

    #[test]
    fn values_by_themselves_are_no_rows() {
        assert_eq!(tables_of(&inputs([seq([text("a")]), seq([text("c")])])), [1]);
        assert_eq!(tables_of(&inputs([seq([text("a")]), text("c")])), [0; 0]);
    }
}
