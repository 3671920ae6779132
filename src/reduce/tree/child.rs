//! Generalized tree reduction: S. Herfert, J. Patra and M. Pradel, "Automatically Reducing
//! Tree-Structured Test Inputs" (2017).

use std::collections::HashMap;

use super::strategy::TreeSearch;
use super::{Nonterminal, Rules, Tree};
use crate::reduce::{Candidate, Result};

impl<C: Candidate, R: Rules, M: Fn(&Tree) -> C> TreeSearch<'_, '_, C, R, M> {
    /// Replaces nodes by one of their children, from the root down: a child fits if the nonterminal of the node derives
    /// that of the child with nothing beside it.
    pub(super) fn replace_by_child(&mut self) -> Result<()> {
        let (mut at, rules) = (0, self.rules);
        while at < self.tree.len() {
            let children = children_that_fit(self.tree, rules, at);
            // A node that was replaced has new children now: it is looked at again.
            if !self.consider_first(&children, |tree, child| lifted(tree, rules, at, *child))? {
                at += 1;
            }
        }
        Ok(())
    }
}

/// The tree in which `at` is replaced by `child`, which fits there.
fn lifted(tree: &Tree, rules: &impl Rules, at: usize, child: usize) -> Tree {
    let child = tree.extract(child);
    let symbol = tree.symbol(at).filter(|&symbol| child.symbol(0) != Some(symbol));
    let lifted = symbol.and_then(|symbol| rules.lift(symbol, &child));
    tree.replace(at, lifted.as_ref().unwrap_or(&child))
}

/// The children and grandchildren that can stand in the place of `at`, those with little text first.
/// (Elements of a list can stand for its parent, not for the list itself: that is for list reduction.)
fn children_that_fit(tree: &Tree, rules: &impl Rules, at: usize) -> Vec<usize> {
    let Some(symbol) = tree.symbol(at) else { return Vec::new() };
    if rules.fewest_elements(symbol).is_some() {
        return Vec::new();
    }
    let mut fitting: HashMap<Nonterminal, bool> = HashMap::new();
    let mut fits = |child: usize| {
        let Some(below) = tree.symbol(child) else { return false };
        let lift = || below == symbol || rules.lift(symbol, rules.smallest(below)).is_some();
        tree.text_len(child) < tree.text_len(at) && *fitting.entry(below).or_insert_with(lift)
    };
    let grandchildren = tree.children(at).flat_map(|child| tree.children(child));
    let near: Vec<usize> = tree.children(at).chain(grandchildren).collect();
    let mut near: Vec<usize> = near.into_iter().filter(|&node| fits(node)).collect();
    near.sort_by_key(|&node| tree.text_len(node));
    near
}
