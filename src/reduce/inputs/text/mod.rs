//! Texts and bytes as sequences of characters: how to read and write them, and their structure.

mod data;
mod leaf;
mod split;
mod tree;

pub(super) use data::{Container, bracketed, containers};
pub(super) use leaf::{TextLeaf, text_leaves};
pub(super) use split::{
    Token, blocks, indent, indented, indents, lines, marks, sections, token, tokens,
};
pub(super) use tree::{Unit, Units};
