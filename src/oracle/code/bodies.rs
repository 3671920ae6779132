//! Candidates that differ only inside of functions, in one compilation: their functions have several
//! bodies, and which of them is run is picked at run time.
//!
//! What rustc says of a body is said of the candidates that have it; they are turned down, and the others
//! are compiled again (rustc finds errors in stages: names, types, borrows), until the rest builds. Where
//! an error points at no body, each half is compiled alone.

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use super::oracle::Built;
use super::test_run::{Ended, RUNS_AT_ONCE, TimeLimit};
use super::{CodeOracle, Detail, Observed};
use crate::compile::Compiled;
use crate::exec::{Exit, Interrupt};
use crate::oracle::libtest::{STACK_OVERFLOW, STACK_SIZE, Verdict};
use crate::oracle::pool::side_by_side;
use crate::oracle::signature::{FailureKind, Location};
use crate::probe::bodies::{ASKED, LIBRARY, MOST_FUNCTIONS, PICKED, TOO_MANY, TURNS};
use crate::project::{Diagnostic, TestBinary};
use crate::reduce::{Answer, Outcome, until_it_compiles};
use crate::rust::Sources;
use crate::rust::alternatives::{Alternatives, Cut, Joined};

/// How many candidates that differ only inside of functions are compiled together at most.
pub(super) const MOST_VARIANTS: usize = 256;
/// So often is compiled for a group of candidates.
const ROUNDS: usize = 10;
/// How much stack a test gets: a function with many bodies has a frame for all of them. Where the failure is
/// that the stack overflows, that may be too much; where even that overflows, it takes less time to fill less.
const STACK: StackSize = (STACK_SIZE, "67108864");
const SMALL_STACK: StackSize = (STACK_SIZE, "16777216");
/// A candidate may run so many times as long as the base, and at least so long by the clock, in which it
/// may compute at least so long. Many of those that are tried do not end; one that only was slow is tried
/// again when all are.
const TIMES: u32 = 10;
const LEAST_WALL: Duration = Duration::from_millis(100);
const LEAST_CPU: Duration = Duration::from_millis(20);
/// Most of those that do not end are found out long before that: loops may turn so many times as often as those of the base,
/// and so many times more.
const LEAST_TURNS: usize = 10_000;
/// The place of the base among the candidates.
const BASE: usize = 0;

