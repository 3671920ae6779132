//! The search for smaller inputs of a flaky test.

use super::reduced_inputs::ReducedInputs;
use super::search::InputSearch;
use super::second_look::tell_unseen;
use crate::app::failure::{Failure, Result};
use crate::app::search_driver::trouble;
use crate::oracle::flaky::Plan;
use crate::oracle::lanes::Lanes;
use crate::oracle::process::ProcessOracle;
use crate::oracle::repeated::{RepeatedOracle, proven};
use crate::report::Status;

/// A loop in one process is fast, but what it keeps from run to run may change how often a flaky
/// test fails; fresh processes have the last word, and search again where they do not agree. Without a loop
/// they do all of it.
///
/// # Errors
/// When candidates cannot be run, or nothing that was found fails often enough.
pub fn search_flaky(
    search: &InputSearch<'_>,
    mut looped: Option<Lanes>,
    process: ProcessOracle,
    plan: Plan,
) -> Result<ReducedInputs> {
    let mut by_loop = false;
    let mut proof = RepeatedOracle::new(process.clone(), plan);
    let mut fresh = RepeatedOracle::new(process, plan);
    let found = proven(
        |_| {
            let looped = looped.take();
            by_loop = looped.is_some();
            match looped {
                Some(looped) => search.run(&mut RepeatedOracle::new(looped, plan)),
                None => search.run(&mut fresh),
            }
        },
        |found| {
            // The original has been seen to fail.
            let is_known = found.interrupted || found.best == *search.original();
            Ok(is_known || proof.holds(&found.best).map_err(|error| trouble(&error))?)
        },
    )?;
    let Some(found) = found else {
        let message = "the result fails less often than the original test, or not at all";
        return Err(Failure::new(Status::Flaky, message).hint("use a larger `--runs N`"));
    };
    if by_loop && !found.interrupted && !search.was_stopped() {
        tell_unseen(search.session);
    }
    Ok(found)
}
