//! Reduction of derivation trees.
//!
//! A [`Tree`] is a text with its derivation. The algorithms know no grammar; they are told what they
//! need by [`Rules`]. All of them work on any [`Problem`](super::Problem) whose candidates can be made
//! from a tree, so that the text can be one of several inputs of a test.
//!
//! * `hdd`: delta debugging level by level.
//! * `perses`: nodes by smaller ones of the same nonterminal.
//! * `child`: nodes by their children.
//! * `choices`: the sequence of choices that leads to the tree.
//! * [`reduce()`]: any of them by [`Strategy`], until nothing changes.

mod child;
mod choices;
mod hdd;
mod node;
mod perses;
mod rules;
mod strategy;

pub use node::{Edit, NodeKind, Nonterminal, ShownKind, ShownNode, Tree, TreeBuilder};
pub use rules::Rules;
pub use strategy::{Strategy, reduce};
