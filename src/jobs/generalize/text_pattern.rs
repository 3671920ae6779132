//! What is found of the pattern of a text.

use crate::generalize::Rate;
use crate::grammar::Grammar;
use crate::reduce::Outcome;
use crate::reduce::inputs::NodeId;
use crate::reduce::tree::ShownNode;

/// The pattern of a text, and how it was checked.
#[derive(Debug, Clone)]
pub struct TextPattern {
    /// The leaf of the inputs.
    pub node: NodeId,
    /// What the grammar is called.
    pub grammar: String,
    /// The text with its placeholders.
    pub text: String,
    /// Whether anything in the language of the grammar fails.
    pub is_open: bool,
    /// The nodes of its tree.
    pub tree: Vec<ShownNode>,
    /// What its placeholders stand for, as EBNF.
    pub legend: String,
    /// The grammar of its instances.
    pub instances: Grammar,
    /// The grammar of all texts that contain the cause of the failure, if it is wanted.
    pub evocative: Option<Grammar>,
    /// Instances that were run, and what came of them.
    pub run: Vec<(String, Outcome)>,
    /// Their outcomes, counted.
    pub rate: Rate,
}
