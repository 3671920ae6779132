//! Generalized tree reduction: S. Herfert, J. Patra and M. Pradel, "Automatically Reducing
//! Tree-Structured Test Inputs" (2017).

use super::{Rules, Tree};
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
        let mut smaller: Vec<Tree> = children_that_fit(tree, rules, at)
            .into_iter()
            .map(|child| tree.replace(at, &child))
            .collect();
        smaller.sort_by_key(|tree| tree.text().len());
        let hit = problem.consider_first(smaller.iter().map(&make))?;
        match hit.and_then(|hit| smaller.into_iter().nth(hit)) {
            // The node has new children now: look at it again.
            Some(smaller) => *tree = smaller,
            None => at += 1,
        }
    }
    Ok(())
}

fn children_that_fit(tree: &Tree, rules: &impl Rules, at: usize) -> Vec<Tree> {
    let Some(symbol) = tree.symbol(at) else {
        return Vec::new();
    };
    let fits = |child: usize| {
        let below = tree.symbol(child)?;
        // The elements of a list stand for all that is left of it.
        let whole = tree.text_of(child).len() == tree.text_of(at).len();
        (below != symbol && !whole)
            .then(|| rules.lift(symbol, &tree.extract(child)))
            .flatten()
    };
    let same = |child: usize| (tree.symbol(child) == Some(symbol)).then(|| tree.extract(child));
    let grandchildren = tree.children(at).flat_map(|child| tree.children(child));
    let near: Vec<usize> = tree.children(at).chain(grandchildren).collect();
    near.into_iter()
        .filter_map(|child| same(child).or_else(|| fits(child)))
        .collect()
}
