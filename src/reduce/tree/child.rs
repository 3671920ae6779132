//! Generalized tree reduction: S. Herfert, J. Patra and M. Pradel, "Automatically Reducing
//! Tree-Structured Test Inputs" (2017).

use std::collections::HashMap;

use super::{Nonterminal, Rules, Tree};
use crate::reduce::{Candidate, Problem, Stop};

/// Replaces nodes by one of their children, from the root down: a child fits if the nonterminal of
/// the node derives that of the child with nothing beside it.
///
/// `tree` must be that of the current best; `make` makes the candidate of a tree.
///
/// # Errors
/// When the search must stop; `tree` is that of the best until then.
pub fn replace_by_child<C: Candidate>(
    problem: &mut Problem<'_, C>,
    tree: &mut Tree,
    rules: &impl Rules,
    make: impl Fn(&Tree) -> C,
) -> Result<(), Stop> {
    let mut at = 0;
    while at < tree.len() {
        let children = children_that_fit(tree, rules, at);
        let smaller = |child: usize| lifted(tree, rules, at, child);
        let hit = problem.consider_first(children.iter().map(|&child| make(&smaller(child))))?;
        match hit {
            // The node has new children now: look at it again.
            Some(hit) => *tree = smaller(children[hit]),
            None => at += 1,
        }
    }
    Ok(())
}

/// The tree in which `at` is replaced by `child`, which fits there.
fn lifted(tree: &Tree, rules: &impl Rules, at: usize, child: usize) -> Tree {
    let child = tree.extract(child);
    let symbol = tree
        .symbol(at)
        .filter(|&symbol| child.symbol(0) != Some(symbol));
    let lifted = symbol.and_then(|symbol| rules.lift(symbol, &child));
    tree.replace(at, lifted.as_ref().unwrap_or(&child))
}

/// The children and grandchildren that can stand in the place of `at`, those with little text first.
/// (Elements of a list can stand for its parent, not for the list itself: that is for list reduction.)
fn children_that_fit(tree: &Tree, rules: &impl Rules, at: usize) -> Vec<usize> {
    let Some(symbol) = tree.symbol(at) else {
        return Vec::new();
    };
    if rules.fewest_elements(symbol).is_some() {
        return Vec::new();
    }
    let mut fitting: HashMap<Nonterminal, bool> = HashMap::new();
    let mut fits = |child: usize| {
        let Some(below) = tree.symbol(child) else {
            return false;
        };
        let lift = || below == symbol || rules.lift(symbol, rules.smallest(below)).is_some();
        tree.text_len(child) < tree.text_len(at) && *fitting.entry(below).or_insert_with(lift)
    };
    let grandchildren = tree.children(at).flat_map(|child| tree.children(child));
    let near: Vec<usize> = tree.children(at).chain(grandchildren).collect();
    let mut near: Vec<usize> = near.into_iter().filter(|&node| fits(node)).collect();
    near.sort_by_key(|&node| tree.text_len(node));
    near
}
