//! Reduction of derivation trees.
//!
//! A [`Tree`] is a text with its derivation. The algorithms know no grammar; they are told what they
//! need by [`Rules`].

mod node;
mod rules;

pub use node::{Edit, Kind, Node, Nonterminal, Tree, TreeBuilder};
pub use rules::Rules;