impl CodeOracle<'_> {
    /// What becomes of candidates, the first of which is known to fail and is like all others.
    ///
    /// # Errors
    /// When they cannot be compiled or run at all.
    pub(super) fn judge_bodies(
        &self,
        candidates: &[Cut<'_>],
        detail: Detail,
        interrupt: &Interrupt,
    ) -> Answer<Vec<Option<Observed>>> {
        let mut all_observed = vec![None; candidates.len()];
        let Some(base) = candidates.first().filter(|base| base.functions() <= MOST_FUNCTIONS)
        else {
            return Ok(all_observed);
        };
        let mut all = Alternatives::new(base, candidates);
        let mut groups = vec![(0..candidates.len()).collect::<Vec<usize>>()];
        let mut left = ROUNDS;
        while let Some(mut open) = groups.pop().filter(|_| left > 0) {
            let ran = until_it_compiles(
                &mut open,
                left,
                |open| {
                    left -= 1;
                    self.build(&all, open, detail, interrupt)
                },
                |open, blamed, _| {
                    open.retain(|candidate| !blamed.contains_key(candidate));
                    for (candidate, error) in blamed {
                        all_observed[*candidate] = Some(Observed::broken(error.clone()));
                    }
                    if *open == [BASE] {
                        // What comes of it is known.
                        all_observed[BASE] = Some(Observed::of(Outcome::Fail, Verdict::NotRun));
                    }
                    Ok(!blamed.is_empty() && *open != [BASE])
                },
            )?;
            match ran {
                Ok(found) => {
                    for (candidate, observed) in open.iter().zip(found) {
                        all_observed[*candidate] = Some(observed);
                    }
                }
                Err(blamed) if blamed.is_empty() && all.stay_inside() => groups.push(open),
                Err(blamed) if blamed.is_empty() => groups.extend(halves(&open)),
                Err(_) => {}
            }
        }
        Ok(all_observed)
    }

    /// Builds the open ones in one crate: what became of each (none if the base does not fail), or those into whose
    /// bodies errors point.
    fn build(
        &self,
        all: &Alternatives<'_>,
        open: &[usize],
        detail: Detail,
        interrupt: &Interrupt,
    ) -> Answer<Result<Vec<Observed>, BTreeMap<usize, String>>> {
        let joined = all.join(open);
        // It is the same for all: nothing around functions has changed.
        let test = self.name.in_sources(all.sources(BASE));
        let look = |compiled: Compiled| {
            let Some(binary) = &compiled.binary else {
                return Ok(Err(blamed(&compiled.errors, &joined)));
            };
            let run = |candidate: usize, limits| {
                let variant = Variant { candidate, joined: &joined, binary, test: &test };
                self.run_one(&variant, detail, limits, interrupt)
            };
            let mut limits = Limits { time: TimeLimit::default(), turns: None, stack: Some(STACK) };
            let (mut all_observed, mut others) = (Vec::with_capacity(open.len()), open);
            if let [BASE, rest @ ..] = open {
                let mut base = run(BASE, limits)?;
                if self.matcher().expected().message == STACK_OVERFLOW {
                    limits.stack = base.observed.outcome.is_fail().then_some(SMALL_STACK);
                    base = run(BASE, limits)?;
                }
                if !base.observed.outcome.is_fail() {
                    return Ok(Ok(Vec::new()));
                }
                limits = self.limits(&base, limits.stack);
                all_observed.push(base.observed);
                others = rest;
            }
            for ran in side_by_side(RUNS_AT_ONCE, others, |other| run(*other, limits)) {
                all_observed.push(ran??.observed);
            }
            Ok(Ok(all_observed))
        };
        let sources = self.compiler.crates().with_library(&joined.sources, LIBRARY);
        self.compiler.with_bodies(&sources, interrupt, look)
    }

    /// What becomes of a candidate.
    fn run_one(
        &self,
        variant: &Variant<'_>,
        detail: Detail,
        limits: Limits,
        interrupt: &Interrupt,
    ) -> Answer<Ran> {
        let Variant { candidate, joined, test, .. } = *variant;
        let all = joined.alternatives;
        let sources = all.sources(candidate);
        let (mut took, mut turns) = (Duration::ZERO, None);
        if detail == Detail::Outcome && !self.kept().is_in(sources) {
            let observed = Observed::of(Outcome::Unresolved, Verdict::NotRun);
            return Ok(Ran { observed, took, turns });
        }
        let mut binary = variant.binary.clone();
        let picks = (PICKED, &*all.picks(candidate));
        for (name, value) in limits.stack.into_iter().chain([picks]) {
            binary.env.insert(name.to_owned(), value.to_owned());
        }
        // Tests that have to pass along may take other turns.
        let mut counted = binary.clone();
        let most = limits.turns.map_or_else(|| ASKED.to_owned(), |most| most.to_string());
        counted.env.insert(TURNS.to_owned(), most);
        let run = self.run_of(test);
        let once = || {
            let Ended { mut verdict, mut finished, turns: told } =
                self.run_within(limits.time, &run, &counted, interrupt)?;
            took = finished.wall;
            if limits.turns.is_none() {
                turns = told;
            } else if finished.exit == Exit::Code(TOO_MANY) {
                finished.exit = Exit::TimedOut;
                verdict = run.runner.interpret(&finished, test);
            }
            if let Verdict::Failed(shown) = &mut verdict
                && let Some(location) = &mut shown.location
                && let Some(own) = own_location(location, candidate, sources, joined)
            {
                *location = own;
            }
            Ok(verdict)
        };
        let built = Built { sources, binary: &binary, run: &run, named: &str::to_owned };
        let observed = self.observed(&built, detail, interrupt, once)?;
        Ok(Ran { observed, took, turns })
    }

    /// How far a candidate may go where the base went so far; as far as any other where the failure is
    /// that the test does not end, or where it runs in several ways.
    fn limits(&self, base: &Ran, stack: Option<StackSize>) -> Limits {
        let is_hang = self.matcher().expected().kind == FailureKind::Timeout;
        if is_hang || !self.is_run_once() {
            return Limits { time: TimeLimit::default(), turns: None, stack };
        }
        let time = TimeLimit {
            wall: Some((base.took * TIMES).max(LEAST_WALL)),
            cpu: Some((base.took * TIMES).max(LEAST_CPU)),
        };
        let most = |turns: usize| turns.saturating_mul(TIMES as usize).saturating_add(LEAST_TURNS);
        Limits { time, turns: base.turns.map(most), stack }
    }
}

