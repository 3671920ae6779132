//! The forest of values, with sharing: a changed candidate has new nodes only on the path to the
//! change, so that a consumer can find the difference of two candidates by `Arc::ptr_eq`.
//!
//! Nodes are never moved to another parent and never invented, and the children of a node are always
//! in the original order. Ids are given in preorder, so ids ascend along the children, and the way to
//! an id is found by a binary search at each level; no index has to be kept up to date.

use std::sync::Arc;

use super::Value;

/// Identifies a node of the original forest, in preorder from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

impl NodeId {
    /// That of the node at this place.
    pub fn at(place: usize) -> Self {
        NodeId(u32::try_from(place).unwrap_or(u32::MAX))
    }
}

/// A node: an input, or a part of one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Node {
    /// Its place in the original.
    pub id: NodeId,
    /// What it is.
    pub body: Body,
}

/// What a node is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Body {
    /// A single value.
    Leaf(Value),
    /// A sequence, each element of which can be removed (`vec![…]`, an array slice, a chain of calls,
    /// statements on one object). The children are the elements still kept, in the original order.
    Seq(Vec<Arc<Node>>),
    /// Fixed parts: a tuple, a call, a struct expression.
    Group(Vec<Arc<Node>>),
    /// An element in which nothing can be reduced (it can still be removed from its sequence).
    Opaque,
}

/// A candidate: the inputs of a test, in source order.
#[derive(Default, Debug, Clone, PartialEq, Eq, Hash)]
pub struct Inputs(pub Vec<Arc<Node>>);

impl Node {
    /// The value of a leaf.
    pub fn value(&self) -> Option<&Value> {
        match &self.body {
            Body::Leaf(value) => Some(value),
            _ => None,
        }
    }

    /// The text of a leaf; empty for others.
    pub fn text(&self) -> &str {
        match &self.body {
            Body::Leaf(Value::Text(text)) => text,
            _ => "",
        }
    }

    /// The parts of a sequence or group; empty for others.
    pub fn children(&self) -> &[Arc<Node>] {
        match &self.body {
            Body::Seq(children) | Body::Group(children) => children,
            Body::Leaf(_) | Body::Opaque => &[],
        }
    }

    /// Whether nothing is left of it: it has no elements, or is the simplest value of its type.
    pub fn is_trivial(&self) -> bool {
        match &self.body {
            Body::Leaf(value) => *value == value.trivial(),
            Body::Seq(children) => children.is_empty(),
            Body::Group(_) | Body::Opaque => false,
        }
    }

    /// Whether it is the node with this id, or has it inside.
    pub fn contains(&self, id: NodeId) -> bool {
        self.id == id || self.children().iter().any(|child| child.contains(id))
    }

    /// Its size in elements: one for each element of a sequence, and what is inside.
    pub fn size(&self) -> usize {
        match &self.body {
            Body::Leaf(value) => value.size(),
            Body::Seq(children) => children.iter().map(|child| 1 + child.size()).sum(),
            Body::Group(children) => children.iter().map(|child| child.size()).sum(),
            Body::Opaque => 0,
        }
    }
}

impl Inputs {
    /// Its size in elements: characters, bytes, and elements of sequences.
    pub fn size(&self) -> usize {
        self.0.iter().map(|node| node.size()).sum()
    }

    /// The node with this id, if it is still there.
    pub fn get(&self, id: NodeId) -> Option<&Arc<Node>> {
        let mut nodes = &self.0[..];
        loop {
            let node = &nodes[place_of(nodes, id)?];
            if node.id == id {
                return Some(node);
            }
            nodes = node.children();
        }
    }

    /// The value of the leaf with this id, if it is still there.
    pub fn value(&self, id: NodeId) -> Option<&Value> {
        self.get(id)?.value()
    }

    /// The candidate in which the node with this id has another body; an equal candidate if there is
    /// no such node. All nodes outside of the path to it are shared.
    #[must_use]
    pub fn replace(&self, id: NodeId, body: Body) -> Inputs {
        replace_in(&self.0, id, body).map_or_else(|| self.clone(), Inputs)
    }

    /// As [`Inputs::replace`], for the value of a leaf.
    #[must_use]
    pub fn with_value(&self, id: NodeId, value: Value) -> Inputs {
        self.replace(id, Body::Leaf(value))
    }

    /// As [`Inputs::with_value`], for a text in a string or in bytes; the leaf stays what it is.
    #[must_use]
    pub fn with_text(&self, id: NodeId, text: &str) -> Inputs {
        let value = self.value(id).map(|value| value.with_text(text));
        value.map_or_else(|| self.clone(), |value| self.with_value(id, value))
    }

    /// The candidate in which each leaf has the value that `change` gives for it (called in source
    /// order); leaves for which it gives none, and all subtrees without a change, are shared.
    #[must_use]
    pub fn map_leaves(&self, mut change: impl FnMut(NodeId, &Value) -> Option<Value>) -> Inputs {
        Inputs(map_list(&self.0, &mut change).unwrap_or_else(|| self.0.clone()))
    }

