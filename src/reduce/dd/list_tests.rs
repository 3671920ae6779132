//! Every schedule against brute force, and the counts of the one we use.

use std::ops::Range;
use std::slice;

use proptest::prelude::*;

use super::{Adaptive, Ddmin, Levels, ProbDd, Schedule, shrink_list_by, without};
use crate::reduce::{Candidate, Counts, FromFn, Memory, Oracle, OracleError, Outcome, Problem};

#[derive(Debug, Clone, Hash, PartialEq, Eq)]
struct Places(Vec<usize>);

impl Candidate for Places {
    type Key = usize;

    fn key(&self) -> usize {
        self.0.len()
    }
}

/// Says `Fail` where the closure says true, and asks to be handed `batch` candidates at once.
struct Batched<F> {
    fails: F,
    batch: usize,
    order: Vec<Vec<usize>>,
}

impl<F: FnMut(&[usize]) -> bool> Oracle<Places> for Batched<F> {
    fn ask(&mut self, candidate: &Places) -> Result<Outcome, OracleError> {
        self.order.push(candidate.0.clone());
        Ok(if (self.fails)(&candidate.0) {
            Outcome::Fail
        } else {
            Outcome::Pass
        })
    }

    fn batch(&self) -> usize {
        self.batch
    }
}

fn shrink(len: usize, fails: impl FnMut(&[usize]) -> bool) -> (Vec<usize>, Counts) {
    let (places, counts, _) = shrink_by(Adaptive::new(len), len, 1, fails);
    (places, counts)
}

/// What is left, what it cost, and the candidates in order.
fn shrink_by(
    schedule: impl Schedule,
    len: usize,
    batch: usize,
    fails: impl FnMut(&[usize]) -> bool,
) -> (Vec<usize>, Counts, Vec<Vec<usize>>) {
    let mut oracle = Batched {
        fails,
        batch,
        order: Vec::new(),
    };
    let mut problem = Problem::new(Places((0..len).collect()), &mut oracle, Memory::Forget);
    let remove = |places: &Places, removed: &[Range<usize>]| Places(without(&places.0, removed));
    let changed = shrink_list_by(&mut problem, schedule, remove).expect("nothing stops the search");
    let counts = problem.counts();
    assert_eq!(changed, counts.accepted > 0);
    (problem.into_best().0, counts, oracle.order)
}

/// Weights from 0 to 59, most of them light.
fn varied(len: usize) -> Vec<usize> {
    (0..len)
        .map(|place| (place * 7919 % 60).pow(3) / 3600)
        .collect()
}

/// What each schedule leaves.
fn shrink_by_all(
    len: usize,
    fails: impl Fn(&[usize]) -> bool + Copy,
) -> [(&'static str, Vec<usize>); 8] {
    [
        ("adaptive", shrink_by(Adaptive::new(len), len, 1, fails).0),
        (
            "weighted",
            shrink_by(Adaptive::weighted(varied(len)), len, 1, fails).0,
        ),
        ("ddmin", shrink_by(Ddmin::new(len), len, 1, fails).0),
        ("halving", shrink_by(Levels::halving(len), len, 1, fails).0),
        (
            "counting",
            shrink_by(Levels::counting(len, 0.1), len, 1, fails).0,
        ),
        (
            "counting from rare",
            shrink_by(Levels::counting(len, 0.01), len, 1, fails).0,
        ),
        ("ProbDD", shrink_by(ProbDd::new(len, 0.1), len, 1, fails).0),
        (
            "ProbDD from frequent",
            shrink_by(ProbDd::new(len, 0.4), len, 1, fails).0,
        ),
    ]
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
        for (schedule, places) in shrink_by_all(4, fails) {
            assert!(
                fails(&places),
                "{schedule} lost the failure of {table:b} at {places:?}"
            );
            assert!(
                is_one_minimal(&places, fails),
                "{schedule} left {places:?} of {table:b}"
            );
        }
    }
}

#[test]
fn needed_elements_are_found_exactly() {
    for needed in 0..1u32 << 9 {
        let expected: Vec<usize> = (0..9).filter(|place| needed >> place & 1 == 1).collect();
        let fails = |places: &[usize]| expected.iter().all(|place| places.contains(place));
        for (schedule, places) in shrink_by_all(9, fails) {
            assert_eq!(places, expected, "{schedule}");
        }
    }
}

