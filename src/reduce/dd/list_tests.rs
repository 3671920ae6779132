//! The pass against brute force, and its counts.

use std::ops::Range;
use std::slice;

use proptest::prelude::*;

use super::{shrink_list, without};
use crate::reduce::{Answer, Counts, FromFn, Memory, Oracle, Outcome, Problem};

/// Says `Fail` where the closure says true, and asks to be handed `batch` candidates at once.
struct Batched<F> {
    fails: F,
    batch: usize,
}

impl<F: FnMut(&[usize]) -> bool> Oracle<Vec<usize>> for Batched<F> {
    fn ask(&mut self, candidate: &Vec<usize>) -> Answer<Outcome> {
        Ok(Outcome::fail_if((self.fails)(candidate)))
    }

    fn batch(&self) -> usize {
        self.batch
    }
}

fn shrink(len: usize, fails: impl FnMut(&[usize]) -> bool) -> (Vec<usize>, Counts) {
    shrink_in(1, len, fails)
}

/// What is left, and what it cost, where `batch` candidates are asked for at once.
fn shrink_in(
    batch: usize,
    len: usize,
    fails: impl FnMut(&[usize]) -> bool,
) -> (Vec<usize>, Counts) {
    let mut oracle = Batched { fails, batch };
    let mut problem = Problem::new((0..len).collect(), &mut oracle, Memory::Forget);
    let remove = |places: &Vec<usize>, removed: &[Range<usize>]| without(places, removed);
    let changed = shrink_list(&mut problem, Vec::len, remove).expect("nothing stops the search");
    let counts = problem.counts();
    assert_eq!(changed, counts.accepted > 0);
    (problem.into_best(), counts)
}

fn is_one_minimal(places: &[usize], mut fails: impl FnMut(&[usize]) -> bool) -> bool {
    (0..places.len()).all(|place| !fails(&without(places, slice::from_ref(&(place..place + 1)))))
}

/// The failure is the set of all kept subsets whose bit is set in `table` (of 2^n bits).
fn from_table(table: u64) -> impl Fn(&[usize]) -> bool + Copy {
    move |places| table >> places.iter().fold(0, |mask, place| mask | 1 << place) & 1 == 1
}

#[test]
fn every_failure_of_four_elements_ends_one_minimal() {
    for table in (0..1u64 << 16).filter(|table| table >> 15 == 1) {
        let fails = from_table(table);
        let (places, _) = shrink(4, fails);
        assert!(fails(&places), "{table:b} is lost at {places:?}");
        assert!(is_one_minimal(&places, fails), "{places:?} of {table:b}");
    }
}

#[test]
fn needed_elements_are_found_exactly() {
    for needed in 0..1u32 << 9 {
        let expected: Vec<usize> = (0..9).filter(|place| needed >> place & 1 == 1).collect();
        let fails = |places: &[usize]| expected.iter().all(|place| places.contains(place));
        assert_eq!(shrink(9, fails).0, expected);
    }
}

#[test]
fn pairs_are_not_left_for_the_rest_of_the_list_once_one_was_split() {
    let (places, counts) = shrink(1_000, |places| {
        let both_or_none = |pair: &[usize]| pair.len() == 2 && pair[0].is_multiple_of(2);
        places.contains(&370) && places.chunk_by(|a, b| a / 2 == b / 2).all(both_or_none)
    });
    assert!(places.len() <= 10, "{places:?}");
    assert!(counts.candidates < 100, "{counts:?}");
}

#[test]
fn nothing_needed_takes_one_candidate() {
    let (places, counts) = shrink(1_000, |_| true);
    assert!(places.is_empty());
    assert_eq!(counts.candidates, 1);
}

#[test]
fn an_empty_list_takes_none() {
    assert_eq!(shrink(0, |_| true).1, Counts::default());
}

#[test]
fn all_needed_takes_each_alone_and_a_search_for_the_first() {
    let (places, counts) = shrink(1_000, |places| places.len() == 1_000);
    assert_eq!(places.len(), 1_000);
    assert!(counts.candidates <= 1_000 + 20, "{counts:?}");
}

#[test]
fn one_needed_among_many_takes_a_logarithm() {
    for needed in [0, 1, 12_345, 54_321, 99_999] {
        let (places, counts) = shrink(100_000, |places| places.binary_search(&needed).is_ok());
        assert_eq!(places, [needed]);
        assert!(counts.candidates <= 2 * 17 + 5, "{needed}: {counts:?}");
    }
}

#[test]
fn a_chain_in_which_later_elements_need_earlier_ones_goes_in_one_sweep() {
    let (places, counts) = shrink(500, |places| {
        !places.is_empty() && places.iter().enumerate().all(|(at, place)| at == *place)
    });
    assert_eq!(places, [0]);
    assert!(counts.candidates < 30, "{counts:?}");
}

#[test]
fn a_chain_in_which_earlier_elements_need_later_ones_goes_in_two_sweeps() {
    let (places, counts) = shrink(500, |places| {
        !places.is_empty() && places.iter().rev().enumerate().all(|(at, place)| at + place == 499)
    });
    assert_eq!(places, [499]);
    assert!(counts.candidates < 500 + 50, "{counts:?}");
}

proptest! {
    #[test]
    fn every_failure_of_six_elements_ends_one_minimal(table in any::<u64>()) {
        let fails = from_table(table | 1 << 63);
        let (places, _) = shrink(6, fails);
        prop_assert!(fails(&places));
        prop_assert!(is_one_minimal(&places, fails));
    }

    #[test]
    fn batches_change_neither_the_candidates_nor_the_result(table in any::<u64>(), batch in 2..9usize) {
        let fails = from_table(table | 1 << 63);
        prop_assert_eq!(shrink_in(1, 6, fails), shrink_in(batch, 6, fails));
    }

    #[test]
    fn scattered_needs_cost_no_more_than_group_testing_allows(
        needed in prop::collection::btree_set(0..4096usize, 1..60),
    ) {
        let (places, counts) =
            shrink(4096, |places| needed.iter().all(|at| places.binary_search(at).is_ok()));
        prop_assert!(places.iter().eq(&needed));
        // Which of n elements the k needed ones are takes k·log2(n/k) answers to say; of 60,000
        // lists at random the worst took 4·k + 14 more than that for k above 30, 5·k + 14 below.
        let k = f64::from(u32::try_from(needed.len()).expect("a small number"));
        let bound = k * ((4096.0 / k).log2() + 6.0) + 14.0;
        let candidates = f64::from(u32::try_from(counts.candidates).expect("a small number"));
        prop_assert!(candidates < bound, "{candidates} of at most {bound}");
    }
}

#[test]
fn outcomes_that_do_not_fail_never_count_as_failing() {
    let mut oracle = FromFn(|places: &Vec<usize>| match places.len() {
        0..=2 => Outcome::Pass,
        3..=5 => Outcome::Unresolved,
        6..=7 => Outcome::Timeout,
        _ => Outcome::Fail,
    });
    let mut problem = Problem::new((0..20).collect(), &mut oracle, Memory::Remember);
    let remove = |places: &Vec<usize>, removed: &[Range<usize>]| without(places, removed);
    shrink_list(&mut problem, Vec::len, remove).expect("nothing stops the search");
    assert_eq!(problem.best().len(), 8);
}
