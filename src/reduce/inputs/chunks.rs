//! Removal of units from a list.
//!
//! The schedule is [`Adaptive`]. "Removed" need not mean gone: the caller makes the candidate, and
//! can as well set the units in question to their simplest value.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;

use super::Inputs;
use super::search::{PassContext, PatientSearch};
use crate::reduce::Result;
use crate::reduce::dd::Adaptive;

/// Into how many chunks a list is cut at most before the adaptive schedule takes over.
const MOST_CHUNKS: usize = 16;

/// Removes units as long as the failure stays, until none can be removed alone (or the patience is
/// spent).
///
/// Large chunks (a half, a quarter, …) are tried first, as ddmin does: where the failure needs a
/// number of units rather than certain ones, that reaches much smaller lists than the adaptive
/// schedule, which settles units one by one.
///
/// `build` makes a candidate from the current best: it gets all units that are left and the range of
/// those that go.
pub(super) fn remove_chunks<T>(
    search: &mut PatientSearch,
    mut units: Vec<T>,
    build: impl Fn(&Inputs, &[T], Range<usize>) -> Inputs,
) -> Result<()> {
    let mut chunks = 1;
    while chunks <= MOST_CHUNKS && chunks < units.len() && !search.is_spent() {
        let size = units.len().div_ceil(chunks);
        remove_round(search, &mut units, size, &build)?;
        chunks *= 2;
    }
    remove_adaptively(search, units, build)
}

/// Tries once to remove each chunk of `size` units, from the end: later elements depend on earlier
/// ones more often than the other way round.
fn remove_round<T>(
    search: &mut PatientSearch,
    units: &mut Vec<T>,
    size: usize,
    build: &impl Fn(&Inputs, &[T], Range<usize>) -> Inputs,
) -> Result<()> {
    let mut end = units.len();
    while end > 0 && !search.is_spent() {
        let base = search.best().clone();
        let chunk = |place: usize| {
            let end = end - place * size;
            end.saturating_sub(size)..end
        };
        let candidates = (0..end.div_ceil(size)).map(|place| build(&base, units, chunk(place)));
        let Some(place) = search.consider_first(candidates)? else { return Ok(()) };
        let removed = chunk(place);
        end = removed.start;
        units.drain(removed);
    }
    Ok(())
}

/// As [`remove_chunks`], by the adaptive schedule alone: where certain units are needed rather than a
/// number of them, it accepts fewer steps on the way, each of which may be a dear run.
pub(super) fn remove_adaptively<T>(
    search: &mut PatientSearch,
    mut units: Vec<T>,
    build: impl Fn(&Inputs, &[T], Range<usize>) -> Inputs,
) -> Result<()> {
    let mut schedule = Adaptive::new(units.len());
    while !search.is_spent() {
        let base = search.best().clone();
        let candidates = schedule.misses().map(|removed| build(&base, &units, removed));
        let Some(misses) = search.consider_first(candidates)? else { return Ok(()) };
        if let Some(removed) = schedule.hit_after(misses) {
            units.drain(removed);
        }
    }
    Ok(())
}

/// Removes all units of one class together, the largest class first: noise is often of one kind
/// (comments, white space, one sort of command). `class_of` names the class of a unit; units without
/// one are left alone. `build` makes a candidate of the units that are kept.
pub(super) fn remove_classes<T: Clone, K: Eq + Hash + Ord>(
    search: &mut PassContext,
    mut units: Vec<T>,
    class_of: impl Fn(&T) -> Option<K>,
    build: impl Fn(&Inputs, Vec<T>) -> Inputs,
) -> Result<()> {
    for class in classes(&units, &class_of) {
        let stays = |unit: &&T| class_of(unit).as_ref() != Some(&class);
        let kept: Vec<T> = units.iter().filter(stays).cloned().collect();
        let candidate = build(search.best(), kept.clone());
        if search.consider(candidate)? {
            units = kept;
        }
    }
    Ok(())
}

/// The most frequent classes with at least two units, the largest first.
fn classes<T, K: Eq + Hash + Ord>(units: &[T], class_of: impl Fn(&T) -> Option<K>) -> Vec<K> {
    const MOST: usize = 16;
    let mut counts: HashMap<K, usize> = HashMap::new();
    for class in units.iter().filter_map(class_of) {
        *counts.entry(class).or_default() += 1;
    }
    let mut classes: Vec<(K, usize)> =
        counts.into_iter().filter(|&(_, count)| count > 1 && count < units.len()).collect();
    classes.sort_by(|(left, l), (right, r)| r.cmp(l).then_with(|| left.cmp(right)));
    classes.into_iter().take(MOST).map(|(class, _)| class).collect()
}

/// The units outside of a range.
pub(super) fn without<T: Clone>(units: &[T], removed: Range<usize>) -> Vec<T> {
    crate::reduce::dd::without(units, &[removed])
}
