//! The protocol: how a candidate is told to the runtime in the test binary.
//!
//! A candidate goes over the wire as its differences from a base that the other side already has:
//! which elements of a sequence are kept, and which leaf has which value. Nodes that candidate and
//! base share (by pointer) cost nothing. All numbers are little-endian; the reading side is
//! the folder `runtime`.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::reduce::inputs::{Body, Inputs, Node, NodeId, Value};

/// How the candidates of a probe are told to its runtime.
pub trait Encode: Send + Sync {
    /// What is told.
    type Candidate: Clone + std::fmt::Debug + Send + Sync;

    /// Appends what must change for `base` to become `candidate`: a count, then the changes.
    fn changes(&self, base: &Self::Candidate, candidate: &Self::Candidate, out: &mut Vec<u8>);
}

/// Encodes candidates made from one original.
#[derive(Debug, Clone)]
pub struct Wire {
    /// For each sequence of the original: its elements' ids in order.
    ordinals: HashMap<NodeId, Arc<[NodeId]>>,
    /// The roots of values that cross the boundary, with the place of each: these are told whole.
    observed: BTreeMap<NodeId, NodeId>,
}

impl Wire {
    /// Knows the sequences of `original`, the unchanged inputs of the test.
    pub fn new(original: &Inputs) -> Self {
        let sequences = original.nodes().filter(|node| matches!(node.body, Body::Seq(_)));
        let ids = |node: &Node| node.children().iter().map(|child| child.id).collect();
        let ordinals = sequences.map(|node| (node.id, ids(node)));
        Wire { ordinals: ordinals.collect(), observed: BTreeMap::new() }
    }

    /// Knows which roots are values that cross the boundary, and at which place each.
    #[must_use]
    pub fn observing(mut self, observed: impl IntoIterator<Item = (NodeId, NodeId)>) -> Self {
        self.observed = observed.into_iter().collect();
        self
    }

    /// All values that cross the boundary in `inputs`.
    pub fn crossing(&self, inputs: &Inputs) -> Vec<u8> {
        let mut out = Vec::new();
        self.counted(&mut out, |changes| {
            for root in &inputs.0 {
                if let Some(place) = self.observed.get(&root.id) {
                    changes.whole(*place, root);
                }
            }
        });
        out
    }

    /// Appends changes behind their count.
    fn counted(&self, out: &mut Vec<u8>, put: impl FnOnce(&mut Changes<'_>)) {
        put_before(out, |out| {
            let mut changes = Changes { wire: self, out, count: 0 };
            put(&mut changes);
            changes.count
        });
    }
}

impl Encode for Wire {
    type Candidate = Inputs;

    fn changes(&self, base: &Inputs, candidate: &Inputs, out: &mut Vec<u8>) {
        self.counted(out, |changes| {
            for (old, new) in base.0.iter().zip(&candidate.0) {
                match self.observed.get(&new.id) {
                    Some(place) if !Arc::ptr_eq(old, new) && old != new => {
                        changes.whole(*place, new);
                    }
                    Some(_) => {}
                    None => changes.compare(old, new),
                }
            }
        });
    }
}

struct Changes<'a> {
    wire: &'a Wire,
    out: &'a mut Vec<u8>,
    count: u32,
}

