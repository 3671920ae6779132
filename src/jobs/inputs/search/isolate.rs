//! What makes the difference between inputs that pass and inputs that fail: `--diff` and `--maximize`.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::InputSearch;
use crate::app::failure::{Failure, Result};
use crate::jobs::inputs::reduced_inputs::{Isolated, ReducedInputs};
use crate::jobs::inputs::why_left::{ElementOutcomes, MOST_ELEMENTS};
use crate::reduce::dd::{DdError, Mode};
use crate::reduce::inputs::{Inputs, Node, OneElement, isolate_input};
use crate::reduce::{Oracle, Problem, Stop};

/// How long each element of a difference is tried alone: it does not change the result.
const TIME: Duration = Duration::from_secs(5);

/// What dd found of inputs, and of which it found nothing.
#[derive(Default)]
struct AllIsolated {
    found: Vec<Isolated>,
    left_out: Vec<LeftOut>,
}

/// An input of which dd found nothing.
struct LeftOut {
    place: usize,
    why: &'static str,
}

impl InputSearch<'_> {
    /// Finds what makes the difference between passing and failing inputs.
    pub(super) fn isolate(
        &self,
        oracle: &mut dyn Oracle<Inputs>,
        mode: Mode,
    ) -> Result<ReducedInputs> {
        let mut isolated = AllIsolated::default();
        let driven = self.drive(oracle, self.original, |problem| {
            isolated.add_all(problem, self.original, mode)
        })?;
        let mut best = driven.best;
        for LeftOut { place, why } in &isolated.left_out {
            self.session.warn(format!("no difference for input {place}: {why}"));
        }
        if driven.result.is_some() && isolated.found.is_empty() {
            return Err(Failure::error(
                "no difference found: the test passes with no variant of its texts and sequences",
            )
            .hint("leave out `--diff` and `--maximize` to only make the inputs smaller"));
        }
        for Isolated { place, found, .. } in &isolated.found {
            best.0[*place] = Arc::clone(&found.failing);
        }
        Ok(ReducedInputs {
            isolated: isolated.found,
            ..ReducedInputs::new(best, driven.interrupted)
        })
    }
}

impl AllIsolated {
    /// Runs dd on one input after the other; those of which no variant passes are left out.
    fn add_all(
        &mut self,
        problem: &mut Problem<Inputs>,
        original: &Inputs,
        mode: Mode,
    ) -> Result<(), Stop> {
        let mut inputs = original.clone();
        for place in 0..original.0.len() {
            let mut leave_out = |why| self.left_out.push(LeftOut { place, why });
            match isolate_input(&inputs, place, mode, |candidate| problem.ask(candidate)) {
                Ok(None) => {}
                Ok(Some(found)) => {
                    inputs.0[place] = Arc::clone(&found.failing);
                    let mut isolated = Isolated { place, found, elements: Vec::new() };
                    let tried = isolated.try_elements(problem, &inputs);
                    self.found.push(isolated);
                    tried?;
                }
                Err(DdError::Stopped(stop)) => return Err(stop),
                Err(DdError::NotPassing) => leave_out("the test passes with no variant of it"),
                Err(DdError::NotFailing | DdError::NotReproducible) => {
                    leave_out("the failure did not come back");
                }
            }
        }
        Ok(())
    }
}

impl Isolated {
    /// Tries each element of the difference alone, the other inputs as they are in `inputs`.
    fn try_elements(&mut self, problem: &mut Problem<Inputs>, inputs: &Inputs) -> Result<(), Stop> {
        let until = Instant::now() + TIME;
        let mut ask = |variant: Arc<Node>| {
            let mut candidate = inputs.clone();
            candidate.0[self.place] = variant;
            problem.ask(&candidate)
        };
        let in_time = self.found.each_element().take_while(|_| Instant::now() < until);
        for OneElement { taken_out, put_in } in in_time.take(MOST_ELEMENTS) {
            let outcomes = ElementOutcomes { taken_out: ask(taken_out)?, put_in: ask(put_in)? };
            self.elements.push(outcomes);
        }
        Ok(())
    }
}
