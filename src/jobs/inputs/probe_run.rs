//! Runs of the probe beside the search, which show what becomes of a failure under other circumstances.

use std::sync::Arc;
use std::time::Duration;

use super::crossing::Crossing;
use super::run_folders::RunFolders;
use super::starting_point::Start;
use crate::app::config::Config;
use crate::app::failure::{Failure, Result};
use crate::app::limits::time_limit;
use crate::app::session::Session;
use crate::exec::{Interrupt, Job};
use crate::oracle::libtest::Verdict;
use crate::oracle::signature::{FailureKind, Signature};
use crate::probe::candidate_file::{CANDIDATE, CandidateFile};
use crate::probe::wire::Encode;
use crate::project::Snapshot;
use crate::reduce::inputs::{Inputs, NodeId, mask};

/// How much longer such a run may take than a candidate: to show values takes some time.
const MORE_TIME: Duration = Duration::from_secs(5);
/// The same where it only tells what it reaches.
const LESS_TIME: Duration = Duration::from_secs(2);

impl Start {
    /// How the message of a panic reads with these inputs, if it reads otherwise than with the original ones.
    ///
    /// # Errors
    /// When the probe cannot be run.
    pub fn message_with(&self, session: &Session, inputs: &Inputs) -> Result<Option<String>> {
        let original = &self.original.signature;
        if original.kind != FailureKind::Panic {
            return Ok(None);
        }
        let run = ProbeRun::new(&session.config, self, &session.interrupt)?;
        let shown = run.shown(Some(inputs), |job| job)?;
        let message = shown.map(|shown| shown.message);
        Ok(message.filter(|message| *message != original.message))
    }
}

/// Runs the test in its probe.
pub(super) struct ProbeRun<'r> {
    /// The test and its probe.
    pub start: &'r Start,
    /// How it is run.
    pub config: &'r Config,
    /// Who may stop it.
    interrupt: &'r Interrupt,
    /// Where it is told what it is.
    pub folders: RunFolders,
    /// How much longer it may take than a candidate.
    time: Duration,
    /// What is put back after each run, if it may destroy that.
    snapshot: Option<Arc<Snapshot>>,
}

impl<'r> ProbeRun<'r> {
    /// Runs with the values at the boundary that are known.
    ///
    /// # Errors
    /// When there is no folder for what it is told.
    pub(super) fn new(
        config: &'r Config,
        start: &'r Start,
        interrupt: &'r Interrupt,
    ) -> Result<Self> {
        let folders = RunFolders::new(config)?.telling(&start.crossing)?;
        Ok(ProbeRun { start, config, interrupt, folders, time: MORE_TIME, snapshot: None })
    }

    /// The same with other values at the boundary.
    ///
    /// # Errors
    /// When there is no folder for what it is told.
    pub(super) fn with_crossing(&self, crossing: &Crossing) -> Result<Self> {
        let folders = RunFolders::new(self.config)?.telling(crossing)?;
        Ok(ProbeRun { folders, snapshot: self.snapshot.clone(), ..*self })
    }

    /// The same for runs that tell no values, with the scratch copy put back after each, where its changes are not thrown
    /// away.
    ///
    /// # Errors
    /// When the copy cannot be read.
    pub(super) fn restoring(self) -> Result<Self> {
        let Start { scratch, probe, .. } = self.start;
        let snapshot = Some(Snapshot::take(scratch, &probe.binary.executable)?);
        Ok(ProbeRun { time: LESS_TIME, snapshot, ..self })
    }

    /// The failure that it shows with these inputs, or with the original ones, at its place in the original sources; `told`
    /// says what else it is to do.
    ///
    /// # Errors
    /// When it cannot be run.
    pub(super) fn shown(
        &self,
        inputs: Option<&Inputs>,
        prepare: impl FnOnce(Job) -> Job,
    ) -> Result<Option<Signature>> {
        let Start { subject, probe, original, scratch, .. } = self.start;
        let candidate = inputs.map(|inputs| self.candidate(inputs)).transpose()?;
        let job = prepare(subject.runner.job(&probe.binary, &subject.test, &self.config.test_args));
        let job = candidate.iter().fold(job, |job, candidate| job.env(CANDIDATE, candidate.path()));
        let limit = time_limit(self.config, &original.signature, &original.baseline) + self.time;
        let confined = self.folders.confine(self.config, job, [scratch.root().as_std_path()]);
        let finished = confined.map(|job| job.time(limit)).run(self.interrupt)?;
        if let Some(snapshot) = &self.snapshot {
            snapshot.restore()?;
        }
        Ok(match subject.runner.interpret(&finished, &subject.test) {
            Verdict::Failed(shown) => Some(subject.mapped_back(&shown, &probe.rewritten.files)),
            Verdict::Passed | Verdict::NotRun => None,
        })
    }

    /// The same in the place of the call that leads to the failure, where that is in the standard library.
    ///
    /// # Errors
    /// When it cannot be run.
    pub(super) fn shown_at_call(
        &self,
        inputs: Option<&Inputs>,
        prepare: impl FnOnce(Job) -> Job,
    ) -> Result<Option<Signature>> {
        let original = &self.start.original;
        let shown = self.shown(inputs, prepare)?;
        Ok(shown.map(|mut mapped| {
            if original.call.is_some() {
                mapped.location.clone_from(&original.signature.location);
            }
            mapped
        }))
    }

    /// Whether it fails in the same way.
    ///
    /// # Errors
    /// When it cannot be run.
    pub(super) fn fails_alike(
        &self,
        inputs: Option<&Inputs>,
        prepare: impl FnOnce(Job) -> Job,
    ) -> Result<bool> {
        let Start { subject, original, .. } = self.start;
        let matcher = original.matcher(subject);
        let shown = self.shown_at_call(inputs, prepare)?;
        Ok(shown.is_some_and(|shown| matcher.is_same(&shown, &subject.found.inputs)))
    }

    /// The file that tells the probe of these inputs.
    fn candidate(&self, inputs: &Inputs) -> Result<CandidateFile> {
        let Start { subject, probe, .. } = self.start;
        let is_probed = |id: NodeId| probe.rewritten.probed.contains(&id);
        let base = mask(&subject.found.inputs, is_probed);
        let mut changes = Vec::new();
        subject.wire(&base).changes(&base, &mask(inputs, is_probed), &mut changes);
        CandidateFile::write(self.folders.folder(), &changes)
            .map_err(|error| Failure::no_temporary_file(&error))
    }
}
