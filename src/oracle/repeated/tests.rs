//! Searches for what a simulated flaky test needs.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::oracle::flaky::{FlakyError, Tally};
use crate::reduce::{FromFn, Memory, Problem, Stop};

const SEEDS: u64 = 200;
/// The stated risk of a wrong result, in results of all seeds.
const MOST_WRONG: u64 = SEEDS / 100;
/// What the failure needs, of all elements.
const NEEDED: [u32; 2] = [3, 17];
/// Without this element it comes much less often.
const OFTEN: u32 = 9;
const ELEMENTS: u32 = 24;

/// How often a list fails: with what it needs at `rate`, and at a tenth of it without what makes it frequent.
fn rate_of(list: &[u32], rate: f64) -> f64 {
    if !NEEDED.iter().all(|needed| list.contains(needed)) {
        return 0.0;
    }
    if list.contains(&OFTEN) { rate } else { rate / 10.0 }
}

/// Removes one element after the other until none can go.
fn reduce(from: &[u32], oracle: &mut dyn Oracle<Vec<u32>>) -> Result<Vec<u32>, Stop> {
    let mut problem = Problem::new(from.to_vec(), oracle, Memory::Forget);
    loop {
        let before = problem.best().len();
        for element in from.iter().rev() {
            let rest = problem.best().iter().filter(|it| *it != element);
            problem.consider(rest.copied().collect())?;
        }
        if problem.best().len() == before {
            return Ok(problem.into_best());
        }
    }
}

/// How a job ends.
#[derive(Debug, PartialEq, Eq)]
enum End {
    /// With a list that fails often enough, of which no element can go.
    Right,
    /// With one that fails too seldom, or of which an element can go.
    Wrong,
    /// Without a result.
    Refused,
}

/// A whole job: ten runs, a plan, searches, and the last look.
fn job(rate: f64, seed: u64) -> End {
    let mut random = StdRng::seed_from_u64(seed);
    let original: Vec<u32> = (0..ELEMENTS).collect();
    let mut runs = |list: &Vec<u32>| Outcome::fail_if(random.random_bool(rate_of(list, rate)));
    let mut tally = Tally::default();
    for _ in 0..10 {
        tally.add(runs(&original).is_fail());
    }
    let plan = match Plan::new(tally, None, 200) {
        Ok(plan) => plan,
        Err(FlakyError::Passing { .. }) => return End::Refused,
        Err(error) => panic!("{rate}, {seed}: {error}"),
    };
    let oracle = std::cell::RefCell::new(RepeatedOracle::new(FromFn(runs), plan));
    let found = proven(
        |_| reduce(&original, &mut *oracle.borrow_mut()),
        |found| Ok(oracle.borrow_mut().holds(found)?),
    );
    match found.expect("asked") {
        None => End::Refused,
        Some(found) if is_right(&found, rate, plan.min_rate()) => End::Right,
        Some(_) => End::Wrong,
    }
}

/// Between the lowest rate and a third of it either answer is right.
fn is_right(found: &[u32], rate: f64, min_rate: f64) -> bool {
    let fails_often_enough = |list: &Vec<u32>| rate_of(list, rate) >= min_rate;
    let without = |element: &u32| {
        let rest = found.iter().filter(|it| *it != element);
        rest.copied().collect()
    };
    let can_lose_one = found.iter().any(|it| fails_often_enough(&without(it)));
    rate_of(found, rate) > min_rate / 3.0 && !can_lose_one
}

#[test]
fn results_of_flaky_tests_are_wrong_no_more_often_than_is_stated() {
    for (rate, most_refused) in [(0.9, 0), (0.5, MOST_WRONG), (0.2, SEEDS / 8)] {
        let ends: Vec<End> = (0..SEEDS).map(|seed| job(rate, seed)).collect();
        let count = |end: End| ends.iter().filter(|it| **it == end).count() as u64;
        let (wrong, refused) = (count(End::Wrong), count(End::Refused));
        assert!(wrong <= MOST_WRONG, "{rate}: {wrong} wrong");
        assert!(refused <= most_refused, "{rate}: {refused} refused");
    }
}

#[test]
fn a_candidate_that_fails_every_third_time_is_taken_and_one_that_hardly_fails_is_not() {
    let half = Tally { runs: 10, failures: 5 };
    let plan = Plan::new(half, None, 100).expect("a plan");
    let mut turn = 0;
    let every = |n: u32, turn: &mut u32| {
        *turn += 1;
        Outcome::fail_if(turn.is_multiple_of(n))
    };
    let mut oracle = RepeatedOracle::new(FromFn(|n: &u32| every(*n, &mut turn)), plan);
    assert_eq!(oracle.ask(&3).expect("asked"), Outcome::Fail);
    assert_eq!(oracle.ask(&60).expect("asked"), Outcome::Pass);
    assert!(oracle.holds(&3).expect("asked"));
    assert!(!oracle.holds(&60).expect("asked"));
}

#[test]
fn a_result_that_does_not_hold_is_searched_for_again() {
    let found = proven(Ok::<_, ()>, |found| Ok(*found == 1));
    assert_eq!(found, Ok(Some(1)));
    assert_eq!(proven(Ok::<_, ()>, |_| Ok(false)), Ok(None));
}
