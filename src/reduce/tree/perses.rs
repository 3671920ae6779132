//! Perses: C. Sun, Y. Li, Q. Zhang, T. Gu and Z. Su, "Perses: Syntax-Guided Program Reduction" (2018).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::hdd::shorten;
use super::{Nonterminal, Rules, Tree};
use crate::reduce::{Candidate, Problem, Stop};

/// Reduces `tree` node by node: a node is replaced by the empty tree if its nonterminal may be empty,
/// or by a descendant of the same nonterminal, the smallest first; elements of lists are removed.
/// Nodes with few leaves come first; where nothing can be replaced, the children come up.
///
/// `tree` must be that of the current best; `make` makes the candidate of a tree.
///
/// # Errors
/// When the search must stop; `tree` is that of the best until then.
pub fn perses<C: Candidate>(
    problem: &mut Problem<'_, C>,
    tree: &mut Tree,
    rules: &impl Rules,
    make: impl Fn(&Tree) -> C,
) -> Result<(), Stop> {
    let mut queue = Queue::default();
    queue.push(tree, 0);
    while let Some(at) = queue.pop() {
        let Some(symbol) = tree.symbol(at) else {
            continue;
        };
        let before = tree.subtree(at);
        let mut changed = replace(problem, tree, rules, at, symbol, &make)?;
        if !changed && rules.fewest_elements(symbol).is_some() {
            changed = shorten(problem, tree, rules, at, &make)?;
        }
        if changed {
            queue.shift(before.end, tree.subtree(at).end);
            queue.push(tree, at);
        } else {
            let children: Vec<usize> = tree.children(at).collect();
            for child in children {
                queue.push(tree, child);
            }
        }
    }
    Ok(())
}

/// Tries the trees that fit in the place of `at`; keeps the first that fails.
fn replace<C: Candidate>(
    problem: &mut Problem<'_, C>,
    tree: &mut Tree,
    rules: &impl Rules,
    at: usize,
    symbol: Nonterminal,
    make: &impl Fn(&Tree) -> C,
) -> Result<bool, Stop> {
    let replacements = compatible(tree, rules, at, symbol);
    let smaller = |replacement: &Replacement| match *replacement {
        Replacement::Empty => tree.replace(at, rules.smallest(symbol)),
        Replacement::Descendant(node) => tree.replace(at, &tree.extract(node)),
    };
    // Made one by one: all of them together would not fit into memory for a large tree.
    let hit = problem.consider_first(replacements.iter().map(|other| make(&smaller(other))))?;
    if let Some(hit) = hit {
        *tree = smaller(&replacements[hit]);
    }
    Ok(hit.is_some())
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
    let mut nodes: Vec<usize> = descendants
        .filter(|&node| tree.symbol(node) == Some(symbol))
        .collect();
    if nodes.len() > 1 {
        let depths = tree.depths_below(at);
        nodes.sort_by_cached_key(|&node| (tree.leaves(node), depths[node - at]));
    }
    let empty = rules
        .smallest(symbol)
        .text()
        .is_empty()
        .then_some(Replacement::Empty);
    empty
        .into_iter()
        .chain(nodes.into_iter().map(Replacement::Descendant))
        .collect()
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
            self.pending
                .push(Reverse((tree.leaves(at), self.arrivals, at)));
        }
    }

    fn pop(&mut self) -> Option<usize> {
        self.pending.pop().map(|Reverse((_, _, at))| at)
    }

    /// The subtree that ended at `old_end` ends at `new_end` now: what comes after it moves. Nothing
    /// of the subtree itself is pending.
    fn shift(&mut self, old_end: usize, new_end: usize) {
        let moved = |at: usize| {
            if at >= old_end {
                at - old_end + new_end
            } else {
                at
            }
        };
        let pending = std::mem::take(&mut self.pending).into_iter();
        self.pending = pending
            .map(|Reverse((leaves, arrival, at))| Reverse((leaves, arrival, moved(at))))
            .collect();
    }
}
