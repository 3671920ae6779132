//! What tree reduction must know of the grammar.

use super::{Nonterminal, Tree};

/// The grammar, as seen by tree reduction.
pub trait Rules {
    /// The smallest tree that `symbol` derives; its text is empty if `symbol` may be empty.
    fn smallest(&self, symbol: Nonterminal) -> &Tree;

    /// If `symbol` is a list, the number of elements it must keep.
    fn fewest_elements(&self, symbol: Nonterminal) -> Option<usize>;
}