/// An environment variable that sets the size of a stack, and its value.
type StackSize = (&'static str, &'static str);

/// One of several candidates in a build.
struct Variant<'v> {
    /// Its number.
    candidate: usize,
    joined: &'v Joined<'v>,
    binary: &'v TestBinary,
    /// What the test is called in all of them.
    test: &'v str,
}

/// How far a run may go.
#[derive(Debug, Clone, Copy)]
struct Limits {
    time: TimeLimit,
    /// How many turns it may take; `None` where it has to tell how many it takes.
    turns: Option<usize>,
    /// How large its stack is, if not as large as usual.
    stack: Option<StackSize>,
}

/// What a run has shown.
struct Ran {
    observed: Observed,
    /// How long its last run took, and how many turns, if it has told.
    took: Duration,
    turns: Option<usize>,
}

/// Those that are open in two groups, each with the base; none where there is but one beside the base.
fn halves(open: &[usize]) -> Vec<Vec<usize>> {
    let Some((base, candidates)) = open.split_first().filter(|(_, rest)| rest.len() > 1) else {
        return Vec::new();
    };
    let (first, second) = candidates.split_at(candidates.len() / 2);
    [second, first].into_iter().map(|half| [&[*base], half].concat()).collect()
}

/// The candidates that have a body into which an error points, each with what the first one says.
fn blamed(errors: &[Diagnostic], joined: &Joined<'_>) -> BTreeMap<usize, String> {
    let mut blamed = BTreeMap::new();
    for error in errors {
        let owners = error.primary_first().map(|span| {
            let file = joined.sources.position(span.file.as_str())?;
            Some(joined.owners(file, span.start))
        });
        let first = owners.flatten().find(|owners| !owners.is_empty());
        for candidate in first.unwrap_or_default() {
            blamed.entry(candidate).or_insert_with(|| error.message.clone());
        }
    }
    blamed
}

/// A place in the joined sources as a candidate has it.
fn own_location(
    location: &Location,
    candidate: usize,
    sources: &Sources,
    joined: &Joined<'_>,
) -> Option<Location> {
    let file = joined.sources.position(&location.file)?;
    let (from, to) = (&joined.sources.files[file].text, &sources.files[file].text);
    location.moved(from, to, |offset| joined.place_in(candidate, file, offset))
}

/// Bodies of functions that do not compile in what is around all functions: what is inside of other functions has no say in
/// that.
#[derive(Debug, Default)]
pub(super) struct BrokenBodies(HashSet<u64>);

impl BrokenBodies {
    /// Whether one of the bodies that a candidate has and its base has not is known not to compile.
    pub(super) fn has_one_of(&self, base: &Cut<'_>, around: u64, candidate: &Cut<'_>) -> bool {
        let mut bodies = base.differing(candidate);
        bodies.any(|body| self.0.contains(&digest(around, body, candidate)))
    }

    /// A candidate does not compile.
    pub(super) fn add(&mut self, base: &Cut<'_>, around: u64, candidate: &Cut<'_>) {
        let mut bodies = base.differing(candidate);
        // Of several ones nobody knows which it is.
        if let (Some(body), None) = (bodies.next(), bodies.next()) {
            self.0.insert(digest(around, body, candidate));
        }
    }
}

/// What tells a body of a candidate with such a text around all bodies.
fn digest(around: u64, body: usize, candidate: &Cut<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    (around, body, candidate.text(body)).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests;
