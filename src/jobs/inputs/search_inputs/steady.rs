//! Whether what was found fails each time, as the original does.
//!
//! The order of a hash map, or what is in memory that nobody has written, may decide whether a test fails only once its inputs
//! are small. One run of each candidate then leads to inputs that fail now and then.

use std::time::Duration;

use super::Runner;
use crate::app::failure::Result;
use crate::app::search_driver::trouble;
use crate::jobs::inputs::reduced_inputs::ReducedInputs;
use crate::oracle::process::ProcessOracle;
use crate::oracle::signature::FailureKind;
use crate::reduce::{Oracle, Outcome};

/// So often a result is run again, if there is time for it: one that passes in one of ten runs is found out as a rule.
const RUNS: u32 = 20;
/// So often in any case.
const LEAST_RUNS: u32 = 2;
/// That takes at most such a part of the time that the search has taken, or as long as this.
const TIME_SHARE: u32 = 10;
const LEAST_TIME: Duration = Duration::from_millis(500);

impl Runner<'_> {
    /// Whether the result of a search that took so long fails each time that fresh processes run it.
    pub(super) fn fails_each_time(
        &self,
        found: &ReducedInputs,
        process: &ProcessOracle,
        took: Duration,
    ) -> Result<bool> {
        let baseline = &self.failure.baseline;
        // What does not end takes as long as it may each time.
        let is_hang = self.failure.signature.kind == FailureKind::Timeout;
        if found.interrupted || found.best == *self.original || is_hang {
            return Ok(true);
        }
        let slowest = baseline.slowest.max(Duration::from_millis(1));
        let time = LEAST_TIME.max(took / TIME_SHARE);
        let affordable = time.as_millis() / slowest.as_millis();
        let runs = u32::try_from(affordable).map_or(RUNS, |runs| runs.clamp(LEAST_RUNS, RUNS));
        let copies = vec![found.best.clone(); runs as usize];
        let outcomes = process.clone().ask_all(&copies).map_err(|error| trouble(&error))?;
        // A busy machine makes a run late.
        Ok(outcomes.iter().all(|outcome| matches!(outcome, Outcome::Fail | Outcome::Timeout)))
    }
}
