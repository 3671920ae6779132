//! Which runs that pass are nearest to the one that fails, and so say most about it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::probe::runs::{EndedRun, FailedRun};
use crate::reduce::inputs::{Neighbour, NodeId};

/// So many of those in which the same places run (the nearest, the farthest, and so on: what all of them yield could stand for
/// what computes it), and those that miss up to so many times as many places of the failing
/// run as the nearest one; others only as far as these are fewer than so many.
const MOST_ALIKE: usize = 3;
const NEAR: usize = 3;
/// So many that just do not come to the place of the failure are among the first, the nearest and the farthest of them: one
/// of them may get by for a reason of its own.
const GUARDS: usize = 2;
pub(super) const FEWEST: usize = 3;
/// So many that come to the place of the failure though they miss more are among them: each lacks another element of the
/// inputs that fail, and so says what that element does.
const LACKING: usize = 6;
/// So many that run what runs in the failing one are among them, where no other does: else that would be code of the failing
/// run alone, and any other would do in its place.
const COVERING: usize = 4;
/// So many of those that fail are enough, if nothing runs in them that does not run in the one that is reduced.
const FEWEST_FAILING: usize = 2;

/// A run that passes, and what is known of it.
#[derive(Debug, Clone)]
pub(super) struct TracedRun {
    pub(super) ended: EndedRun,
    /// Which places run in it, if that is known.
    pub(super) trace: Option<Vec<bool>>,
    /// The element of the failing inputs that it lacks, if it has not all of them: of which input, and its place there.
    pub(super) lacks: Option<(NodeId, usize)>,
}

/// Runs in the order of their distance from the failing one.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Ranked {
    pub(super) runs: Vec<usize>,
    /// So many of them are near.
    pub(super) near: usize,
    /// Whether in all of them the same places run, fewer than in the failing run, so that they say the same.
    pub(super) are_alike: bool,
    /// Whether a place runs in the failing run that, as far as is known, none of them comes to.
    pub(super) all_miss: bool,
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
    lacks: Option<(NodeId, usize)>,
}

impl Ranked {
    /// Runs of which no trace is known, those first that come nearest to the place of the failure.
    pub(super) fn without_traces(mut ended: Vec<EndedRun>) -> Self {
        ended.sort_by_key(level);
        let runs = ended.iter().map(|ended| ended.run).collect();
        Ranked { near: ended.len(), runs, are_alike: false, all_miss: false }
    }
}

fn level(ended: &EndedRun) -> usize {
    ended.level.unwrap_or(usize::MAX)
}

