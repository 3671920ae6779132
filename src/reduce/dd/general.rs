//! The general delta debugging algorithm.

use super::Kept;
use super::order::Ordered;
use crate::reduce::{Outcome, Result, Stop};

/// What the general algorithm moves.
///
/// ```
/// use cargo_reduce::{Mode, Outcome, dd};
///
/// let holds_x = |text: &str| if text.contains('x') { Outcome::Fail } else { Outcome::Pass };
/// assert_eq!(dd("axb", Mode::Minimize, holds_x)?.failing, "x");
/// assert_eq!(dd("axb", Mode::Maximize, holds_x)?.passing, "ab");
/// assert_eq!(dd("axb", Mode::Both, holds_x)?.difference, "x");
/// # Ok::<(), cargo_reduce::DdError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// ddmin: make the failing subset small (`-`).
    Minimize,
    /// ddmax: make the passing subset large (`+`).
    Maximize,
    /// dd: both, until the difference between them is small (`+-`).
    Both,
}

impl Mode {
    fn minimizes(self) -> bool {
        self != Mode::Maximize
    }

    fn maximizes(self) -> bool {
        self != Mode::Minimize
    }
}

/// Why there is nothing to debug.
///
/// ```
/// use cargo_reduce::{DdError, minimize};
///
/// let ended = minimize("abc", |text: &str| assert!(text.is_ascii()));
/// assert!(matches!(ended, Err(DdError::NotFailing)));
/// ```
#[derive(Debug, thiserror::Error)]
pub enum DdError {
    /// The whole input passes.
    #[error("the input does not fail")]
    NotFailing,
    /// What should pass (the input without all its elements) does not.
    #[error("the empty input does not pass")]
    NotPassing,
    /// The whole input fails, but in another way than it should.
    #[error("the failure of the input does not come back")]
    NotReproducible,
    /// The search was stopped.
    #[error(transparent)]
    Stopped(#[from] Stop),
}

/// The two subsets that dd arrives at; the passing one is part of the failing one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Passes; empty with [`Mode::Minimize`].
    pub passing: Kept,
    /// Fails; everything with [`Mode::Maximize`].
    pub failing: Kept,
}

impl Difference {
    /// What is in the failing subset only.
    pub fn difference(&self) -> Kept {
        self.failing.minus(&self.passing)
    }
}

/// Runs delta debugging on a sequence of `total` elements; `test` is asked about subsets of them.
///
/// Starts with nothing as the passing and everything as the failing subset, and by `mode` moves one
/// towards the other or both. What it ends with:
///
/// * [`Mode::Minimize`]: `failing` fails and is 1-minimal, no single element can be removed;
/// * [`Mode::Maximize`]: `passing` passes and is 1-maximal, no single element can be added;
/// * [`Mode::Both`]: `passing` passes, `failing` fails, and moving any single element of their
///   difference makes neither a larger passing nor a smaller failing subset.
///
/// Where nothing fails already, minimizing ends with nothing; where everything passes, maximizing
/// ends with everything. Outcomes are not remembered here: let `test` ask a
/// [`Problem`](crate::reduce::Problem) that does.
///
/// The algorithm is that of Zeller & Hildebrandt, "Simplifying and Isolating Failure-Inducing Input"
/// (2002), with the modes of Kirschner, Soremekun & Zeller, "Debugging Inputs" (2020). As in "The
/// Debugging Book", subsets themselves are tried only while there are two of them, and after a success
/// the search goes on at the place where it succeeded.
///
/// # Errors
/// * [`DdError::NotPassing`] where nothing should pass but fails, or where no passing subset was found
///   at all;
/// * [`DdError::NotFailing`] and [`DdError::NotReproducible`] where everything should fail;
/// * [`DdError::Stopped`] where `test` stops the search.
pub fn dd(
    total: usize,
    mode: Mode,
    test: impl FnMut(&Kept) -> Result<Outcome>,
) -> Result<Difference, DdError> {
    let mut search = DdSearch {
        mode,
        passing: Kept::none(total),
        failing: Kept::all(total),
        ordered: Ordered::new(total),
        test,
    };
    let nothing = (search.test)(&search.passing)?;
    if nothing.is_fail() {
        return if mode.maximizes() {
            Err(DdError::NotPassing)
        } else {
            Ok(Difference { failing: search.passing.clone(), passing: search.passing })
        };
    }
    match (search.test)(&search.failing)? {
        Outcome::Fail => {}
        Outcome::Pass if mode.minimizes() => return Err(DdError::NotFailing),
        Outcome::Pass => {
            return Ok(Difference { passing: search.failing.clone(), failing: search.failing });
        }
        Outcome::Unresolved | Outcome::Timeout => return Err(DdError::NotReproducible),
    }
    search.run()?;
    if mode.maximizes() && nothing != Outcome::Pass && search.passing.is_empty() {
        return Err(DdError::NotPassing);
    }
    Ok(Difference { passing: search.passing, failing: search.failing })
}

