//! One search with the engine, as all jobs do it: it keeps to the limits, tells how it goes, and keeps each new best.

use std::time::Instant;

use super::changes::Described;
use super::console::Console;
use super::failure::{Failure, Result, with_causes};
use super::limits::stop_reason;
use super::search_teller::SearchTeller;
use crate::disk::{DiskError, ResultFolder};
use crate::exec::Interrupt;
use crate::oracle::process::is_interrupt;
use crate::oracle::store::Store;
use crate::reduce::{
    Candidate, Counts, KnownOutcomes, Memory, Oracle, OracleError, Outcome, Problem, Stop,
};
use crate::report::Status;

/// What is said of a search that was cut short too early.
const NOTHING_YET: &str = "the search stopped at its limit before anything could be removed; raise `--max-time` or `--max-candidates`";
/// What is said of one that was cut short later.
pub const AT_LIMIT: &str = "the search stopped at its limit; this is the best result so far";

/// A search, and what bounds it.
pub struct SearchDriver<'s, C> {
    /// Who is told how it goes.
    pub console: &'s Console,
    /// When what it is a part of began.
    pub started: Instant,
    /// How many candidates were tried since then.
    pub before: u64,
    /// What ends it.
    pub interrupt: &'s Interrupt,
    /// How many candidates are enough, those before it included.
    pub most: Option<u64>,
    /// Whether outcomes are remembered.
    pub memory: Memory,
    /// Who looks on.
    pub follower: &'s dyn Follower<C>,
}

/// What a job does with what a search comes to.
pub trait Follower<C> {
    /// How many elements the user is told that a candidate has.
    fn size(&self, candidate: &C) -> usize;

    /// Keeps a new best, in any case if it is the last.
    fn keep(&self, best: &C, is_last: bool);

    /// A candidate was tried.
    fn tried(&self, _candidate: &C, _outcome: Outcome) {}

    /// Whether the user is told how far it is.
    fn tells(&self, _counts: Counts) -> bool {
        true
    }

    /// Whether it is over before it reaches its limits.
    fn is_over(&self, _counts: Counts) -> bool {
        false
    }
}

/// What a search came to.
#[derive(Debug)]
pub struct Searched<C, T = ()> {
    /// The smallest candidate that fails.
    pub best: C,
    /// What was asked.
    pub counts: Counts,
    /// What became of each candidate, if that is remembered.
    pub known: KnownOutcomes,
    /// What its steps gave, or why it ended before these were done.
    pub ended: Result<T, Stop>,
}

impl<C: Candidate + Described> SearchDriver<'_, C> {
    /// Lets `steps` ask `oracle`, beginning with `original`.
    pub fn run<T>(
        &self,
        original: &C,
        oracle: &mut dyn Oracle<C>,
        steps: impl FnOnce(&mut Problem<'_, C>) -> Result<T, Stop>,
    ) -> Searched<C, T> {
        let &SearchDriver { console, started, before, follower, .. } = self;
        let elements = follower.size(original);
        let teller = SearchTeller::begin(console, started, original, elements, before);
        let mut problem = Problem::new(original.clone(), oracle, self.memory)
            .on_accept(|best: &C, counts| {
                // What is told of can be gone on with.
                follower.keep(best, false);
                teller.accepted(best, follower.size(best), before + counts.candidates);
            })
            .stop_when(|counts| {
                let candidates = before + counts.candidates;
                if follower.tells(counts) {
                    teller.asked(candidates);
                }
                stop_reason(self.interrupt, candidates, self.most)
                    .or_else(|| follower.is_over(counts).then_some(Stop::CandidateLimit))
            })
            .on_outcome(|candidate, outcome| {
                follower.tried(candidate, outcome);
                teller.tried(candidate, outcome);
            });
        let ended = steps(&mut problem);
        let counts = problem.counts();
        let (best, known) = problem.into_best_and_known();
        if counts.accepted > 0 {
            follower.keep(&best, true);
        }
        Searched { best, counts, known, ended }
    }
}

impl<C> Searched<C> {
    /// As it is, with what `change` makes of the smallest candidate.
    pub fn map<D>(self, change: impl FnOnce(&C) -> D) -> Searched<D> {
        let Searched { best, counts, known, ended } = self;
        Searched { best: change(&best), counts, known, ended }
    }
}

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Nothing more can be taken away.
    Minimal,
    /// A limit was reached.
    Limited,
    /// The user stopped it.
    Interrupted,
}

impl End {
    /// That of a search which `ended` so, and which `user` may have stopped.
    ///
    /// # Errors
    /// When the oracle could not answer.
    pub fn of(ended: Result<(), Stop>, user: &Interrupt) -> Result<Self> {
        match ended {
            Ok(()) => Ok(End::Minimal),
            Err(_) if user.is_set() => Ok(End::Interrupted),
            Err(Stop::Oracle(error)) if !is_interrupt(&error) => Err(trouble(&error)),
            // Else the time was up, between two candidates or in the middle of one.
            Err(_) => Ok(End::Limited),
        }
    }

    /// Whether there is anything to show: nothing smaller before the user stopped it does not replace an earlier result.
    ///
    /// # Errors
    /// When there is only the earlier one.
    pub fn or_earlier(self, is_smaller: bool, results: &ResultFolder) -> Result<()> {
        if self != End::Interrupted || is_smaller || !results.has_result() {
            return Ok(());
        }
        let hint = format!("the earlier result is still in `{}`", results.path());
        Err(Failure::interrupted().hint(hint))
    }

    /// What that says of a result; a limit that was reached too early is told.
    pub fn status(self, console: &Console, is_smaller: bool) -> Status {
        match self {
            End::Interrupted => Status::Interrupted,
            _ if is_smaller => Status::Reduced,
            End::Minimal => Status::Minimal,
            End::Limited => {
                console.warn(NOTHING_YET);
                Status::Limited
            }
        }
    }
}

/// Why an oracle could not answer, as an error for the user.
pub fn trouble(error: &OracleError) -> Failure {
    if is_interrupt(error) { Failure::interrupted() } else { Failure::error(not_run(error)) }
}

/// Why a candidate could not be run.
pub fn not_run(error: &OracleError) -> String {
    format!("a candidate could not be run: {}", with_causes(&**error))
}

/// Tells why outcomes are not kept in the `store`, if they are not.
pub fn check_store(console: &Console, store: &Store) {
    if let Some(error) = store.trouble() {
        console.warn(format!(
            "cannot save the outcomes of candidates, so the next run starts from the beginning: {error}"
        ));
    }
}

/// Tells why the best so far was not kept, if it was not.
pub fn check_best(console: &Console, trouble: Option<DiskError>) {
    if let Some(error) = trouble {
        console.warn(format!("cannot save the best result so far: {error}"));
    }
}
