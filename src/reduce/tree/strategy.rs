//! Which reduction of a tree to use.

use super::{Rules, Tree};
use crate::reduce::{Candidate, Problem, Result};

/// A way to reduce a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    /// Level by level: `hdd`.
    Hdd,
    /// Node by node: `perses`.
    Perses,
    /// The sequence of choices: `choices`.
    Choices,
    /// All of them, until none finds anything.
    All,
}

/// Reduces `tree`, which must be that of the current best, until the strategy finds nothing more.
///
/// # Errors
/// When the search must stop; `tree` is that of the best until then.
pub fn reduce<C: Candidate>(
    problem: &mut Problem<'_, C>,
    tree: &mut Tree,
    rules: &impl Rules,
    strategy: Strategy,
    make: impl Fn(&Tree) -> C,
) -> Result<()> {
    let mut search = TreeSearch { problem, tree, rules, make };
    loop {
        let before = search.problem.counts().accepted;
        match strategy {
            Strategy::Hdd => search.hdd()?,
            Strategy::Perses => search.perses()?,
            Strategy::Choices => search.choices()?,
            Strategy::All => {
                // Levels come first: they take most away with the fewest candidates.
                search.hdd()?;
                search.perses()?;
                search.replace_by_child()?;
                search.choices()?;
            }
        }
        if search.problem.counts().accepted == before {
            return Ok(());
        }
    }
}

/// A search for smaller trees.
pub(super) struct TreeSearch<'s, 'p, C: Candidate, R, M> {
    pub(super) problem: &'s mut Problem<'p, C>,
    /// That of the current best.
    pub(super) tree: &'s mut Tree,
    pub(super) rules: &'s R,
    /// Makes the candidate of a tree.
    pub(super) make: M,
}

impl<C: Candidate, R: Rules, M: Fn(&Tree) -> C> TreeSearch<'_, '_, C, R, M> {
    /// Tries the trees that `smaller` makes of `all`, one after the other; keeps the first that fails; whether
    /// there is one.
    pub(super) fn consider_first<T>(
        &mut self,
        all: &[T],
        smaller: impl Fn(&Tree, &T) -> Tree,
    ) -> Result<bool> {
        // Made one by one: all of them together would not fit into memory for a large tree.
        let candidates = all.iter().map(|one| (self.make)(&smaller(self.tree, one)));
        let hit = self.problem.consider_first(candidates)?;
        if let Some(hit) = hit {
            *self.tree = smaller(self.tree, &all[hit]);
        }
        Ok(hit.is_some())
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_example_of_reduce_holds() -> Result<(), Box<dyn std::error::Error>> {
        use crate::grammar::{Parser, builtin};
        use crate::reduce::tree::{Strategy, Tree, reduce};
        use crate::reduce::{FromFn, Memory, Outcome, Problem};

        let grammar = builtin("json").expect("there is one");
        let mut tree = Parser::new(&grammar).parse(r#"{"a": [1, {"b": null}, "x"]}"#)?;
        let mut oracle = FromFn(|tree: &Tree| Outcome::fail_if(tree.text().contains("null")));
        let mut problem = Problem::new(tree.clone(), &mut oracle, Memory::Remember);
        reduce(&mut problem, &mut tree, &grammar, Strategy::All, Tree::clone)?;
        assert_eq!(tree.text(), "null");
        Ok(())
    }
}