    /// All nodes in preorder.
    pub fn nodes(&self) -> Nodes<'_> {
        Nodes { pending: vec![self.0.iter()] }
    }

    /// Which nodes are there, in preorder.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> {
        self.nodes().map(|node| node.id)
    }

    /// The leaves that are still there, in source order.
    pub fn leaves(&self) -> Leaves<'_> {
        Leaves { nodes: self.nodes() }
    }
}

/// Where among `nodes` the one with this id is, or the one that must contain it.
fn place_of(nodes: &[Arc<Node>], id: NodeId) -> Option<usize> {
    nodes.partition_point(|node| node.id <= id).checked_sub(1)
}

fn replace_in(nodes: &[Arc<Node>], id: NodeId, body: Body) -> Option<Vec<Arc<Node>>> {
    let place = place_of(nodes, id)?;
    let node = &nodes[place];
    let body = if node.id == id {
        body
    } else {
        match &node.body {
            Body::Seq(children) => Body::Seq(replace_in(children, id, body)?),
            Body::Group(children) => Body::Group(replace_in(children, id, body)?),
            Body::Leaf(_) | Body::Opaque => return None,
        }
    };
    let mut replaced = nodes.to_vec();
    replaced[place] = Arc::new(Node { id: node.id, body });
    Some(replaced)
}

type Change<'c> = &'c mut dyn FnMut(NodeId, &Value) -> Option<Value>;

fn map_list(nodes: &[Arc<Node>], change: Change) -> Option<Vec<Arc<Node>>> {
    let mut changed: Option<Vec<Arc<Node>>> = None;
    for (place, node) in nodes.iter().enumerate() {
        if let Some(node) = map_node(node, change) {
            changed.get_or_insert_with(|| nodes.to_vec())[place] = Arc::new(node);
        }
    }
    changed
}

fn map_node(node: &Node, change: Change) -> Option<Node> {
    let body = match &node.body {
        Body::Leaf(value) => Body::Leaf(change(node.id, value)?),
        Body::Seq(children) => Body::Seq(map_list(children, change)?),
        Body::Group(children) => Body::Group(map_list(children, change)?),
        Body::Opaque => return None,
    };
    Some(Node { id: node.id, body })
}

/// Iterates over nodes in preorder.
#[derive(Debug, Clone)]
pub struct Nodes<'a> {
    pending: Vec<std::slice::Iter<'a, Arc<Node>>>,
}

impl<'a> Iterator for Nodes<'a> {
    type Item = &'a Arc<Node>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let Some(node) = self.pending.last_mut()?.next() else {
                self.pending.pop();
                continue;
            };
            if !node.children().is_empty() {
                self.pending.push(node.children().iter());
            }
            return Some(node);
        }
    }
}

/// Iterates over the leaves and their values, in source order.
#[derive(Debug, Clone)]
pub struct Leaves<'a> {
    nodes: Nodes<'a>,
}

impl<'a> Iterator for Leaves<'a> {
    type Item = (NodeId, &'a Value);

    fn next(&mut self) -> Option<Self::Item> {
        self.nodes.find_map(|node| match &node.body {
            Body::Leaf(value) => Some((node.id, value)),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{group, inputs, int, seq, text};
    use super::*;

    #[test]
    fn ids_are_found_after_elements_were_removed() {
        let all = inputs([seq([int(1), group([int(2), text("ab")]), int(3)])]);
        let Body::Seq(children) = &all.0[0].body else { panic!("a sequence") };
        let fewer = all.replace(NodeId(0), Body::Seq(children[1..].to_vec()));
        assert_eq!(fewer.get(NodeId(1)), None);
        assert_eq!(fewer.get(NodeId(4)).unwrap().size(), 2);
        assert_eq!(fewer.get(NodeId(5)).unwrap().id, NodeId(5));
        assert_eq!(fewer.get(NodeId(99)), None);
    }

    #[test]
    fn only_the_path_to_a_change_is_copied() {
        let all = inputs([seq([group([int(1)]), group([int(2)])]), int(3)]);
        let changed = all.replace(NodeId(2), Body::Leaf(Value::Bool(true)));
        assert!(Arc::ptr_eq(&all.0[1], &changed.0[1]));
        assert!(Arc::ptr_eq(&all.0[0].children()[1], &changed.0[0].children()[1]));
        assert!(!Arc::ptr_eq(&all.0[0].children()[0], &changed.0[0].children()[0]));
    }

    #[test]
    fn sizes_count_elements_characters_and_bytes_but_not_scalars() {
        let all = inputs([seq([group([int(7), text("äb")]), int(8)]), int(9), text("xyz")]);
        assert_eq!(all.size(), 2 + 2 + 3);
        assert_eq!(all.leaves().count(), 5);
    }
}
