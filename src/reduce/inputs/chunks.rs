//! Removal of units from a list in chunks, adaptively.
//!
//! The schedule is that of ddmin's complements, with what later tools added: chunks halve, or shrink
//! fourfold after a round without success; chunks are tried from the end, as later elements depend on
//! earlier ones more often than the other way round; after a success the next chunk doubles as long
//! as it succeeds (Hypothesis' `find_integer`); on failure it goes on where it is and does not start
//! again.
//!
//! "Removed" need not mean gone: the caller makes the candidate from the units that are kept, and can
//! as well set those that are not to the simplest value.

use std::collections::HashMap;
use std::hash::Hash;

use super::Inputs;
use super::search::{Patience, Search};
use crate::reduce::Stop;

/// Removes units as long as the failure stays, in chunks of at least `smallest` units (with 1 the
/// result is 1-minimal unless a removal made another possible). Returns the units that are kept.
pub(super) fn remove_chunks<T: Clone>(
    search: &mut Search,
    mut units: Vec<T>,
    smallest: usize,
    patience: &mut Patience,
    build: impl Fn(&Inputs, Vec<T>) -> Inputs,
) -> Result<Vec<T>, Stop> {
    let mut size = units.len();
    while size >= smallest && !units.is_empty() && !patience.is_spent() {
        let before = units.len();
        remove_round(search, &mut units, size, patience, &build)?;
        if size == 1 {
            break;
        }
        let helped = units.len() < before;
        size = (size / if helped { 2 } else { 4 }).max(1).min(units.len());
    }
    Ok(units)
}

/// One round over all chunks of `size`, from the end.
fn remove_round<T: Clone>(
    search: &mut Search,
    units: &mut Vec<T>,
    size: usize,
    patience: &mut Patience,
    build: &impl Fn(&Inputs, Vec<T>) -> Inputs,
) -> Result<(), Stop> {
    let mut end = units.len();
    while end > 0 && !patience.is_spent() {
        let base = search.best().clone();
        let chunks = (0..end.div_ceil(size)).map(|place| {
            let end = end - place * size;
            build(&base, without(units, end.saturating_sub(size), end))
        });
        let Some(place) = patience.consider_first(search, chunks)? else {
            return Ok(());
        };
        end -= place * size;
        let mut start = end.saturating_sub(size);
        units.drain(start..end);
        end = start;
        let mut step = 2 * size;
        while end > 0 {
            start = end.saturating_sub(step);
            let candidate = build(search.best(), without(units, start, end));
            if !search.consider(candidate)? {
                break;
            }
            units.drain(start..end);
            end = start;
            step *= 2;
        }
    }
    Ok(())
}

/// Removes all units of one class together, the largest class first: noise is often of one kind
/// (comments, white space, one sort of command). `class_of` names the class of a unit; units without
/// one are left alone.
pub(super) fn remove_classes<T: Clone, K: Eq + Hash + Ord + Clone>(
    search: &mut Search,
    mut units: Vec<T>,
    class_of: impl Fn(&T) -> Option<K>,
    build: impl Fn(&Inputs, Vec<T>) -> Inputs,
) -> Result<Vec<T>, Stop> {
    for class in classes(&units, &class_of) {
        let kept: Vec<T> = units
            .iter()
            .filter(|unit| class_of(unit).as_ref() != Some(&class))
            .cloned()
            .collect();
        let candidate = build(search.best(), kept.clone());
        if search.consider(candidate)? {
            units = kept;
        }
    }
    Ok(units)
}

/// The most frequent classes with at least two units, the largest first.
fn classes<T, K: Eq + Hash + Ord>(units: &[T], class_of: impl Fn(&T) -> Option<K>) -> Vec<K> {
    const MOST: usize = 16;
    let mut counts: HashMap<K, usize> = HashMap::new();
    for class in units.iter().filter_map(class_of) {
        *counts.entry(class).or_default() += 1;
    }
    let mut classes: Vec<(K, usize)> = counts
        .into_iter()
        .filter(|&(_, count)| count > 1 && count < units.len())
        .collect();
    classes.sort_by(|(left, l), (right, r)| r.cmp(l).then_with(|| left.cmp(right)));
    classes
        .into_iter()
        .take(MOST)
        .map(|(class, _)| class)
        .collect()
}

/// The units but for those from `start` to `end`.
fn without<T: Clone>(units: &[T], start: usize, end: usize) -> Vec<T> {
    let mut kept = Vec::with_capacity(units.len() - (end - start));
    kept.extend_from_slice(&units[..start]);
    kept.extend_from_slice(&units[end..]);
    kept
}
