//! Reduction of the choice sequence, as Hypothesis does it: D. R. `MacIver` and A. Donaldson, "Test-Case
//! Reduction via Test-Case Generation" (2020).

use super::strategy::TreeSearch;
use super::{Rules, Tree};
use crate::reduce::{Candidate, Result};

/// Lengths of the runs of choices that are deleted.
const RUNS: [usize; 6] = [32, 8, 4, 3, 2, 1];

impl<C: Candidate, R: Rules, M: Fn(&Tree) -> C> TreeSearch<'_, '_, C, R, M> {
    /// Makes the sequence of choices that leads to the tree shorter, and its choices simpler: runs of choices are deleted
    /// from the end to the front, then each choice is lowered. Whatever is edited, what comes out is in the language.
    pub(super) fn choices(&mut self) -> Result<()> {
        for run in RUNS {
            self.delete(run)?;
        }
        self.lower()
    }

    /// Deletes runs of `length` choices, the last first.
    fn delete(&mut self, length: usize) -> Result<()> {
        let mut sequence = self.rules.choices(self.tree);
        let mut end = sequence.len();
        while end >= length {
            let edited: Vec<u32> =
                sequence[..end - length].iter().chain(&sequence[end..]).copied().collect();
            if self.replay(&edited)? {
                sequence = self.rules.choices(self.tree);
                end = end.min(sequence.len());
            } else {
                end -= 1;
            }
        }
        Ok(())
    }

    /// Lowers each choice: to the simplest at once, else by halves.
    fn lower(&mut self) -> Result<()> {
        let mut sequence = self.rules.choices(self.tree);
        let mut place = 0;
        while place < sequence.len() {
            let mut low = 0;
            while place < sequence.len() && low < sequence[place] {
                let middle = if low == 0 { 0 } else { low.midpoint(sequence[place]) };
                let mut edited = sequence.clone();
                edited[place] = middle;
                if self.replay(&edited)? {
                    sequence = self.rules.choices(self.tree);
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
    fn replay(&mut self, edited: &[u32]) -> Result<bool> {
        let symbol = self.tree.symbol(0);
        let smaller = symbol.and_then(|symbol| self.rules.replay(symbol, edited));
        self.consider_first(smaller.as_slice(), |_, smaller| smaller.clone())
    }
}
