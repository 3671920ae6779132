//! Which runs that pass are nearest to the one that fails, and so say most about it.

use std::collections::{BTreeMap, VecDeque};

use crate::probe::runs::EndedRun;
use crate::reduce::inputs::Neighbour;

/// So many of those in which the same places run (the nearest, the farthest, and so on: what all of them yield could stand for
/// what computes it), and those that miss up to so many times as many places of the failing
/// run as the nearest one; others only as far as these are fewer than so many.
const MOST_ALIKE: usize = 3;
const NEAR: usize = 3;
/// So many that just do not come to the place of the failure are among the first, the nearest and the farthest of them: one
/// of them may get by for a reason of its own.
const GUARDS: usize = 2;
pub(super) const FEWEST: usize = 3;

/// Runs in the order of their distance from the failing one.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Ranked {
    pub(super) runs: Vec<usize>,
    /// So many of them are near.
    pub(super) near: usize,
    /// Whether in all of them the same places run, so that they say the same.
    pub(super) are_alike: bool,
}

/// How far a run is from the failing one, the most telling first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Distance {
    /// How many statements around the place of the failure it has not come to.
    level: usize,
    /// What runs in the failing one, and not in it.
    missed: usize,
    /// So many runs with the same trace are nearer.
    alike: usize,
    /// What runs in it, and not in the failing one: the price of getting that far.
    more: usize,
    run: usize,
}

impl Ranked {
    /// Runs of which no trace is known, those first that come nearest to the place of the failure.
    pub(super) fn without_traces(mut ended: Vec<EndedRun>) -> Self {
        ended.sort_by_key(level);
        let runs = ended.iter().map(|ended| ended.run).collect();
        Ranked { near: ended.len(), runs, are_alike: false }
    }
}

fn level(ended: &EndedRun) -> usize {
    ended.level.unwrap_or(usize::MAX)
}

/// Runs in the order of how near to the place of the failure they come, then of how much they miss of what runs in the
/// failing one: those that part from it early would only keep code that has nothing to do with the failure. Of those
/// with the same trace a few are enough; those that tell of none come only where there are no others. Some that do not come
/// to the place of the failure, but to the statement around it, are among the first where others come to the place.
pub(super) fn by_distance(
    failing: &[bool],
    runs: impl Iterator<Item = (EndedRun, Option<Vec<bool>>)>,
) -> Ranked {
    let mut alike: BTreeMap<Vec<bool>, Vec<EndedRun>> = BTreeMap::new();
    let mut untold = Vec::new();
    for (ended, trace) in runs {
        match trace {
            Some(trace) => alike.entry(trace).or_default().push(ended),
            None => untold.push(ended),
        }
    }
    let mut ranked: Vec<Distance> = Vec::new();
    for (trace, runs) in alike {
        let count = |ran: bool| {
            let places = trace.iter().zip(failing);
            places.filter(|(one, other)| one != other && **one == ran).count()
        };
        let (missed, more) = (count(false), count(true));
        let chosen = from_both_ends(runs).into_iter().take(MOST_ALIKE).enumerate();
        ranked.extend(chosen.map(|(alike, ended)| Distance {
            level: level(&ended),
            missed,
            alike,
            more,
            run: ended.run,
        }));
    }
    ranked.sort_unstable();
    let Some(nearest) = ranked.first().copied() else {
        return Ranked::without_traces(untold);
    };
    let is_near =
        |it: &Distance| it.level == nearest.level && it.missed <= NEAR * (nearest.missed + 1);
    let near = ranked.partition_point(is_near);
    let guards = guards(&ranked, nearest.level);
    ranked.truncate(near.max(FEWEST));
    let new: Vec<Distance> = guards.into_iter().filter(|it| !ranked.contains(it)).collect();
    let place = ranked.len().min(FEWEST - 1);
    ranked.splice(place..place, new);
    let are_alike = ranked.iter().filter(|it| it.alike == 0).count() < 2;
    Ranked { runs: ranked.into_iter().map(|it| it.run).collect(), near, are_alike }
}

/// Those that keep what leads to the place of the failure: they just do not come there, where others do.
fn guards(ranked: &[Distance], nearest: usize) -> Vec<Distance> {
    let past = ranked.partition_point(|it| it.level == nearest);
    let next = ranked.get(past).map(|it| it.level);
    let Some(next) = next.filter(|next| nearest == 0 && *next < usize::MAX) else {
        return Vec::new();
    };
    let guards = ranked[past..].iter().take_while(|it| it.level == next).copied();
    from_both_ends(guards.collect()).into_iter().take(GUARDS).collect()
}

