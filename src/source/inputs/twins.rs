//! Values that stand in several places and mean the same: they are one input.
//!
//! In `forget(360); assert_eq!(x, model(360))` a different number in one of the two places would
//! make the assertion false for no reason. The same holds for a value that is put in and expected
//! back, and for numbers that name the same thing in a test that should panic.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::found::{FoundInputs, OwnerKind};
use crate::reduce::inputs::{Body, Node, NodeId, Value};
use crate::source::{FileIndex, SeqForm, Tier, ValueKind, ValuePlace};

/// How a test fails.
#[derive(Debug, Clone, Copy)]
pub struct Failing {
    /// Where, if that is in its crate.
    pub place: Option<(FileIndex, usize)>,
    /// Whether what the assertion expects that fails there is an input, too: for oracles that look at the difference of
    /// both sides.
    pub expects_input: bool,
    /// Whether the failure has to stay the same to the letter: then equal values may change apart, as nothing else becomes
    /// of the assertion when it still fails.
    pub is_exact: bool,
}

/// What the walk learns about assertions.
#[derive(Default)]
pub(super) struct Assertions {
    /// Inputs in the operands of assertions.
    pub asserted: BTreeSet<NodeId>,
    /// Literals that an assertion expects, which are no inputs.
    pub expected: Vec<(NodeId, Value)>,
    /// Whether all values count as asserted.
    pub is_everywhere: bool,
    /// Whether what assertions expect is an input like others.
    pub expects_inputs: bool,
    /// Assertions that the failing test passes, by block.
    pub passed: Vec<(ValuePlace, Vec<ValuePlace>)>,
    /// Functions of test code that do nothing but assert something of their arguments, and macros that do, with a `!`.
    pub helpers: BTreeSet<String>,
    /// How the test fails, if that is known.
    pub failing: Option<Failing>,
    /// Whether the current macro call is the failing assertion, and what it expects an input.
    pub is_failing: bool,
}

/// Joins equal values of the test function into one input, whose other places are its twins.
pub(super) fn join(found: &mut FoundInputs, assertions: &Assertions) {
    let mut by_value: BTreeMap<String, Vec<(NodeId, bool)>> = BTreeMap::new();
    for root in &found.inputs.0 {
        collect(found, root, true, &mut by_value);
    }
    let mut expected: BTreeMap<String, Vec<NodeId>> = BTreeMap::new();
    for (id, value) in &assertions.expected {
        if let Some(key) = key_of(value) {
            expected.entry(key).or_default().push(*id);
        }
    }
    let is_exact = assertions.failing.is_some_and(|failing| failing.is_exact);
    let mut joined = BTreeSet::new();
    for (key, leaves) in by_value {
        let Some((first, _)) = leaves.iter().find(|(_, is_root)| *is_root) else { continue };
        let others = leaves.iter().map(|(id, _)| *id).filter(|id| id != first);
        let is_asserted = |id: &NodeId| assertions.asserted.contains(id);
        let is_linked =
            assertions.is_everywhere || !is_exact && leaves.iter().any(|(id, _)| is_asserted(id));
        let inputs: Vec<NodeId> = if is_linked { others.collect() } else { Vec::new() };
        joined.extend(inputs.iter().copied());
        let expected = expected.remove(&key).unwrap_or_default();
        let twins: Vec<NodeId> = inputs.into_iter().chain(expected).collect();
        if !twins.is_empty() {
            found.twins.insert(*first, twins);
        }
    }
    found.inputs.0 = without(&found.inputs.0, &joined);
    forget_skipped(found);
}

/// The leaves of the test function that stand in no list, with whether they are inputs of their own
/// (others can go with a statement).
fn collect(
    found: &FoundInputs,
    node: &Arc<Node>,
    is_root: bool,
    by_value: &mut BTreeMap<String, Vec<(NodeId, bool)>>,
) {
    let place = found.place(node.id);
    match &node.body {
        Body::Leaf(value) => {
            let in_test = matches!(found.owner(node.id).kind, OwnerKind::Test);
            let is_literal =
                !matches!(place.kind, ValueKind::File(_)) && place.tier != Tier::Rebuild;
            if let (true, true, Some(key)) = (in_test, is_literal, key_of(value)) {
                by_value.entry(key).or_default().push((node.id, is_root));
            }
        }
        Body::Seq(statements) if place.kind == ValueKind::Seq(SeqForm::Statements) => {
            for statement in statements {
                collect(found, statement, false, by_value);
            }
        }
        Body::Group(parts) if !is_root => {
            for part in parts {
                collect(found, part, false, by_value);
            }
        }
        _ => {}
    }
}

/// A key for values that hardly are equal by chance.
fn key_of(value: &Value) -> Option<String> {
    let is_rare = match value {
        Value::Int(int) => int.magnitude > 1,
        Value::Text(text) => !text.is_empty(),
        Value::Bytes(bytes) => !bytes.is_empty(),
        _ => false,
    };
    is_rare.then(|| format!("{value:?}"))
}

/// The nodes without the leaves in `joined`.
pub(super) fn without(nodes: &[Arc<Node>], joined: &BTreeSet<NodeId>) -> Vec<Arc<Node>> {
    if joined.is_empty() {
        return nodes.to_vec();
    }
    let stays = nodes.iter().filter(|node| !joined.contains(&node.id));
    let changed = stays.map(|node| {
        let body = match &node.body {
            Body::Seq(children) => Body::Seq(without(children, joined)),
            Body::Group(children) => match without(children, joined) {
                left if left.is_empty() => Body::Opaque,
                left => Body::Group(left),
            },
            _ => return Arc::clone(node),
        };
        Arc::new(Node { id: node.id, body })
    });
    changed.collect()
}

/// What changes along with an input is not left alone.
fn forget_skipped(found: &mut FoundInputs) {
    let twins: Vec<_> = found.twins.values().flatten().map(|id| *found.place(*id)).collect();
    found
        .skipped
        .retain(|skipped| !twins.iter().any(|twin| twin.is_in(skipped.file, &skipped.span)));
}
