//! What tree reduction must know of the grammar.

use super::{Nonterminal, Tree};

/// The grammar, as seen by tree reduction.
pub trait Rules {
    /// The smallest tree that `symbol` derives; its text is empty if `symbol` may be empty.
    fn smallest(&self, symbol: Nonterminal) -> &Tree;

    /// If `symbol` is a list, the number of elements it must keep.
    fn fewest_elements(&self, symbol: Nonterminal) -> Option<usize>;

    /// A tree of `symbol` whose text is that of `tree`, if `symbol` derives the nonterminal of `tree`
    /// with nothing beside it.
    fn lift(&self, symbol: Nonterminal, tree: &Tree) -> Option<Tree>;

    /// The choices that lead to `tree`, in the order of a leftmost derivation; 0 is the simplest.
    fn choices(&self, tree: &Tree) -> Vec<u32>;

    /// The tree of `symbol` that `choices` lead to, or `None` if there are too few of them. Choices
    /// that are too large are taken modulo their number.
    fn replay(&self, symbol: Nonterminal, choices: &[u32]) -> Option<Tree>;
}