/// A success, and what it does to the two subsets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// The passing subset with the part fails: it is the new failing subset.
    ReduceToSubset,
    /// The failing subset without the part passes: it is the new passing subset.
    IncreaseToSubset,
    /// The failing subset without the part fails.
    ReduceToComplement,
    /// The passing subset with the part passes.
    IncreaseToComplement,
}

struct DdSearch<F> {
    mode: Mode,
    passing: Kept,
    failing: Kept,
    ordered: Ordered,
    test: F,
}

impl<F: FnMut(&Kept) -> Result<Outcome>> DdSearch<F> {
    fn run(&mut self) -> Result<()> {
        let mut granularity = 2;
        let mut offset = 0;
        let mut delta = self.ordered.difference();
        while granularity <= delta.len() {
            if let Some((place, step)) = self.try_parts(&delta, granularity, offset)? {
                self.apply(step, part(&delta, granularity, place));
                delta = self.ordered.difference();
                offset = place;
                if matches!(step, Step::ReduceToComplement | Step::IncreaseToComplement) {
                    granularity = (granularity - 1).max(2);
                }
            } else if granularity == delta.len() {
                break;
            } else {
                granularity = (granularity * 2).min(delta.len());
            }
        }
        Ok(())
    }

    /// Tries each part of `delta`, from the one at `offset` on and round to it, until one succeeds.
    fn try_parts(
        &mut self,
        delta: &[usize],
        granularity: usize,
        offset: usize,
    ) -> Result<Option<(usize, Step)>> {
        for turn in 0..granularity {
            let place = (turn + offset) % granularity;
            if let Some(step) = self.try_part(part(delta, granularity, place), granularity)? {
                return Ok(Some((place, step)));
            }
        }
        Ok(None)
    }

    fn try_part(&mut self, part: &[usize], granularity: usize) -> Result<Option<Step>> {
        let (minimizes, maximizes) = (self.mode.minimizes(), self.mode.maximizes());
        let halves = granularity == 2;
        let steps = [
            (minimizes && halves, Step::ReduceToSubset),
            (maximizes && halves, Step::IncreaseToSubset),
            (minimizes, Step::ReduceToComplement),
            (maximizes, Step::IncreaseToComplement),
        ];
        for (_, step) in steps.into_iter().filter(|(allowed, _)| *allowed) {
            if self.succeeds(step, part)? {
                return Ok(Some(step));
            }
        }
        Ok(None)
    }

    /// Asks about the subset of `step`, which is made in place and taken back.
    fn succeeds(&mut self, step: Step, part: &[usize]) -> Result<bool> {
        let outcome = match step {
            Step::ReduceToSubset | Step::IncreaseToComplement => {
                self.passing.insert(part);
                let outcome = (self.test)(&self.passing);
                self.passing.remove(part);
                outcome
            }
            Step::IncreaseToSubset | Step::ReduceToComplement => {
                self.failing.remove(part);
                let outcome = (self.test)(&self.failing);
                self.failing.insert(part);
                outcome
            }
        }?;
        Ok(match step {
            Step::ReduceToSubset | Step::ReduceToComplement => outcome.is_fail(),
            Step::IncreaseToSubset | Step::IncreaseToComplement => outcome == Outcome::Pass,
        })
    }

    fn apply(&mut self, step: Step, part: &[usize]) {
        match step {
            Step::ReduceToSubset => {
                self.failing.clone_from(&self.passing);
                self.failing.insert(part);
                self.ordered.reduce_to(part);
            }
            Step::IncreaseToSubset => {
                self.passing.clone_from(&self.failing);
                self.passing.remove(part);
                self.ordered.increase_to(part);
            }
            Step::ReduceToComplement => {
                self.failing.remove(part);
                self.ordered.reduce_by(part);
            }
            Step::IncreaseToComplement => {
                self.passing.insert(part);
                self.ordered.increase_by(part);
            }
        }
    }
}

/// The part number `place` of `count` parts of `delta`, whose lengths differ by at most one; the
/// longer ones come first.
fn part(delta: &[usize], count: usize, place: usize) -> &[usize] {
    let (length, longer) = (delta.len() / count, delta.len() % count);
    let start = |place: usize| place * length + place.min(longer);
    &delta[start(place)..start(place + 1)]
}
