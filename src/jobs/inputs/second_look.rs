//! The second look at what a search in one process found.
//!
//! That a result is minimal says that each smaller candidate of the last round does not fail. In one process it
//! may pass only for what earlier candidates have left behind. So the last round is run once more with a fresh
//! process for each candidate, as far as that can be afforded; where one of them fails after all, the search goes
//! on from there in fresh processes.

use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::search::{InputSearch, ReducedInputs, or_best, trouble, with_store};
use super::store_at::StoreAt;
use crate::app::failure::Failure;
use crate::app::session::Session;
use crate::oracle::doubt::Doubt;
use crate::reduce::inputs::Inputs;
use crate::reduce::{Counts, Oracle, OracleError, Outcome};

/// So many candidates are run again.
const MOST_CANDIDATES: u64 = 600;
/// They may take as long as the search has taken, and at least this.
const LEAST_TIME: Duration = Duration::from_secs(5);

/// The candidates that are run again, until one of them fails: from then on it is a search like any other.
#[derive(Debug)]
pub struct SecondLook {
    most: u64,
    time: Duration,
    began: Instant,
    /// Candidates of the parts before this one.
    asked: Cell<u64>,
    has_found: Cell<bool>,
    is_cut: Cell<bool>,
}

impl SecondLook {
    /// A look that begins now; `bounds` are the number of candidates and the time, if there are any.
    pub fn new(bounds: Option<(u64, Duration)>) -> Self {
        let (most, time) = bounds.unwrap_or((u64::MAX, Duration::MAX));
        SecondLook {
            most,
            time,
            began: Instant::now(),
            asked: Cell::new(0),
            has_found: Cell::new(false),
            is_cut: Cell::new(false),
        }
    }

    /// Whether it ends here, with these counts of its present part.
    pub fn is_over(&self, counts: Counts) -> bool {
        self.has_found.set(self.has_found.get() || counts.accepted > 0);
        let asked = self.asked.get() + counts.candidates;
        let is_spent = asked >= self.most || self.began.elapsed() >= self.time;
        !self.has_found.get() && is_spent
    }

    /// A part of it has ended, before its time if it `is_cut`. Whether that was a search, and not only a look.
    pub fn part_is_over(&self, counts: Counts, is_cut: bool) -> bool {
        self.has_found.set(self.has_found.get() || counts.accepted > 0);
        self.asked.set(self.asked.get() + counts.candidates);
        self.is_cut.set(is_cut);
        self.has_found.get()
    }
}

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
pub fn search_twice(
    session: &mut Session,
    search: &InputSearch<'_>,
    looks: Looks<'_>,
) -> Result<ReducedInputs, Failure> {
    let began = Instant::now();
    let [looped_at, fresh_at] = looks.stores.map_or([None, None], |stores| stores.map(Some));
    let found = with_store(session, looks.looped, looped_at.as_ref(), |session, oracle| {
        search.run(session, oracle)
    })?;
    if found.interrupted {
        return Ok(found);
    }
    with_store(session, looks.fresh, fresh_at.as_ref(), |session, fresh| {
        if !search.minimizes() {
            let holds = holds(&found, search.original(), fresh).map_err(|error| trouble(&error))?;
            return if holds { Ok(found) } else { search.run(session, fresh) };
        }
        if search.was_stopped() {
            return Ok(found);
        }
        let bounds = (MOST_CANDIDATES, LEAST_TIME.max(began.elapsed()));
        let look = SecondLook::new((!looks.doubt.is_cast()).then_some(bounds));
        let again = search.look_again(session, fresh, &found.best, &look);
        let again = or_best(session, (found, search.original()), again)?;
        if look.is_cut.get() && !look.has_found.get() && !again.interrupted {
            tell_unseen(session);
        }
        Ok(again)
    })
}

/// Says that nobody has seen all candidates of the last round pass in fresh processes.
pub fn tell_unseen(session: &mut Session) {
    session.stage(
        "Minimal",
        "by the word of one process that ran all candidates; `--tier process` takes a fresh one for each",
    );
}

/// Whether fresh processes show the differences that were found, one after the other, beginning with the
/// `original`.
fn holds(
    found: &ReducedInputs,
    original: &Inputs,
    fresh: &mut dyn Oracle<Inputs>,
) -> Result<bool, OracleError> {
    let mut inputs = original.clone();
    for (place, isolated) in &found.isolated {
        inputs.0[*place] = Arc::clone(&isolated.passing);
        if fresh.ask(&inputs)? != Outcome::Pass {
            return Ok(false);
        }
        inputs.0[*place] = Arc::clone(&isolated.failing);
    }
    Ok(fresh.ask(&inputs)?.is_fail())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(candidates: u64, accepted: u64) -> Counts {
        Counts { candidates, accepted, cached: 0 }
    }

    #[test]
    fn a_look_is_bounded_until_it_finds_something() {
        let look = SecondLook::new(Some((10, Duration::MAX)));
        assert!(!look.is_over(counts(9, 0)));
        assert!(look.is_over(counts(10, 0)));
        assert!(!look.part_is_over(counts(4, 0), false));
        assert!(look.is_over(counts(6, 0)));
        assert!(!look.is_over(counts(6, 1)));
        assert!(look.part_is_over(counts(600, 1), false));
        assert!(!look.is_over(counts(1000, 0)));
    }

    #[test]
    fn after_doubt_it_has_no_bounds() {
        let look = SecondLook::new(None);
        assert!(!look.is_over(counts(1 << 40, 0)));
    }
}
