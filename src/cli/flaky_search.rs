//! The search for smaller inputs of a flaky test.

use super::config::Config;
use super::failure::Failure;
use super::search::{Found, Search, trouble};
use super::second_look::tell_unseen;
use super::session::Session;
use crate::oracle::baseline::Baseline;
use crate::oracle::flaky::{Plan, Tally};
use crate::oracle::lanes::Lanes;
use crate::oracle::process::ProcessOracle;
use crate::oracle::repeated::RepeatedOracle;
use crate::report::Status;

/// A loop in one process is fast, but what it keeps from run to run may change how often a flaky
/// test fails; fresh processes have the last word.
///
/// # Errors
/// When candidates cannot be run.
pub fn search_flaky(
    session: &mut Session,
    search: &Search<'_>,
    looped: Lanes,
    proof: &mut RepeatedOracle<ProcessOracle>,
    plan: Plan,
) -> Result<Found, Failure> {
    let found = search.run(session, &mut RepeatedOracle::new(looped, plan))?;
    if found.interrupted {
        return Ok(found);
    }
    if proof.holds(&found.best).map_err(|error| trouble(&error))? {
        if !search.was_stopped() {
            tell_unseen(session);
        }
        return Ok(found);
    }
    search.run(session, proof)
}

/// How often candidates are run.
///
/// # Errors
/// When the failure is too rare for the runs that the user allows.
pub fn plan(config: &Config, baseline: &Baseline) -> Result<Plan, Failure> {
    if baseline.is_stable() {
        return Ok(Plan::once());
    }
    let tally = Tally {
        runs: baseline.runs,
        failures: baseline.failures,
    };
    let runs = config.control.runs.unwrap_or(1);
    Plan::new(tally, config.control.min_rate, runs)
        .map_err(|error| Failure::new(Status::Flaky, error.to_string()).hint("raise `--runs N`"))
}
