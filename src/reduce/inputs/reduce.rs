//! The schedule: which passes run, in which order, until when.

use super::Inputs;
use super::passes::{PASSES, Pass};
use super::search::Search;
use crate::reduce::{Problem, Stop};

/// How much effort a reduction of inputs is worth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputsOptions {
    /// Values with at most this many elements (characters, bytes, elements of a sequence) are worked
    /// on until nothing in them can be removed; larger ones until patience ends.
    pub exhaustive: usize,
    /// How many candidates in a row may fail before a pass over a larger value is given up.
    pub patience: usize,
}

impl Default for InputsOptions {
    fn default() -> Self {
        InputsOptions {
            exhaustive: 2_000,
            patience: 400,
        }
    }
}

/// What a finished reduction can claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Minimality {
    /// No single element (of a sequence), character or byte can be removed.
    Element,
    /// No single line of a text or element of a sequence can be removed; finer passes were given up
    /// on a value that stayed large.
    Line,
}

/// For how many rounds in a row the passes that only simplify values may go on while nothing is
/// removed. What removes elements is bounded by their number; values could go down by 1 for ever.
const SIMPLIFICATION_ROUNDS: usize = 4;

/// Reduces the inputs until no pass finds anything more.
///
/// The best is in `problem`, also when the search was stopped.
///
/// # Errors
/// When the search must stop: interrupted, out of time, or the oracle is in trouble.
pub fn reduce_inputs(
    problem: &mut Problem<Inputs>,
    options: &InputsOptions,
) -> Result<Minimality, Stop> {
    let mut search = Search::new(problem, options);
    let mut idle_since = [None; PASSES.len()];
    let mut rounds_since_removal = 0;
    loop {
        let (size, accepted) = (search.best().size(), search.accepted());
        for (pass, idle) in PASSES.iter().zip(&mut idle_since) {
            if pass.removes || rounds_since_removal < SIMPLIFICATION_ROUNDS {
                run_unless_idle(pass, idle, &mut search)?;
            }
        }
        if search.accepted() == accepted {
            break;
        }
        search.next_round();
        rounds_since_removal = if search.best().size() < size {
            0
        } else {
            rounds_since_removal + 1
        };
    }
    Ok(if search.gave_up() {
        Minimality::Line
    } else {
        Minimality::Element
    })
}

/// Runs a pass, unless it found nothing on the very same best.
fn run_unless_idle(pass: &Pass, idle: &mut Option<u64>, search: &mut Search) -> Result<(), Stop> {
    let before = search.accepted();
    if *idle == Some(before) {
        return Ok(());
    }
    (pass.run)(search)?;
    *idle = (search.accepted() == before).then_some(before);
    Ok(())
}
