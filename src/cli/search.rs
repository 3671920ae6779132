//! One search with the engine: limits, progress, and what is remembered for the next run.

use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use camino::Utf8PathBuf;

use super::config::{Config, Goal};
use super::failure::Failure;
use super::session::{Session, millis};
use crate::oracle::process::{ProcessOracle, is_interrupt};
use crate::oracle::store::{Key, Store};
use crate::oracle::stored::StoredOracle;
use crate::probe::wire::{Encode, Wire};
use crate::reduce::dd::{DdError, Mode};
use crate::reduce::inputs::{
    Inputs, InputsOptions, IsolatedInput, Minimality, isolate_input, reduce_inputs,
};
use crate::reduce::{Memory, Oracle, OracleError, Problem, Stop};
use crate::report::Event;

/// Between two lines of progress.
const PROGRESS_EVERY: Duration = Duration::from_millis(100);

/// What the search found.
#[derive(Debug)]
pub struct Found {
    /// The smallest inputs that fail in the same way.
    pub best: Inputs,
    /// Whether the user stopped it.
    pub interrupted: bool,
    /// What dd found of inputs, by their number, where that was asked for.
    pub isolated: Vec<(usize, IsolatedInput)>,
}

/// Where outcomes are kept.
pub struct StoreAt {
    /// `None` for nowhere.
    pub path: Option<Utf8PathBuf>,
    /// What is asked: the test, its failure and the program.
    pub job: Key,
    /// What candidates are told apart by their differences from.
    pub original: Inputs,
}

/// One search: what it starts from, when it began, and when it must end.
pub struct Search<'a> {
    config: &'a Config,
    original: &'a Inputs,
    started: Instant,
    /// The time it may take.
    pub limit: Option<Duration>,
}

impl<'a> Search<'a> {
    /// A search that begins now.
    #[must_use]
    pub fn new(config: &'a Config, original: &'a Inputs) -> Self {
        Search {
            config,
            original,
            started: Instant::now(),
            limit: config.control.max_time,
        }
    }

    /// Searches with `oracle`, for what the goal asks for.
    ///
    /// # Errors
    /// When candidates cannot be run; what was found until an interrupt is a result.
    pub fn run(
        &self,
        session: &mut Session,
        oracle: &mut dyn Oracle<Inputs>,
    ) -> Result<Found, Failure> {
        let mut isolated = Isolated::default();
        let interrupt = session.interrupt.clone();
        let elements = Cell::new(self.original.size());
        let mut told = self.started;
        let (mut best, counts, result) = {
            let mut problem = Problem::new(self.original.clone(), oracle, Memory::Forget)
                .on_accept(|best, _| elements.set(best.size()))
                .stop_when(|counts| {
                    if told.elapsed() >= PROGRESS_EVERY {
                        told = Instant::now();
                        session.tell(&Event::Progress {
                            candidates: counts.candidates,
                            elements: elements.get(),
                            elapsed_ms: millis(self.started.elapsed()),
                        });
                    }
                    self.stop_reason(counts.candidates, interrupt.is_set())
                });
            let result = match dd_mode(self.config.goal) {
                None => reduce_inputs(&mut problem, &InputsOptions::default()).map(Some),
                Some(mode) => {
                    isolate_inputs(&mut problem, self.original, mode, &mut isolated).map(|()| None)
                }
            };
            let counts = problem.counts();
            (problem.into_best(), counts, result)
        };
        session.count_search(counts);
        let interrupted = match result {
            Ok(Some(Minimality::Line)) => {
                session.stage(
                    "Minimal",
                    "by lines and elements; a large value was not tried character by character",
                );
                false
            }
            Ok(Some(Minimality::Element) | None) => false,
            Err(Stop::Interrupted) => true,
            Err(Stop::TimeUp | Stop::CandidateLimit) => {
                session.warn("the limit of the search was reached; this is the best so far");
                false
            }
            Err(Stop::Oracle(error)) if is_interrupt(&error) => true,
            Err(Stop::Oracle(error)) => return Err(trouble(&error)),
        };
        for (place, why) in &isolated.left_out {
            session.warn(format!(
                "there is no difference to show for input {place}: {why}"
            ));
        }
        for (place, input) in &isolated.found {
            best.0[*place] = Arc::clone(&input.failing);
        }
        Ok(Found {
            best,
            interrupted,
            isolated: isolated.found,
        })
    }

    /// As [`Search::run`], and remembers outcomes for the next run of the same job.
    ///
    /// # Errors
    /// As [`Search::run`].
    pub fn run_stored(
        &self,
        session: &mut Session,
        oracle: ProcessOracle,
        at: &StoreAt,
    ) -> Result<Found, Failure> {
        let wire = Wire::new(&at.original);
        let key = |candidate: &Inputs| {
            let mut changes = Vec::new();
            wire.changes(&at.original, candidate, &mut changes);
            at.job.of(&changes)
        };
        let store = at
            .path
            .as_ref()
            .map_or_else(Store::in_memory, |path| Store::open(path.as_std_path()));
        let mut stored = StoredOracle::new(oracle, store, key);
        let found = self.run(session, &mut stored)?;
        session.count_stored(stored.cached());
        Ok(found)
    }

    fn stop_reason(&self, candidates: u64, interrupted: bool) -> Option<Stop> {
        if interrupted {
            return Some(Stop::Interrupted);
        }
        let control = &self.config.control;
        if self
            .limit
            .is_some_and(|limit| self.started.elapsed() >= limit)
        {
            return Some(Stop::TimeUp);
        }
        control
            .max_candidates
            .is_some_and(|limit| candidates >= limit)
            .then_some(Stop::CandidateLimit)
    }
}

/// The mode of dd that the goal asks for, if it is dd.
fn dd_mode(goal: Goal) -> Option<Mode> {
    match goal {
        Goal::List | Goal::Minimize => None,
        Goal::Maximize => Some(Mode::Maximize),
        Goal::Diff => Some(Mode::Both),
    }
}

/// What dd found of inputs, and why it found nothing of others, by their number.
#[derive(Default)]
struct Isolated {
    found: Vec<(usize, IsolatedInput)>,
    left_out: Vec<(usize, DdError)>,
}

/// Runs dd on one input after the other; those whose empty variant does not pass are left out.
fn isolate_inputs(
    problem: &mut Problem<Inputs>,
    original: &Inputs,
    mode: Mode,
    isolated: &mut Isolated,
) -> Result<(), Stop> {
    let mut inputs = original.clone();
    for place in 0..original.0.len() {
        match isolate_input(&inputs, place, mode, |candidate| problem.ask(candidate)) {
            Ok(None) => {}
            Ok(Some(found)) => {
                inputs.0[place] = Arc::clone(&found.failing);
                isolated.found.push((place, found));
            }
            Err(DdError::Stopped(stop)) => return Err(stop),
            Err(why) => isolated.left_out.push((place, why)),
        }
    }
    Ok(())
}

/// Why an oracle could not answer, as an error for the user.
#[must_use]
pub fn trouble(error: &OracleError) -> Failure {
    if is_interrupt(error) {
        return Failure::interrupted();
    }
    Failure::error(format!("a candidate could not be run: {error}"))
}
