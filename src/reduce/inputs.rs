//! The inputs of a test as a candidate: a forest of values with a persistent (shared) structure.
//!
//! Each node of the original has an id; candidates are made by removing elements of sequences and by
//! replacing the values of leaves. Nodes are never moved to another parent and never invented, so a
//! candidate is described by "which elements of each sequence are kept" and "which leaf has which
//! value": that is what goes over the wire to a running test.

use std::sync::Arc;

/// Identifies a node of the original forest, in preorder from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// The value of a leaf.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Value {
    /// A string literal, or a text file.
    Text(String),
    /// A byte or C string literal (without the final NUL), or a binary file.
    Bytes(Vec<u8>),
    /// A `char` literal.
    Char(char),
    /// An integer literal of any type, its sign included; also `b'x'`.
    Int(Int),
    /// A floating-point literal.
    Float(Float),
    /// `true` or `false`.
    Bool(bool),
}

/// An integer of any Rust type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Int {
    /// Whether it is below zero (never set for 0).
    pub negative: bool,
    /// Its absolute value.
    pub magnitude: u128,
}

/// A float, compared by its bits so that it can be hashed.
#[derive(Debug, Clone, Copy)]
pub struct Float(pub f64);

impl PartialEq for Float {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

impl Eq for Float {}

impl std::hash::Hash for Float {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
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
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Inputs(pub Vec<Arc<Node>>);
