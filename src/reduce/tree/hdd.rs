//! Hierarchical delta debugging: G. Misherghi and Z. Su, "HDD: Hierarchical Delta Debugging" (2006).

use std::collections::HashMap;

use super::strategy::TreeSearch;
use super::{Edit, NodeKind, Rules, Tree};
use crate::reduce::{Approach, Candidate, Result, apply_patches};

impl<C: Candidate, R: Rules, M: Fn(&Tree) -> C> TreeSearch<'_, '_, C, R, M> {
    /// Reduces the tree level by level from the root: as many nodes of a level as possible are replaced by the smallest
    /// tree of their nonterminal, or taken out if they are elements of a list.
    pub(super) fn hdd(&mut self) -> Result<()> {
        for level in 1.. {
            let depths = self.tree.depths();
            let prunes = prunes(self.tree, self.rules, |at| depths[at] == level);
            if !prunes.is_empty() {
                self.prune(&prunes)?;
            } else if depths.iter().all(|&depth| depth < level) {
                break;
            }
        }
        Ok(())
    }

    /// Removes elements from the list `at`.
    pub(super) fn shorten(&mut self, at: usize) -> Result<bool> {
        let elements: Vec<usize> = self.tree.children(at).collect();
        let is_element = |at: usize| elements.binary_search(&at).is_ok();
        let prunes = prunes(self.tree, self.rules, is_element);
        self.prune(&prunes)
    }

    fn prune(&mut self, prunes: &[Prune]) -> Result<bool> {
        let (tree, rules) = (&*self.tree, self.rules);
        let weights: Vec<usize> = prunes.iter().map(|prune| tree.text_len(prune.at)).collect();
        let applied = apply_patches(self.problem, &weights, Approach::Halves, |patches| {
            pruned(tree, rules, prunes, patches).map(|tree| (self.make)(&tree))
        })?;
        let changed = !applied.patches.is_empty();
        if changed && let Some(smaller) = pruned(tree, rules, prunes, &applied.patches) {
            *self.tree = smaller;
        }
        Ok(changed)
    }
}

/// One node that may go.
struct Prune {
    at: usize,
    /// The list it is an element of.
    list: Option<usize>,
}

fn prunes(tree: &Tree, rules: &impl Rules, select: impl Fn(usize) -> bool) -> Vec<Prune> {
    let mut prunes = Vec::new();
    let mut parents: Vec<usize> = Vec::new();
    for at in 0..tree.len() {
        while parents.pop_if(|parent| tree.subtree(*parent).end <= at).is_some() {}
        if select(at) {
            let list = parents.last().copied().filter(|&parent| is_list(tree, rules, parent));
            if list.is_some() || is_larger(tree, rules, at) {
                prunes.push(Prune { at, list });
            }
        }
        if tree.kind(at) != NodeKind::Terminal {
            parents.push(at);
        }
    }
    prunes
}

/// Whether there is a smaller tree of the node's nonterminal.
fn is_larger(tree: &Tree, rules: &impl Rules, at: usize) -> bool {
    tree.symbol(at).is_some_and(|symbol| {
        let smallest = rules.smallest(symbol).text();
        // The length is known; to find the text takes a walk through the tree.
        tree.text_len(at) != smallest.len() || tree.text_of(at) != smallest
    })
}

fn is_list(tree: &Tree, rules: &impl Rules, at: usize) -> bool {
    tree.symbol(at).is_some_and(|symbol| rules.fewest_elements(symbol).is_some())
}

/// `tree` without the nodes of `patches`; `None` if a list would become too short.
fn pruned(tree: &Tree, rules: &impl Rules, prunes: &[Prune], patches: &[usize]) -> Option<Tree> {
    let mut removed: HashMap<usize, usize> = HashMap::new();
    let mut edits = Vec::with_capacity(patches.len());
    for prune in patches.iter().map(|&patch| &prunes[patch]) {
        edits.push((
            prune.at,
            match (prune.list, tree.symbol(prune.at)) {
                (Some(list), _) => {
                    *removed.entry(list).or_default() += 1;
                    Edit::Remove
                }
                (None, Some(symbol)) => Edit::Replace(rules.smallest(symbol)),
                (None, None) => return None,
            },
        ));
    }
    let long_enough = removed.iter().all(|(&list, &removed)| {
        let fewest = tree.symbol(list).and_then(|symbol| rules.fewest_elements(symbol));
        tree.children(list).count() - removed >= fewest.unwrap_or(0)
    });
    long_enough.then(|| tree.edit(&edits))
}
