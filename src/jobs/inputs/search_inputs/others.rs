//! Runs of other inputs than those that are reduced: instances of a pattern, and neighbours.

use std::time::Duration;

use super::{BestInputs, Given, Runner};
use crate::app::config::Config;
use crate::app::failure::Failure;
use crate::app::limits::plan;
use crate::app::session::Session;
use crate::jobs::generalize::grammars::Texts;
use crate::jobs::inputs::run_folders::{RunFolders, new_folder};
use crate::jobs::inputs::search::trouble;
use crate::jobs::inputs::start::{Original, Start};
use crate::oracle::flaky::Plan;
use crate::oracle::repeated::RepeatedOracle;
use crate::oracle::signature::{Location, Signature};
use crate::project::Snapshot;
use crate::reduce::inputs::{Inputs, Neighbour, NodeId, mask, neighbours, unmask};
use crate::reduce::{Counts, Oracle, Outcome};
use crate::report::Tier;

/// One in so many failing instances of a pattern is run once more in a fresh process.
const CHECKED_INSTANCES: u32 = 50;

/// Neighbours of inputs.
pub struct Neighbours {
    /// Those that pass.
    pub passing: Vec<Neighbour>,
    /// Those that fail in the same way.
    pub failing: Vec<Neighbour>,
    /// How many were asked.
    pub asked: usize,
}

/// The neighbours of the inputs `best`, which fail, and how they end; they differ in one of the nodes that `may_differ`.
/// One that fails at one of the `places` passes: assertions of the test that hold for the original inputs only.
///
/// # Errors
/// When the probe does not show the failure, or candidates cannot be run.
pub fn ask_neighbours(
    session: &mut Session,
    config: &Config,
    start: &Start,
    (best, may_differ): (&Inputs, &dyn Fn(NodeId) -> bool),
    places: Vec<Location>,
) -> Result<Neighbours, Failure> {
    let Start { subject, probe, .. } = start;
    let folders = RunFolders::new(config)?.telling(&start.crossing)?;
    let is_probed = |id: NodeId| probe.rewritten.probed.contains(&id);
    let original = mask(&subject.found.inputs, is_probed);
    let given = Given {
        best: &BestInputs::of(start),
        original: &original,
        texts: &Texts::default(),
        folders: &folders,
        snapshot: &Snapshot::take(&start.scratch, &probe.binary.executable)?,
    };
    let runner = Runner {
        passing: places,
        ..Runner::new(session, config, start, given)
    };
    let masked = mask(best, is_probed);
    let mut all = neighbours(&masked, |id| is_probed(id) && may_differ(id));
    let Original {
        signature,
        baseline,
        ..
    } = &start.original;
    let limit = runner.limit();
    let expected = runner.reproduce(signature, limit, baseline)?;
    let mut oracle =
        runner.others_oracle(&expected, (Tier::InProcess, limit), plan(config, baseline)?)?;
    let candidates: Vec<Inputs> = all.iter().map(|next| next.inputs.clone()).collect();
    let outcomes = oracle
        .ask_all(&candidates)
        .map_err(|error| trouble(&error))?;
    let asked = all.len();
    session.count_search(Counts {
        candidates: asked as u64,
        ..Counts::default()
    });
    for next in &mut all {
        next.inputs = unmask(&next.inputs, best);
    }
    let ended = |outcome: Outcome| {
        let all = all.iter().zip(&outcomes);
        let with = all.filter(move |(_, of)| **of == outcome);
        with.map(|(next, _)| next.clone()).collect()
    };
    Ok(Neighbours {
        passing: ended(Outcome::Pass),
        failing: ended(Outcome::Fail),
        asked,
    })
}

impl Runner<'_> {
    /// Who judges instances of a pattern. What the test expects of the original text says nothing of
    /// other texts, so an instance that only fails there counts as passing.
    pub(super) fn instances_oracle(
        &self,
        expected: &Signature,
        (tier, limit): (Tier, Duration),
        plan: Plan,
    ) -> Result<Box<dyn Oracle<Inputs>>, Failure> {
        let files = &self.probe.rewritten.files;
        let runner = Runner {
            passing: self.subject.expectations(files),
            folder: new_folder(&self.folder, "instances")?,
            ..self.clone()
        };
        runner.others_oracle(expected, (tier, limit), plan)
    }

    /// The fastest way to run inputs that are no steps of a search.
    fn others_oracle(
        &self,
        expected: &Signature,
        (tier, limit): (Tier, Duration),
        plan: Plan,
    ) -> Result<Box<dyn Oracle<Inputs>>, Failure> {
        let process = self.process(expected.clone(), limit);
        if plan.is_repeated() {
            return Ok(Box::new(RepeatedOracle::new(process, plan)));
        }
        if tier == Tier::InProcess
            && let Some(mut oracle) = self.in_process(expected, limit, Some(&process))?
        {
            // Nearly all instances fail; some of them are checked, not all.
            oracle.check_one_in(CHECKED_INSTANCES);
            return Ok(Box::new(oracle));
        }
        Ok(Box::new(process))
    }
}
