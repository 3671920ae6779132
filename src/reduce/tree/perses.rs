//! Perses: C. Sun, Y. Li, Q. Zhang, T. Gu and Z. Su, "Perses: Syntax-Guided Program Reduction" (2018).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::strategy::TreeSearch;
use super::{Nonterminal, Rules, Tree};
use crate::reduce::{Candidate, Result};

impl<C: Candidate, R: Rules, M: Fn(&Tree) -> C> TreeSearch<'_, '_, C, R, M> {
    /// Reduces the tree node by node: a node is replaced by the empty tree if its nonterminal may be empty, or by a
    /// descendant of the same nonterminal, the smallest first; elements of lists are removed. Nodes with few leaves come
    /// first; where nothing can be replaced, the children come up.
    pub(super) fn perses(&mut self) -> Result<()> {
        let mut queue = Queue::default();
        queue.push(self.tree, 0);
        while let Some(at) = queue.pop() {
            let Some(symbol) = self.tree.symbol(at) else { continue };
            let before = self.tree.subtree(at);
            let is_list = self.rules.fewest_elements(symbol).is_some();
            if self.replace(at, symbol)? || is_list && self.shorten(at)? {
                queue.shift(before.end, self.tree.subtree(at).end);
                queue.push(self.tree, at);
            } else {
                for child in self.tree.children(at) {
                    queue.push(self.tree, child);
                }
            }
        }
        Ok(())
    }

    /// Puts one of the trees that fit in the place of `at`.
    fn replace(&mut self, at: usize, symbol: Nonterminal) -> Result<bool> {
        let rules = self.rules;
        let replacements = compatible(self.tree, rules, at, symbol);
        self.consider_first(&replacements, |tree, replacement| match *replacement {
            Replacement::Empty => tree.replace(at, rules.smallest(symbol)),
            Replacement::Descendant(node) => tree.replace(at, &tree.extract(node)),
        })
    }
}

/// What can stand in the place of a node.
enum Replacement {
    /// The smallest tree of its nonterminal, which is empty.
    Empty,
    /// This node below it.
    Descendant(usize),
}

/// The empty tree if there is one, then the descendants of the same nonterminal, those with few
/// leaves first, then those that are near.
fn compatible(tree: &Tree, rules: &impl Rules, at: usize, symbol: Nonterminal) -> Vec<Replacement> {
    let descendants = tree.subtree(at).skip(1);
    let mut nodes: Vec<usize> =
        descendants.filter(|&node| tree.symbol(node) == Some(symbol)).collect();
    if nodes.len() > 1 {
        let depths = tree.depths_below(at);
        nodes.sort_by_cached_key(|&node| (tree.leaves(node), depths[node - at]));
    }
    let empty = rules.smallest(symbol).text().is_empty().then_some(Replacement::Empty);
    empty.into_iter().chain(nodes.into_iter().map(Replacement::Descendant)).collect()
}

/// The nodes of the current tree that were not looked at.
#[derive(Default)]
struct Queue {
    /// Number of leaves, order of arrival, node; the smallest first.
    pending: BinaryHeap<Reverse<(usize, usize, usize)>>,
    arrivals: usize,
}

impl Queue {
    fn push(&mut self, tree: &Tree, at: usize) {
        if tree.symbol(at).is_some() {
            self.arrivals += 1;
            self.pending.push(Reverse((tree.leaves(at), self.arrivals, at)));
        }
    }

    fn pop(&mut self) -> Option<usize> {
        self.pending.pop().map(|Reverse((_, _, at))| at)
    }

    /// The subtree that ended at `old_end` ends at `new_end` now: what comes after it moves. Nothing
    /// of the subtree itself is pending.
    fn shift(&mut self, old_end: usize, new_end: usize) {
        let moved = |at: usize| {
            if at >= old_end { at - old_end + new_end } else { at }
        };
        let pending = std::mem::take(&mut self.pending).into_iter();
        self.pending = pending
            .map(|Reverse((leaves, arrival, at))| Reverse((leaves, arrival, moved(at))))
            .collect();
    }
}
