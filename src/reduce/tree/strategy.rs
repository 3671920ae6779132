//! Which reduction of a tree to use.

use super::{Rules, Tree, choices, hdd, perses, replace_by_child};
use crate::reduce::{Candidate, Problem, Stop};

/// A way to reduce a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    /// Level by level: [`hdd()`].
    Hdd,
    /// Node by node: [`perses()`].
    Perses,
    /// The sequence of choices: [`choices()`].
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
) -> Result<(), Stop> {
    loop {
        let before = problem.counts().accepted;
        match strategy {
            Strategy::Hdd => hdd(problem, tree, rules, &make)?,
            Strategy::Perses => perses(problem, tree, rules, &make)?,
            Strategy::Choices => choices(problem, tree, rules, &make)?,
            Strategy::All => {
                // Levels come first: they take most away with the fewest candidates.
                hdd(problem, tree, rules, &make)?;
                perses(problem, tree, rules, &make)?;
                replace_by_child(problem, tree, rules, &make)?;
                choices(problem, tree, rules, &make)?;
            }
        }
        if problem.counts().accepted == before {
            return Ok(());
        }
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
        reduce(
            &mut problem,
            &mut tree,
            &grammar,
            Strategy::All,
            Tree::clone,
        )?;
        assert_eq!(tree.text(), "null");
        Ok(())
    }
}
