//! How many candidates each schedule needs for the same list: exact, the same on every run.
//!
//! `cargo bench --bench strategies`

#![expect(clippy::print_stdout, reason = "the table is what it is for")]

use std::hash::Hash;

use cargo_reduce::reduce::dd::{
    Adaptive, Ddmin, Levels, ProbDd, Schedule, shrink_list_by, without,
};
use cargo_reduce::reduce::{Candidate, FromFn, Memory, Outcome, Problem, Stop};

/// How many elements the lists have.
const LEN: usize = 1_000;

#[derive(Clone, Hash)]
struct Places(Vec<usize>);

impl Candidate for Places {
    type Key = usize;

    fn key(&self) -> usize {
        self.0.len()
    }
}

/// A list of places as the test sees it.
struct Present {
    count: usize,
    is_present: Vec<bool>,
}

type Fails = fn(&Present) -> bool;

/// The tests: a name, what it stands for, and when it fails.
const TESTS: &[(&str, Fails)] = &[
    ("one trigger", |list| list.all([370])),
    ("first and last", |list| list.all([0, LEN - 1])),
    ("10 scattered", |list| {
        list.all((0..10).map(|place| place * 7919 % LEN))
    }),
    ("100 scattered", |list| {
        list.all((0..100).map(|place| place * 7919 % LEN))
    }),
    ("20 neighbours", |list| list.all(600..620)),
    ("every second", |list| list.all((0..LEN).step_by(2))),
    ("all but 10", |list| {
        list.all((0..LEN).filter(|place| place % 100 != 50))
    }),
    ("any tenth", |list| list.count >= LEN / 10),
    ("pairs of neighbours", |list| {
        list.all([370])
            && (0..LEN)
                .step_by(2)
                .all(|place| list.both_or_none(place, place + 1))
    }),
    ("nested pairs", |list| {
        list.all([370]) && (0..LEN / 2).all(|place| list.both_or_none(place, LEN - 1 - place))
    }),
    ("tree, child needs parent", |list| {
        list.all([900]) && (1..LEN).all(|place| !list.has(place) || list.has((place - 1) / 2))
    }),
    ("tree, parent needs child", |list| {
        list.all([99])
            && (1..LEN)
                .all(|place| !list.has(LEN - 1 - place) || list.has(LEN - 1 - (place - 1) / 2))
    }),
    ("one of three, and a pair", |list| {
        [100, 500, 900].into_iter().any(|place| list.has(place)) && list.all([250, 750])
    }),
];

impl Present {
    fn new(places: &[usize]) -> Self {
        let mut is_present = vec![false; LEN];
        for place in places {
            is_present[*place] = true;
        }
        Present {
            count: places.len(),
            is_present,
        }
    }

    fn has(&self, place: usize) -> bool {
        self.is_present[place]
    }

    fn all(&self, places: impl IntoIterator<Item = usize>) -> bool {
        places.into_iter().all(|place| self.has(place))
    }

    fn both_or_none(&self, a: usize, b: usize) -> bool {
        self.has(a) == self.has(b)
    }
}

/// The number of candidates, and of the elements left.
fn count(schedule: impl Schedule, fails: Fails) -> Result<String, Stop> {
    let mut oracle = FromFn(|places: &Places| {
        if fails(&Present::new(&places.0)) {
            Outcome::Fail
        } else {
            Outcome::Pass
        }
    });
    let mut problem = Problem::new(Places((0..LEN).collect()), &mut oracle, Memory::Remember);
    shrink_list_by(&mut problem, schedule, |places, removed| {
        Places(without(&places.0, removed))
    })?;
    Ok(format!(
        "{} → {}",
        problem.counts().candidates,
        problem.best().0.len()
    ))
}

fn main() -> Result<(), Stop> {
    println!("candidates → elements left, of {LEN} elements");
    println!(
        "{:26}{:>16}{:>16}{:>16}{:>16}{:>16}",
        "test", "ddmin", "halving", "counting 0.1", "ProbDD 0.1", "adaptive"
    );
    for (name, fails) in TESTS {
        println!(
            "{name:26}{:>16}{:>16}{:>16}{:>16}{:>16}",
            count(Ddmin::new(LEN), *fails)?,
            count(Levels::halving(LEN), *fails)?,
            count(Levels::counting(LEN, 0.1), *fails)?,
            count(ProbDd::new(LEN, 0.1), *fails)?,
            count(Adaptive::new(LEN), *fails)?,
        );
    }
    Ok(())
}
