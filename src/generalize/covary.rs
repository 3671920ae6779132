//! Fragments that vary together: the same text is needed in several places.

use std::collections::BTreeMap;

use super::pattern::{Hole, Pattern};
use super::trial::{Trials, Verdict};
use crate::grammar::{NodeKind, Nonterminal, count};
use crate::reduce::Result;

/// With more than so many places, pairs of them are not tried.
const MOST_PAIRED: usize = 6;

impl Trials<'_> {
    /// Finds groups of concrete nodes that can be replaced together by equal trees, the largest texts
    /// first, and adds them to the holes of `pattern`.
    pub(super) fn covarying(&mut self, pattern: &Pattern) -> Result<Pattern> {
        let mut holes = pattern.holes().to_vec();
        for (symbol, nodes) in equal_nodes(pattern) {
            for nodes in subsets(&nodes) {
                let hole = Hole { symbol, nodes };
                if !is_free(pattern, &holes, &hole) {
                    continue;
                }
                let alone = pattern.with_holes(vec![hole.clone()]);
                if let Verdict::Holds(_) = self.check(&alone)? {
                    // What was abstract inside of it is part of it now.
                    holes.retain(|other| !covers(pattern, &hole, other));
                    holes.push(hole);
                }
            }
        }
        Ok(pattern.with_holes(holes))
    }
}

/// Concrete nodes of the same nonterminal and text, for each that occurs more than once.
fn equal_nodes(pattern: &Pattern) -> Vec<(Nonterminal, Vec<usize>)> {
    let tree = pattern.concrete();
    let mut groups: BTreeMap<(Nonterminal, &str), Vec<usize>> = BTreeMap::new();
    for at in 0..tree.len() {
        if let NodeKind::Nonterminal { symbol, .. } = tree.kind(at)
            && !tree.text_of(at).is_empty()
            && count(pattern.grammar_used(), symbol) != Some(1)
        {
            groups.entry((symbol, tree.text_of(at))).or_default().push(at);
        }
    }
    let mut groups: Vec<_> = groups.into_iter().filter(|(_, nodes)| nodes.len() > 1).collect();
    groups.sort_by_key(|((_, text), nodes)| (std::cmp::Reverse(text.len()), nodes[0]));
    groups.into_iter().map(|((symbol, _), nodes)| (symbol, nodes)).collect()
}

/// All nodes together, then pairs of them.
fn subsets(nodes: &[usize]) -> Vec<Vec<usize>> {
    let mut subsets = vec![nodes.to_vec()];
    if nodes.len() > 2 && nodes.len() <= MOST_PAIRED {
        for (place, &first) in nodes.iter().enumerate() {
            subsets.extend(nodes[place + 1..].iter().map(|&second| vec![first, second]));
        }
    }
    subsets
}

/// Whether no node of `hole` is inside of another, or of a hole that is known.
fn is_free(pattern: &Pattern, holes: &[Hole], hole: &Hole) -> bool {
    let tree = pattern.concrete();
    let inside = |node: usize, outer: usize| tree.subtree(outer).contains(&node);
    let known = holes.iter().flat_map(|hole| &hole.nodes);
    let apart = hole.nodes.windows(2).all(|pair| !inside(pair[1], pair[0]));
    apart && known.into_iter().all(|&outer| hole.nodes.iter().all(|&node| !inside(node, outer)))
}

/// Whether a node of `inner` is inside of one of `outer`.
fn covers(pattern: &Pattern, outer: &Hole, inner: &Hole) -> bool {
    let inside = |node: usize| {
        outer.nodes.iter().any(|&outer| pattern.concrete().subtree(outer).contains(&node))
    };
    inner.nodes.iter().any(|&node| inside(node))
}
