//! What is left, tried without each of its elements alone.

use std::time::{Duration, Instant};

use super::{InputSearch, ReducedInputs, trouble};
use crate::app::failure::Failure;
use crate::app::progress::stop_reason;
use crate::app::session::Session;
use crate::jobs::inputs::keeping::Keeping;
use crate::jobs::inputs::why_left::{MOST_ELEMENTS, without_each};
use crate::oracle::process::is_interrupt;
use crate::reduce::inputs::Inputs;
use crate::reduce::{Counts, Oracle};

/// How long that may take: it makes nothing smaller.
const TIME: Duration = Duration::from_secs(5);

impl InputSearch<'_> {
    /// Tries `best` without each of its elements alone, as far as nobody has: whole nodes of trees were removed, and the
    /// reader of the result wants to know of each character. Takes none of them.
    pub(super) fn try_without_each(
        &self,
        session: &mut Session,
        oracle: &mut dyn Oracle<Inputs>,
        found: &ReducedInputs,
    ) -> Result<(), Failure> {
        let best = &found.best;
        if best.size() > MOST_ELEMENTS || found.interrupted || self.was_stopped() {
            return Ok(());
        }
        let mut last_round = self.last_round.borrow_mut();
        last_round.begin(best);
        let mut all: Vec<Inputs> =
            best.0.iter().flat_map(|input| without_each(best, input)).collect();
        all.retain(|candidate| !last_round.knows(candidate));
        let in_time = session.interrupt.until(Instant::now() + TIME);
        let mut keeping = Keeping::new(oracle, self.kept);
        for candidates in all.chunks(keeping.batch().max(1)) {
            let asked = session.counts().candidates;
            if stop_reason(&in_time, asked, self.config.control.max_candidates).is_some() {
                break;
            }
            let outcomes = match keeping.ask_all(candidates) {
                Err(error) if is_interrupt(&error) => break,
                outcomes => outcomes.map_err(|error| trouble(&error))?,
            };
            session
                .count_search(Counts { candidates: candidates.len() as u64, ..Counts::default() });
            for (candidate, outcome) in candidates.iter().zip(outcomes) {
                last_round.add(candidate, outcome);
                if outcome.is_fail() && !self.texts.have_trees(candidate) {
                    last_round.add_no_text(candidate);
                }
            }
        }
        Ok(())
    }
}
