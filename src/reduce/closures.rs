//! Search for a small closed set of elements to keep, by generalized binary reduction.
//!
//! Some elements need others (an item those it names), so most subsets are not valid. The search only
//! visits closed sets: it finds by bisection the first element without which a growing union of
//! closures does not fail, requires it from then on, and starts over inside that union. A failure that
//! needs k of n elements costs about k·log n calls, of ever smaller candidates (Kalhauge & Palsberg,
//! "Binary Reduction of Dependency Graphs", 2019, and "Logical Bytecode Reduction", 2021).

use super::{Candidate, Problem, Result};

/// Shrinks the set of kept elements of `0..size`; returns which are kept in the problem's best.
///
/// `close` extends a set by what it needs; `build` makes the candidate that keeps just the given
/// elements.
///
/// # Errors
/// When the search must stop.
pub fn keep_closures<C: Candidate>(
    problem: &mut Problem<'_, C>,
    size: usize,
    close: impl Fn(&mut [bool]),
    build: impl Fn(&[bool]) -> C,
) -> Result<Vec<bool>> {
    let mut search = ClosureSearch { problem, close, build, kept: vec![true; size] };
    // In the given order a caller may come before the only thing it is needed for; in the second round,
    // with few elements left, those that need least come first.
    search.round(|_, _| {})?;
    search.round(ClosureSearch::sort_by_need)?;
    Ok(search.kept)
}

struct ClosureSearch<'s, 'a, C: Candidate, F, B> {
    problem: &'s mut Problem<'a, C>,
    close: F,
    build: B,
    /// What the problem's best keeps.
    kept: Vec<bool>,
}

impl<C: Candidate, F: Fn(&mut [bool]), B: Fn(&[bool]) -> C> ClosureSearch<'_, '_, C, F, B> {
    fn round(&mut self, sort: impl Fn(&Self, &mut [usize])) -> Result<()> {
        let mut required = vec![false; self.kept.len()];
        (self.close)(&mut required);
        while !self.works(&required)? {
            let is_open = |element: &usize| self.kept[*element] && !required[*element];
            let mut open: Vec<usize> = (0..required.len()).filter(is_open).collect();
            sort(self, &mut open);
            let Some(needed) = self.last_needed(&required, &open)? else { return Ok(()) };
            required[needed] = true;
            (self.close)(&mut required);
        }
        Ok(())
    }

    fn sort_by_need(&self, elements: &mut [usize]) {
        elements.sort_by_cached_key(|element| {
            let mut closure = vec![false; self.kept.len()];
            closure[*element] = true;
            (self.close)(&mut closure);
            closure.iter().filter(|kept| **kept).count()
        });
    }

    /// Finds the first element of `open` whose closure completes a failing union, and makes that union
    /// the best. `None` if there is nothing left to choose from.
    fn last_needed(&mut self, required: &[bool], open: &[usize]) -> Result<Option<usize>> {
        let mut low = 0;
        let mut high = open.len();
        while low + 1 < high {
            let middle = low + (high - low) / 2;
            let mut union = required.to_vec();
            for element in &open[..middle] {
                union[*element] = true;
            }
            (self.close)(&mut union);
            if self.works(&union)? {
                high = middle;
            } else {
                low = middle;
            }
        }
        Ok(high.checked_sub(1).and_then(|last| open.get(last).copied()))
    }

    fn works(&mut self, kept: &[bool]) -> Result<bool> {
        if kept == self.kept {
            return Ok(true);
        }
        // A closure may reach beyond the best; then it is no progress, and nothing is known.
        if kept.iter().zip(&self.kept).any(|(now, before)| *now && !before) {
            return Ok(false);
        }
        let works = self.problem.consider((self.build)(kept))?;
        if works {
            self.kept = kept.to_vec();
        }
        Ok(works)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::{FromFn, Memory, Outcome};

    /// Element n needs n + 1 unless that is a multiple of 10.
    fn chains(kept: &mut [bool]) {
        for element in 1..kept.len() {
            kept[element] |= kept[element - 1] && element % 10 != 0;
        }
    }

    fn search(needed: &[usize]) -> (Vec<usize>, u64) {
        let size = 500;
        let mut oracle = FromFn(|kept: &Vec<usize>| {
            let has = |element: &usize| kept.contains(element);
            let is_closed =
                kept.iter().all(|element| (element + 1) % 10 == 0 || has(&(element + 1)));
            if is_closed && needed.iter().all(has) { Outcome::Fail } else { Outcome::Unresolved }
        });
        let list = |kept: &[bool]| (0..size).filter(|element| kept[*element]).collect();
        let mut problem = Problem::new((0..size).collect(), &mut oracle, Memory::Remember);
        keep_closures(&mut problem, size, chains, list).unwrap();
        let counts = problem.counts();
        (problem.into_best(), counts.candidates)
    }

    #[test]
    fn only_the_closures_of_what_is_needed_are_kept() {
        let (kept, calls) = search(&[127, 345]);
        assert_eq!(kept, [127, 128, 129, 345, 346, 347, 348, 349]);
        assert!(calls <= 50, "{calls} calls");
    }

    #[test]
    fn nothing_is_kept_when_nothing_is_needed() {
        assert_eq!(search(&[]), (vec![], 1));
    }
}