impl Changes<'_> {
    fn compare(&mut self, old: &Arc<Node>, new: &Arc<Node>) {
        if Arc::ptr_eq(old, new) {
            return;
        }
        match (&old.body, &new.body) {
            (Body::Leaf(before), Body::Leaf(after)) if before != after => self.leaf(new.id, after),
            (Body::Seq(before), Body::Seq(after)) => {
                let same = before.len() == after.len()
                    && before.iter().zip(after).all(|(old, new)| old.id == new.id);
                if !same {
                    self.kept(new.id, after);
                }
                self.compare_all(before, after);
            }
            (Body::Group(before), Body::Group(after)) => self.compare_all(before, after),
            _ => {}
        }
    }

    /// Both are in the order of the original, so one walk pairs them by id.
    fn compare_all(&mut self, before: &[Arc<Node>], after: &[Arc<Node>]) {
        let mut before = before.iter().peekable();
        for new in after {
            while before.next_if(|old| old.id < new.id).is_some() {}
            match before.next_if(|old| old.id == new.id) {
                Some(old) => self.compare(old, new),
                // The base dropped this element, and says nothing reliable of what is in it.
                None => self.everything(new),
            }
        }
    }

    fn everything(&mut self, node: &Node) {
        match &node.body {
            Body::Leaf(value) => self.leaf(node.id, value),
            Body::Seq(children) => self.kept(node.id, children),
            Body::Group(_) | Body::Opaque => {}
        }
        for child in node.children() {
            self.everything(child);
        }
    }

    /// A value in one piece.
    fn whole(&mut self, place: NodeId, root: &Node) {
        self.count += 1;
        put_u32(self.out, place.0);
        self.out.push(7);
        put_behind_length(self.out, |out| put_tree(root, out));
    }

    fn leaf(&mut self, id: NodeId, value: &Value) {
        self.count += 1;
        put_u32(self.out, id.0);
        put_value(value, self.out);
    }

    fn kept(&mut self, id: NodeId, children: &[Arc<Node>]) {
        let Some(all) = self.wire.ordinals.get(&id) else { return };
        self.count += 1;
        put_u32(self.out, id.0);
        self.out.push(6);
        put_len(self.out, all.len());
        put_len(self.out, children.len());
        let mut ordinal = 0;
        for child in children {
            while all.get(ordinal).is_some_and(|id| *id != child.id) {
                ordinal += 1;
            }
            put_len(self.out, ordinal);
        }
    }
}

/// A value that crosses the boundary, with all in it.
fn put_tree(node: &Node, out: &mut Vec<u8>) {
    out.push(match &node.body {
        Body::Leaf(value) => return put_value(value, out),
        Body::Seq(_) => 6,
        Body::Group(_) | Body::Opaque => 7,
    });
    put_len(out, node.children().len());
    for part in node.children() {
        put_tree(part, out);
    }
}

fn put_value(value: &Value, out: &mut Vec<u8>) {
    out.push(match value {
        Value::Text(_) => 0,
        Value::Bytes(_) => 1,
        Value::Char(_) => 2,
        Value::Int(_) => 3,
        Value::Float(_) => 4,
        Value::Bool(_) => 5,
    });
    match value {
        Value::Text(text) => put_bytes(out, text.as_bytes()),
        Value::Bytes(bytes) => put_bytes(out, bytes),
        Value::Char(character) => put_u32(out, u32::from(*character)),
        Value::Int(int) => {
            out.push(u8::from(int.negative));
            out.extend(int.magnitude.to_le_bytes());
        }
        Value::Float(float) => out.extend(u128::from(float.0.to_bits()).to_le_bytes()),
        Value::Bool(value) => out.push(u8::from(*value)),
    }
}

/// Appends what `put` does, and before it the length of that.
pub(super) fn put_behind_length(out: &mut Vec<u8>, put: impl FnOnce(&mut Vec<u8>)) {
    put_before(out, |out| {
        let start = out.len();
        put(out);
        u32::try_from(out.len() - start).unwrap_or(u32::MAX)
    });
}

/// Appends what `put` does, and before it the number that `put` gives.
fn put_before(out: &mut Vec<u8>, put: impl FnOnce(&mut Vec<u8>) -> u32) {
    let at = out.len();
    put_u32(out, 0);
    let number = put(out);
    out[at..at + 4].copy_from_slice(&number.to_le_bytes());
}

/// Appends a number.
pub fn put_u32(out: &mut Vec<u8>, number: u32) {
    out.extend(number.to_le_bytes());
}

/// Appends a length and the bytes.
pub fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_len(out, bytes.len());
    out.extend_from_slice(bytes);
}

/// Appends a length. No input comes near 4 GiB; one that does is cut by the runtime's own checks.
pub fn put_len(out: &mut Vec<u8>, length: usize) {
    put_u32(out, u32::try_from(length).unwrap_or(u32::MAX));
}
