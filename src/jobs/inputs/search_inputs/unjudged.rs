//! What is found first where another version is the judge of a result that is compared with a value: as if nobody were.
//!
//! Without a judge, what agrees on both sides goes from these and from the inputs together, in steps that a judge, who only
//! says what is right for a candidate as a whole, does not propose. What is found in this way is where the search with the
//! judge begins, if he agrees.

use std::time::Duration;

use super::Runner;
use crate::app::config::{Config, Goal};
use crate::app::failure::Result;
use crate::jobs::inputs::doubt::place_in_test;
use crate::jobs::inputs::run_folders::new_folder;
use crate::jobs::inputs::start::Original;
use crate::oracle::signature::{Match, sides};
use crate::reduce::inputs::{Inputs, NodeId};
use crate::source::Asserted;

/// How long it is searched without the judge.
const TIME: Duration = Duration::from_secs(10);

impl Runner<'_> {
    /// What is found without the judge; `None` if that is nothing, or the test compares no result with a value.
    ///
    /// # Errors
    /// When what candidates have changed cannot be put back.
    pub(super) fn found_unjudged(
        &self,
        is_probed: &dyn Fn(NodeId) -> bool,
    ) -> Result<Option<Inputs>> {
        let signature = &self.failure.signature;
        let place = place_in_test(self.subject, signature);
        let asserted = place.and_then(|(file, at)| self.subject.krate.asserted_in(file, at));
        let is_compared = matches!(asserted, Some(Asserted::Values(Some(_))));
        let is_minimized = self.session.config.goal == Goal::Minimize;
        if !is_compared || !is_minimized || sides(&signature.message).is_none() {
            return Ok(None);
        }
        let mut config = Config::clone(&self.session.config);
        let limit = config.control.max_time;
        config.control.passes_with = None;
        config.control.max_time = Some(limit.map_or(TIME, |limit| limit.min(TIME)));
        config.control.fresh = true;
        config.texts.pattern = None;
        let session = self.session.silent(config);
        let failure = Original { rule: Match::Difference, ..self.failure.clone() };
        let edited = &self.probe.rewritten.files;
        let runner = Runner {
            session: &session,
            other: None,
            failure: &failure,
            is_kept: false,
            folder: new_folder(&self.folder, "unjudged")?,
            passing: self.subject.later_expectations(edited, signature),
            ..self.clone()
        };
        let found = runner.search(is_probed);
        self.session.count_all_of(&session);
        self.snapshot.restore()?;
        // What stands in its way does not in that of the judge.
        let best = found.ok().filter(|found| !found.interrupted).map(|found| found.best);
        Ok(best.filter(|best| best != self.original))
    }
}