/// The first, the last, the second, the last but one, and so on.
pub(super) fn from_both_ends<T>(all: Vec<T>) -> Vec<T> {
    let mut rest = VecDeque::from(all);
    let mut takes_last = false;
    let mut taken = Vec::with_capacity(rest.len());
    while let Some(next) = if takes_last { rest.pop_back() } else { rest.pop_front() } {
        taken.push(next);
        takes_last = !takes_last;
    }
    taken
}

/// Some of them, as different from each other as can be: one of each kind of difference at each input in turn, at
/// another place each time.
pub(super) fn choose(mut passing: Vec<Neighbour>, most: usize) -> Vec<Neighbour> {
    fn numbered<K: Ord>(passing: &[Neighbour], kind: impl Fn(&Neighbour) -> K) -> Vec<usize> {
        let mut seen: BTreeMap<K, usize> = BTreeMap::new();
        let mut number = |next: &Neighbour| {
            let count = seen.entry(kind(next)).or_default();
            *count += 1;
            *count
        };
        passing.iter().map(&mut number).collect()
    }
    let at_place = numbered(&passing, |next| (next.site, next.difference, next.place));
    let mut at_place = at_place.into_iter();
    passing.sort_by_cached_key(|_| at_place.next());
    let of_kind = numbered(&passing, |next| (next.site, next.difference));
    let mut of_kind = of_kind.into_iter();
    passing.sort_by_cached_key(|next| (of_kind.next(), next.difference));
    passing.truncate(most);
    passing
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(run: usize) -> EndedRun {
        EndedRun { run, level: Some(0) }
    }

    #[test]
    fn runs_that_get_as_far_as_the_failing_one_come_first_and_those_that_do_not_are_left_out() {
        let failing = [true; 6];
        let without = |places: usize| Some((0..6).map(|place| place >= places).collect());
        let runs = [
            (ended(1), without(6)),
            (ended(2), without(1)),
            (ended(3), without(1)),
            (ended(4), without(0)),
            (ended(5), None),
            (ended(6), without(1)),
            (ended(7), without(3)),
        ];
        let ranked = by_distance(&failing, runs.into_iter());
        assert_eq!((&ranked.runs[..], ranked.near), (&[4, 2, 6, 3, 7][..], 5));
        assert!(!ranked.are_alike);
        let alike = [(ended(1), without(1)), (ended(2), without(1))];
        assert!(by_distance(&failing, alike.into_iter()).are_alike);
        let untold = [(ended(1), None), (ended(2), None)];
        let ranked = by_distance(&failing, untold.into_iter());
        assert_eq!((&ranked.runs[..], ranked.near), (&[1, 2][..], 2));
        let far = [
            (ended(1), without(6)),
            (ended(2), without(0)),
            (ended(3), without(5)),
            (ended(4), without(5)),
        ];
        let ranked = by_distance(&failing, far.into_iter());
        assert_eq!((&ranked.runs[..], ranked.near), (&[2, 3, 4][..], 1));
    }

    #[test]
    fn runs_that_come_nearer_to_the_place_of_the_failure_come_first_whatever_else_they_miss() {
        let failing = [true; 4];
        let at = |run, level| EndedRun { run, level };
        let without = |places: usize| Some((0..4).map(|place| place >= places).collect());
        let runs = [
            (at(1, None), without(0)),
            (at(2, Some(1)), without(1)),
            (at(3, Some(0)), without(3)),
            (at(4, Some(0)), without(2)),
        ];
        let ranked = by_distance(&failing, runs.into_iter());
        assert_eq!((&ranked.runs[..], ranked.near), (&[4, 3, 2][..], 2));
        let untold = vec![at(1, None), at(2, Some(1))];
        assert_eq!(Ranked::without_traces(untold).runs, [2, 1]);
    }

    #[test]
    fn runs_that_just_do_not_come_to_the_place_of_the_failure_are_among_the_first() {
        let failing = [true; 4];
        let at = |run, level, places: usize| {
            let trace = (0..4).map(|place| place >= places).collect();
            (EndedRun { run, level }, Some(trace))
        };
        let zero = Some(0);
        let all = [
            at(1, zero, 0),
            at(2, zero, 0),
            at(3, zero, 1),
            at(4, zero, 2),
            at(5, Some(2), 1),
            at(6, Some(1), 3),
            at(7, Some(1), 4),
        ];
        let ranked = by_distance(&failing, all.into_iter());
        assert_eq!((&ranked.runs[..], ranked.near), (&[1, 2, 6, 7, 3, 4][..], 4));
    }
}
