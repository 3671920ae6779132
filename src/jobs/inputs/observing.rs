//! Values that cross the boundary: seen in one run of the probe, and held for all others.

use std::collections::BTreeSet;

use super::crossing::Crossing;
use super::probe_run::ProbeRun;
use super::reaching::learn;
use super::starting_point::Start;
use crate::app::failure::Result;
use crate::app::session::Session;
use crate::oracle::signature::FailureKind;
use crate::reduce::inputs::NodeId;
use crate::source::FoundInputs;

/// Names the folder in which the runtime shows values.
const RECORD: &str = "__CARGO_REDUCE_RECORD";

impl Start {
    /// Sees which values cross the boundary in the failing run, and takes those as inputs with which the test fails
    /// in the same way when they are given instead of computed.
    ///
    /// # Errors
    /// When nothing is left to reduce, or the probe cannot be run.
    pub fn observing(mut self, session: &Session) -> Result<Self> {
        if self.original.baseline.is_stable() {
            self.observe(session)?;
            self.reading(session)?;
            self.expecting(session)?;
            if !self.subject.found.observed.is_empty()
                || !self.subject.found.opened.files.is_empty()
            {
                self.original.seen = learn(session, &self)?;
            }
        }
        self.subject.check_choice(&session.config.choice)?;
        self.subject.has_inputs()?;
        Ok(self)
    }

    fn observe(&mut self, session: &Session) -> Result<()> {
        let is_probed = |id: NodeId| {
            let other = self.other.as_ref();
            self.probe.rewritten.probed.contains(&id)
                && other.is_none_or(|other| other.probe.rewritten.probed.contains(&id))
        };
        let is_compared = self.compares_values();
        let wanted: BTreeSet<NodeId> = self
            .subject
            .found
            .boundary
            .iter()
            .filter(|place| is_probed(place.id) && !(place.is_derived && is_compared))
            .map(|place| place.id)
            .collect();
        if wanted.is_empty() {
            return Ok(());
        }
        let run = ProbeRun::new(&session.config, self, &session.interrupt)?;
        if !run.fails_alike(None, |job| job.env(RECORD, run.folders.open()))? {
            return Ok(());
        }
        let mut shown = Vec::new();
        for id in wanted {
            let file = run.folders.open().join(id.0.to_string());
            // A place that was not reached, or holds a value that cannot be written out, shows none.
            let Ok(bytes) = std::fs::read(file) else { continue };
            let root = self.scratch.root().as_str().as_bytes();
            // A path of the copy is none of the user's.
            if !bytes.windows(root.len()).any(|part| part == root) {
                shown.push((id, bytes));
            }
        }
        let taken = run.taken(shown)?;
        if taken.is_empty() {
            return Ok(());
        }
        self.subject.found = self.found_with(&taken);
        self.crossing = Crossing::of(&self.subject.found, &self.scratch);
        let ids: Vec<NodeId> = self.subject.found.observed_inputs().ids().collect();
        self.probe_also(&ids);
        Ok(())
    }

    /// Candidates may say something of these, too, in all builds.
    pub(super) fn probe_also(&mut self, ids: &[NodeId]) {
        let other = self.other.as_mut().map(|other| &mut other.probe);
        for probe in other.into_iter().chain([&mut self.probe]) {
            probe.rewritten.probed.extend(ids.iter().copied());
        }
    }

    /// The inputs with the values that were shown.
    fn found_with(&self, shown: &[(NodeId, Vec<u8>)]) -> FoundInputs {
        let mut found = self.subject.found.clone();
        let shown = shown.iter().cloned();
        found.observe(&self.subject.krate, &self.subject.located, shown);
        found
    }

    /// Whether the failure is that of a comparison in the test, which relates what it computes from its inputs to
    /// the result.
    fn compares_values(&self) -> bool {
        let signature = &self.original.signature;
        match self.subject.failed_at(signature) {
            Some((file, offset)) => {
                self.subject.krate.is_in_test(&self.subject.located, file, offset)
            }
            None => matches!(signature.kind, FailureKind::Error | FailureKind::ShouldPanic),
        }
    }
}

impl ProbeRun<'_> {
    /// The values with which the test fails in the same way.
    fn taken(&self, shown: Vec<(NodeId, Vec<u8>)>) -> Result<Vec<(NodeId, Vec<u8>)>> {
        if shown.is_empty() || self.fails_with(&shown)? {
            return Ok(shown);
        }
        let mut taken = Vec::new();
        for one in shown {
            taken.push(one);
            if !self.fails_with(&taken)? {
                taken.pop();
            }
        }
        Ok(taken)
    }

    fn fails_with(&self, shown: &[(NodeId, Vec<u8>)]) -> Result<bool> {
        let crossing = Crossing::of(&self.start.found_with(shown), &self.start.scratch);
        self.with_crossing(&crossing)?.fails_alike(None, |job| job)
    }
}
