//! What is left, tried without each of its elements alone: not each search asks about each of them, and the reader of the
//! result wants to know.

use std::time::{Duration, Instant};

use super::InputSearch;
use crate::app::failure::Result;
use crate::app::limits::stop_reason;
use crate::app::search_driver::trouble;
use crate::jobs::inputs::keeping::Keeping;
use crate::jobs::inputs::last_round::Refused;
use crate::jobs::inputs::reduced_inputs::ReducedInputs;
use crate::jobs::inputs::why_left::{MOST_ELEMENTS, without_each};
use crate::oracle::process::is_interrupt;
use crate::reduce::inputs::Inputs;
use crate::reduce::{Counts, Oracle};

/// How long that may take: it makes nothing smaller.
const TIME: Duration = Duration::from_secs(5);

impl InputSearch<'_> {
    /// What was found without each of its elements, as far as that has not been tried; nothing where nobody asks why
    /// something is left: the search has not ended by itself.
    pub fn untried(&self, found: &ReducedInputs) -> Vec<Inputs> {
        let best = &found.best;
        let is_over = !found.interrupted && !self.was_stopped() && self.minimizes();
        if !is_over || best.size() > MOST_ELEMENTS {
            return Vec::new();
        }
        let mut last_round = self.last_round.borrow_mut();
        last_round.begin(best);
        let all = best.0.iter().flat_map(|input| without_each(best, input));
        all.filter(|candidate| !last_round.knows(candidate)).collect()
    }

    /// Tries these candidates, and takes none of them.
    ///
    /// # Errors
    /// When they cannot be run.
    pub fn try_all(&self, oracle: &mut dyn Oracle<Inputs>, all: &[Inputs]) -> Result<()> {
        let in_time = self.session.interrupt.until(Instant::now() + TIME);
        let mut keeping = Keeping::new(oracle, &self.kept);
        for candidates in all.chunks(keeping.batch().max(1)) {
            let asked = self.session.counts().candidates;
            if stop_reason(&in_time, asked, self.session.config.control.max_candidates).is_some() {
                break;
            }
            let outcomes = match keeping.ask_all(candidates) {
                Err(error) if is_interrupt(&error) => break,
                outcomes => outcomes.map_err(|error| trouble(&error))?,
            };
            let counts = Counts { candidates: candidates.len() as u64, ..Counts::default() };
            self.session.count_search(counts);
            let mut last_round = self.last_round.borrow_mut();
            for (candidate, outcome) in candidates.iter().zip(outcomes) {
                last_round.add(candidate, outcome);
                if let Some(why) = self.refused(candidate).filter(|_| outcome.is_fail()) {
                    last_round.refuse(candidate, why);
                }
            }
        }
        Ok(())
    }

    /// Why a candidate is not taken that fails as well.
    fn refused(&self, candidate: &Inputs) -> Option<Refused> {
        if self.unsettled.is_some() {
            Some(Refused::Unsettled)
        } else if self.texts.have_trees(candidate) {
            None
        } else {
            Some(Refused::NoText)
        }
    }
}
