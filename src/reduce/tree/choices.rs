//! Reduction of the choice sequence, as Hypothesis does it: D. R. `MacIver` and A. Donaldson, "Test-Case
//! Reduction via Test-Case Generation" (2020).

use super::{Rules, Tree};
use crate::reduce::{Candidate, Problem, Stop};

/// Lengths of the runs of choices that are deleted.
const RUNS: [usize; 6] = [32, 8, 4, 3, 2, 1];

/// Makes the sequence of choices that leads to `tree` shorter, and its choices simpler: runs of
/// choices are deleted from the end to the front, then each choice is lowered. Whatever is edited,
/// what comes out is in the language.
///
/// `tree` must be that of the current best; `make` makes the candidate of a tree.
///
/// # Errors
/// When the search must stop; `tree` is that of the best until then.
pub fn choices<C: Candidate>(
    problem: &mut Problem<'_, C>,
    tree: &mut Tree,
    rules: &impl Rules,
    make: impl Fn(&Tree) -> C,
) -> Result<(), Stop> {
    let mut search = ChoiceSearch {
        problem,
        rules,
        make: &make,
    };
    for run in RUNS {
        search.delete(tree, run)?;
    }
    search.lower(tree)
}

struct ChoiceSearch<'s, 'p, C: Candidate, R, M> {
    problem: &'s mut Problem<'p, C>,
    rules: &'s R,
    make: &'s M,
}

impl<C: Candidate, R: Rules, M: Fn(&Tree) -> C> ChoiceSearch<'_, '_, C, R, M> {
    /// Deletes runs of `length` choices, the last first.
    fn delete(&mut self, tree: &mut Tree, length: usize) -> Result<(), Stop> {
        let mut sequence = self.rules.choices(tree);
        let mut end = sequence.len();
        while end >= length {
            let edited: Vec<u32> = sequence[..end - length]
                .iter()
                .chain(&sequence[end..])
                .copied()
                .collect();
            if self.consider(tree, &edited)? {
                sequence = self.rules.choices(tree);
                end = end.min(sequence.len());
            } else {
                end -= 1;
            }
        }
        Ok(())
    }

    /// Lowers each choice: to the simplest at once, else by halves.
    fn lower(&mut self, tree: &mut Tree) -> Result<(), Stop> {
        let mut sequence = self.rules.choices(tree);
        let mut place = 0;
        while place < sequence.len() {
            let mut low = 0;
            while place < sequence.len() && low < sequence[place] {
                let middle = if low == 0 {
                    0
                } else {
                    low.midpoint(sequence[place])
                };
                let mut edited = sequence.clone();
                edited[place] = middle;
                if self.consider(tree, &edited)? {
                    sequence = self.rules.choices(tree);
                } else {
                    low = middle + 1;
                }
            }
            place += 1;
        }
        Ok(())
    }

    /// Tries the tree of an edited sequence. An edit that asks for more choices than there are is
    /// thrown away.
    fn consider(&mut self, tree: &mut Tree, edited: &[u32]) -> Result<bool, Stop> {
        let Some(symbol) = tree.symbol(0) else {
            return Ok(false);
        };
        let Some(smaller) = self.rules.replay(symbol, edited) else {
            return Ok(false);
        };
        let accepted = self.problem.consider((self.make)(&smaller))?;
        if accepted {
            *tree = smaller;
        }
        Ok(accepted)
    }
}
