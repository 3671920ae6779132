//! Removing elements of a list: the pass that drives an [`Adaptive`] schedule.

use std::ops::Range;

use super::adaptive::Adaptive;
use crate::reduce::{Candidate, Problem, Result};

/// Removes elements of one list of the subject until none can go alone (the list is 1-minimal).
///
/// `len` is the number of elements of that list in a candidate; `without` makes a candidate that
/// lacks the given places (sorted, disjoint, not empty; see [`without()`] for slices). Both must name
/// the same list in every candidate of the search. Returns whether anything was removed.
///
/// The schedule is [`Adaptive`]. Candidates reach the oracle in batches wherever it asks for them:
/// the pass lays out the removals that follow if each one before it misses.
///
/// # Errors
/// When the search must stop.
pub fn shrink_list<C: Candidate>(
    problem: &mut Problem<'_, C>,
    len: impl Fn(&C) -> usize,
    without: impl Fn(&C, &[Range<usize>]) -> C,
) -> Result<bool> {
    let mut schedule = Adaptive::new(len(problem.best()));
    let mut changed = false;
    loop {
        let best = problem.best().clone();
        let candidates =
            schedule.misses().map(|removed| without(&best, std::slice::from_ref(&removed)));
        let Some(misses) = problem.consider_first(candidates)? else { return Ok(changed) };
        schedule.hit_after(misses);
        changed = true;
    }
}

/// The elements of `list` outside the places `removed` (sorted and disjoint).
pub fn without<T: Clone>(list: &[T], removed: &[Range<usize>]) -> Vec<T> {
    let gone: usize = removed.iter().map(ExactSizeIterator::len).sum();
    let mut kept = Vec::with_capacity(list.len().saturating_sub(gone));
    let mut start = 0;
    for range in removed {
        kept.extend_from_slice(&list[start..range.start]);
        start = range.end;
    }
    kept.extend_from_slice(&list[start..]);
    kept
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_example_of_without_holds() {
        assert_eq!(crate::reduce::dd::without(b"abcdef", &[0..1, 3..5]), b"bcf");
    }
}