/// Runs in the order of how near to the place of the failure they come, then of how much they miss of what runs in the
/// failing one: those that part from it early would only keep code that has nothing to do with the failure. Of those
/// with the same trace a few are enough; those that tell of none come only where there are no others. Some that do not come
/// to the place of the failure, but to the statement around it, are among the first where others come to the place, and so are
/// some that come there without an element of the failing inputs, and some that run what the others miss.
pub(super) fn by_distance(failing: &[bool], runs: impl Iterator<Item = TracedRun>) -> Ranked {
    let mut alike: BTreeMap<Vec<bool>, Vec<TracedRun>> = BTreeMap::new();
    let mut untold = Vec::new();
    for mut run in runs {
        match run.trace.take() {
            Some(trace) => alike.entry(trace).or_default().push(run),
            None => untold.push(run.ended),
        }
    }
    let is_missed = |place: usize| !alike.keys().any(|trace| trace.get(place) == Some(&true));
    let all_miss = failing.iter().enumerate().any(|(place, ran)| *ran && is_missed(place));
    let mut ranked: Vec<Distance> = Vec::new();
    for (trace, runs) in &alike {
        let count = |ran: bool| {
            let places = trace.iter().zip(failing);
            places.filter(|(one, other)| one != other && **one == ran).count()
        };
        let (missed, more) = (count(false), count(true));
        let runs = from_both_ends(runs.iter().collect()).into_iter().enumerate();
        ranked.extend(runs.map(|(alike, TracedRun { ended, lacks, .. })| Distance {
            level: level(ended),
            missed,
            alike,
            more,
            run: ended.run,
            lacks: *lacks,
        }));
    }
    ranked.sort_unstable();
    let all = ranked.clone();
    ranked.retain(|it| it.alike < MOST_ALIKE);
    let Some(nearest) = ranked.first().copied() else {
        return Ranked::without_traces(untold);
    };
    let is_near =
        |it: &Distance| it.level == nearest.level && it.missed <= NEAR * (nearest.missed + 1);
    let near = ranked.partition_point(is_near);
    let mut guards = guards(&ranked, nearest.level).into_iter();
    let lacking = lacking(&all, nearest.level, &ranked[..near]);
    ranked.truncate(near.max(FEWEST));
    // The first guard is shown, too.
    let new = guards.next().into_iter().chain(lacking).chain(guards);
    let new = new.filter(|it| !ranked.contains(it));
    let new: Vec<Distance> = new.collect();
    let place = ranked.len().min(FEWEST - 1);
    ranked.splice(place..place, new);
    // Those that are shown are all that is left for the last steps.
    let shown = ranked.len().min(FEWEST);
    let trace_of_run = alike
        .iter()
        .flat_map(|(trace, runs)| runs.iter().map(move |run| (run.ended.run, &trace[..])))
        .collect();
    let covering = covering(failing, &trace_of_run, &ranked[..shown], &all);
    ranked.retain(|it| !covering.contains(it));
    let second = ranked.len().min(1);
    ranked.splice(second..second, covering);
    let are_alike = nearest.missed > 0 && ranked.iter().filter(|it| it.alike == 0).count() < 2;
    Ranked { runs: ranked.into_iter().map(|it| it.run).collect(), near, are_alike, all_miss }
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

/// Those that come as near to the place of the failure as the nearest one, and lack an element that none of `near` lacks.
fn lacking(ranked: &[Distance], level: usize, near: &[Distance]) -> Vec<Distance> {
    if level == usize::MAX {
        return Vec::new();
    }
    let mut lacked: BTreeSet<(NodeId, usize)> = near.iter().filter_map(|it| it.lacks).collect();
    let alike = ranked.iter().filter(|it| it.level == level);
    let new = alike.filter(|it| it.lacks.is_some_and(|element| lacked.insert(element)));
    new.copied().take(LACKING).collect()
}

/// The nearest runs in which places run that run in the failing one, and in none of those that are `chosen`. Those that come to
/// no place around the failure are among them only if one of the chosen does not either.
fn covering(
    failing: &[bool],
    trace_of_run: &BTreeMap<usize, &[bool]>,
    chosen: &[Distance],
    all: &[Distance],
) -> Vec<Distance> {
    let mut missed: Vec<bool> = failing.to_vec();
    let mut covers_more = |it: &Distance| {
        let mut is_new = false;
        for (missed, ran) in missed.iter_mut().zip(trace_of_run[&it.run]) {
            is_new |= *missed && *ran;
            *missed &= !ran;
        }
        is_new
    };
    for it in chosen {
        covers_more(it);
    }
    let farthest = chosen.iter().map(|it| it.level).max();
    let near = all.iter().filter(|it| it.level < usize::MAX || farthest == Some(it.level));
    near.filter(|it| covers_more(it)).copied().take(COVERING).collect()
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

/// Runs that fail alike, by what runs in them and in the one that is reduced: only those in which nothing else runs, if these
/// are enough, since others would keep code that has nothing to do with the failure.
pub(super) fn direct_first(
    failing: &[bool],
    runs: Vec<(FailedRun, Option<Vec<bool>>)>,
) -> Vec<usize> {
    let is_direct = |trace: &Vec<bool>| trace.iter().zip(failing).all(|(it, own)| *own || !it);
    let (direct, others): (Vec<_>, Vec<_>) =
        runs.into_iter().partition(|(_, trace)| trace.as_ref().is_some_and(is_direct));
    let others = Some(others).filter(|_| direct.len() < FEWEST_FAILING);
    let [direct, others] = [direct, others.unwrap_or_default()]
        .map(|runs| different_first(runs.into_iter().map(|(run, _)| run).collect()));
    [direct, others].concat()
}

/// Runs that fail alike, those first whose messages differ: what is the same in all of them could stand for what
/// computes it.
pub(super) fn different_first(failing: Vec<FailedRun>) -> Vec<usize> {
    let mut seen = BTreeSet::new();
    let (new, others): (Vec<FailedRun>, Vec<FailedRun>) =
        failing.into_iter().partition(|failed| seen.insert(failed.message));
    new.into_iter().chain(others).map(|failed| failed.run).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(run: usize, level: Option<usize>, trace: Option<Vec<bool>>) -> TracedRun {
        TracedRun { ended: EndedRun { run, level }, trace, lacks: None }
    }

    #[test]
    fn runs_that_get_as_far_as_the_failing_one_come_first_and_those_that_do_not_are_left_out() {
        let failing = [true; 6];
        let without = |places: usize| Some((0..6).map(|place| place >= places).collect());
        let runs = [
            at(1, Some(0), without(6)),
            at(2, Some(0), without(1)),
            at(3, Some(0), without(1)),
            at(4, Some(0), without(0)),
            at(5, Some(0), None),
            at(6, Some(0), without(1)),
            at(7, Some(0), without(3)),
        ];
        let ranked = by_distance(&failing, runs.into_iter());
        assert_eq!((&ranked.runs[..], ranked.near), (&[4, 2, 6, 3, 7][..], 5));
        assert!(!ranked.are_alike && !ranked.all_miss);
        let alike = [at(1, Some(0), without(1)), at(2, Some(0), without(1))];
        assert!(by_distance(&failing, alike.into_iter()).are_alike);
        let untold = [at(1, Some(0), None), at(2, Some(0), None)];
        let ranked = by_distance(&failing, untold.into_iter());
        assert_eq!((&ranked.runs[..], ranked.near), (&[1, 2][..], 2));
        let far = [
            at(1, Some(0), without(6)),
            at(2, Some(0), without(0)),
            at(3, Some(0), without(5)),
            at(4, Some(0), without(5)),
        ];
        let ranked = by_distance(&failing, far.into_iter());
        assert_eq!((&ranked.runs[..], ranked.near), (&[2, 3, 4][..], 1));
    }

    #[test]
    fn places_of_the_failing_run_to_which_no_other_comes_are_told() {
        let failing = [true, true, true, false];
        let misses = |traces: [[bool; 4]; 2]| {
            let runs = traces.into_iter().zip(1..);
            let runs = runs.map(|(trace, run)| at(run, Some(0), Some(trace.to_vec())));
            by_distance(&failing, runs).all_miss
        };
        assert!(misses([[true, true, false, false], [true, false, false, true]]));
        assert!(!misses([[true, true, false, false], [false, false, true, false]]));
    }

    #[test]
    fn runs_that_come_nearer_to_the_place_of_the_failure_come_first_whatever_else_they_miss() {
        let failing = [true; 4];
        let without = |places: usize| Some((0..4).map(|place| place >= places).collect());
        let runs = [
            at(1, None, without(0)),
            at(2, Some(1), without(1)),
            at(3, Some(0), without(3)),
            at(4, Some(0), without(2)),
        ];
        let ranked = by_distance(&failing, runs.into_iter());
        assert_eq!((&ranked.runs[..], ranked.near), (&[4, 3, 2][..], 2));
        let untold = [None, Some(1)].into_iter().zip(1..);
        let untold = untold.map(|(level, run)| EndedRun { run, level }).collect();
        assert_eq!(Ranked::without_traces(untold).runs, [2, 1]);
    }

    #[test]
    fn what_the_nearest_runs_miss_runs_in_the_second_one_if_it_runs_in_any() {
        let failing = [true; 6];
        let without = |places: &[usize]| Some((0..6).map(|it| !places.contains(&it)).collect());
        let runs = [
            at(1, Some(0), without(&[0, 5])),
            at(2, Some(0), without(&[0, 4])),
            at(3, Some(0), without(&[0, 3])),
            at(4, Some(0), without(&[1, 2, 3, 4])),
        ];
        let ranked = by_distance(&failing, runs.clone().into_iter());
        assert_eq!(ranked.runs, [1, 4, 2, 3]);
        // One that comes nowhere near the failure is not worth what it keeps.
        let mut runs = runs;
        runs[3].ended.level = None;
        assert_eq!(by_distance(&failing, runs.into_iter()).runs, [1, 2, 3]);
    }

    #[test]
    fn runs_that_just_do_not_come_to_the_place_of_the_failure_are_among_the_first() {
        let failing = [true; 4];
        let at = |run, level, places: usize| {
            at(run, level, Some((0..4).map(|place| place >= places).collect()))
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

    #[test]
    fn runs_that_come_to_the_place_of_the_failure_without_another_element_are_among_the_first() {
        let failing = [true; 20];
        let lacking = |run, level, missed: usize, place| TracedRun {
            lacks: Some((NodeId(3), place)),
            ..at(run, Some(level), Some((0..20).map(|it| it >= missed).collect()))
        };
        let all = [
            lacking(1, 0, 0, 6),
            lacking(2, 0, 1, 5),
            lacking(3, 0, 2, 6),
            lacking(4, 0, 3, 6),
            lacking(5, 0, 14, 0),
            lacking(6, 0, 15, 1),
            lacking(7, 0, 16, 0),
            lacking(8, 1, 9, 2),
        ];
        let ranked = by_distance(&failing, all.into_iter());
        // The eighth does not come there, the seventh lacks what the fifth lacks.
        assert_eq!((&ranked.runs[..], ranked.near), (&[1, 2, 8, 5, 6, 3, 4][..], 4));
    }

    #[test]
    fn of_runs_that_fail_alike_those_with_another_message_come_first() {
        let failing = [7, 7, 9, 7, 8].into_iter().zip(1..);
        let failing = failing.map(|(message, run)| FailedRun { run, message });
        assert_eq!(different_first(failing.collect()), [1, 3, 5, 2, 4]);
    }

    #[test]
    fn runs_that_fail_in_a_roundabout_way_are_left_out_if_others_are_enough() {
        let failed = |run: usize, trace| (FailedRun { run, message: run }, trace);
        let direct = |run| failed(run, Some(vec![true, false, false]));
        let roundabout = |run| failed(run, Some(vec![true, true, true]));
        let first = |runs| direct_first(&[true, true, false], runs);
        assert_eq!(first(vec![roundabout(1), direct(2), failed(3, None), direct(4)]), [2, 4]);
        assert_eq!(first(vec![roundabout(1), direct(2), failed(3, None)]), [2, 1, 3]);
    }
}