#[test]
fn ddmin_tries_the_candidates_that_its_author_published() {
    let input: Vec<char> = r#"V"/+!aF-(V4EOz*+s/Q,7)2@0_"#.chars().collect();
    let text = |places: &[usize]| places.iter().map(|place| input[*place]).collect::<String>();
    let mystery = |places: &[usize]| {
        let text = text(places);
        text.find('(')
            .zip(text.find(')'))
            .is_some_and(|(open, close)| open < close)
    };
    let (_, _, order) = shrink_by(Ddmin::new(26), 26, 1, mystery);
    let tried: Vec<String> = order.iter().map(|places| text(places)).collect();
    let published = [
        "z*+s/Q,7)2@0_",
        r#"V"/+!aF-(V4EO"#,
        "F-(V4EOz*+s/Q,7)2@0_",
        "Oz*+s/Q,7)2@0_",
        "F-(V4EQ,7)2@0_",
        ",7)2@0_",
        "F-(V4EQ",
        "V4EQ,7)2@0_",
        "F-(Q,7)2@0_",
        "Q,7)2@0_",
        "F-()2@0_",
        "2@0_",
        "F-()",
        "()",
        ")",
        "(",
    ];
    assert_eq!(tried, published);
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
        !places.is_empty()
            && places
                .iter()
                .rev()
                .enumerate()
                .all(|(at, place)| at + place == 499)
    });
    assert_eq!(places, [499]);
    assert!(counts.candidates < 500 + 50, "{counts:?}");
}

#[test]
fn weights_of_one_change_nothing() {
    let fails = |places: &[usize]| {
        [3, 500, 501, 900]
            .iter()
            .all(|place| places.contains(place))
    };
    let weighted = shrink_by(Adaptive::weighted(vec![1; 1_000]), 1_000, 1, fails);
    assert_eq!(weighted, shrink_by(Adaptive::new(1_000), 1_000, 1, fails));
}

#[test]
fn weights_save_candidates_where_heavy_elements_are_needed() {
    let weights = varied(1_000);
    let (mut with, mut without) = (0, 0);
    for trigger in (0..weights.iter().sum()).step_by(97) {
        let needed = weights
            .iter()
            .scan(0, |sum, weight| {
                *sum += weight;
                Some(*sum)
            })
            .position(|sum: usize| sum > trigger)
            .expect("it is below the sum");
        let fails = |places: &[usize]| places.binary_search(&needed).is_ok();
        with += shrink_by(Adaptive::weighted(weights.clone()), 1_000, 1, fails)
            .1
            .candidates;
        without += shrink_by(Adaptive::new(1_000), 1_000, 1, fails)
            .1
            .candidates;
    }
    assert!(with * 100 < without * 95, "{with} {without}");
}

proptest! {
    #[test]
    fn every_failure_of_six_elements_ends_one_minimal(table in any::<u64>()) {
        let fails = from_table(table | 1 << 63);
        for (schedule, places) in shrink_by_all(6, fails) {
            prop_assert!(fails(&places), "{}", schedule);
            prop_assert!(is_one_minimal(&places, fails), "{}", schedule);
        }
    }

    #[test]
    fn batches_change_neither_the_candidates_nor_the_result(table in any::<u64>(), batch in 2..9usize) {
        let fails = from_table(table | 1 << 63);
        let by = |batch| {
            (
                shrink_by(Adaptive::new(6), 6, batch, fails),
                shrink_by(Levels::halving(6), 6, batch, fails),
                shrink_by(ProbDd::new(6, 0.1), 6, batch, fails),
            )
        };
        prop_assert_eq!(by(1), by(batch));
    }

    #[test]
    fn scattered_needs_cost_no_more_than_group_testing_allows(
        needed in prop::collection::btree_set(0..4096usize, 1..60),
    ) {
        let (places, counts) =
            shrink(4096, |places| needed.iter().all(|at| places.binary_search(at).is_ok()));
        prop_assert!(places.iter().eq(&needed));
        let k = u64::try_from(needed.len()).expect("a small number");
        let bound = k * u64::from((4096 / k).ilog2() + 5) + 14;
        prop_assert!(counts.candidates < bound, "{} > {bound}", counts.candidates);
    }
}

#[test]
fn outcomes_that_do_not_fail_never_count_as_failing() {
    let mut oracle = FromFn(|places: &Places| match places.0.len() {
        0..=2 => Outcome::Pass,
        3..=5 => Outcome::Unresolved,
        6..=7 => Outcome::Timeout,
        _ => Outcome::Fail,
    });
    let mut problem = Problem::new(Places((0..20).collect()), &mut oracle, Memory::Remember);
    let remove = |places: &Places, removed: &[Range<usize>]| Places(without(&places.0, removed));
    shrink_list_by(&mut problem, Adaptive::new(20), remove).expect("nothing stops the search");
    assert_eq!(problem.best().0.len(), 8);
}
