//! The second look at what a search in one process found.
//!
//! That a result is minimal says that each smaller candidate of the last round does not fail. In one process it
//! may pass only for what earlier candidates have left behind. So the last round is run once more with a fresh
//! process for each candidate, as far as that can be afforded; where one of them fails after all, the search goes
//! on from there in fresh processes.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::look::SecondLook;
use super::reduced_inputs::{Isolated, ReducedInputs};
use super::search::{InputSearch, or_best, with_store};
use super::store_at::StoreAt;
use crate::app::failure::Result;
use crate::app::search_driver::trouble;
use crate::app::session::Session;
use crate::oracle::doubt::Doubt;
use crate::reduce::inputs::Inputs;
use crate::reduce::{Answer, Oracle, Outcome};

/// So many candidates are run again.
const MOST_CANDIDATES: u64 = 600;
/// They may take as long as the search has taken, and at least this.
const LEAST_TIME: Duration = Duration::from_secs(5);

/// What a search in one process and the second look ask.
pub struct Looks<'a> {
    /// Runs candidates in one process.
    pub looped: &'a mut dyn Oracle<Inputs>,
    /// What may be cast on its word.
    pub doubt: &'a Doubt,
    /// Runs each candidate in a process of its own.
    pub fresh: &'a mut dyn Oracle<Inputs>,
    /// Where the outcomes of both are kept, if they are.
    pub stores: Option<[StoreAt; 2]>,
}

/// Searches in one process, and looks again in fresh ones.
///
/// # Errors
/// When candidates cannot be run.
pub fn search_twice(search: &InputSearch<'_>, looks: Looks<'_>) -> Result<ReducedInputs> {
    let began = Instant::now();
    let [looped_at, fresh_at] = looks.stores.map_or([None, None], |stores| stores.map(Some));
    let found =
        with_store(search.session, looks.looped, looped_at.as_ref(), |oracle| search.run(oracle))?;
    if found.interrupted {
        return Ok(found);
    }
    with_store(search.session, looks.fresh, fresh_at.as_ref(), |fresh| {
        if !search.minimizes() {
            let holds = holds(&found, search.original(), fresh).map_err(|error| trouble(&error))?;
            return if holds { Ok(found) } else { search.run(fresh) };
        }
        if search.was_stopped() {
            return Ok(found);
        }
        let bounds = (MOST_CANDIDATES, LEAST_TIME.max(began.elapsed()));
        let look = SecondLook::new((!looks.doubt.is_cast()).then_some(bounds));
        let again = search.look_again(fresh, &found.best, &look);
        let again = or_best(search.session, found, search.original(), again)?;
        if look.ended_early() && !again.interrupted {
            tell_unseen(search.session);
        }
        Ok(again)
    })
}

/// Says that nobody has seen all candidates of the last round pass in fresh processes.
pub fn tell_unseen(session: &Session) {
    session.stage(
        "Minimal",
        "according to one process that ran all candidates; use `--tier process` to run each in a process of its own",
    );
}

/// Whether fresh processes show the differences that were found, one after the other, beginning with the
/// `original`.
fn holds(found: &ReducedInputs, original: &Inputs, fresh: &mut dyn Oracle<Inputs>) -> Answer<bool> {
    let mut inputs = original.clone();
    for Isolated { place, found, .. } in &found.isolated {
        inputs.0[*place] = Arc::clone(&found.passing);
        if fresh.ask(&inputs)? != Outcome::Pass {
            return Ok(false);
        }
        inputs.0[*place] = Arc::clone(&found.failing);
    }
    Ok(fresh.ask(&inputs)?.is_fail())
}
