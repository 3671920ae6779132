//! Values that cross the boundary: seen in one run of the probe, and held for all others.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::reading::copy_of;
use super::run_folders::RunFolders;
use super::start::Start;
use crate::app::config::Config;
use crate::app::failure::Failure;
use crate::app::limits::{LEAST_LIMIT, time_limit};
use crate::app::session::Session;
use crate::exec::Job;
use crate::oracle::libtest::Verdict;
use crate::oracle::signature::FailureKind;
use crate::probe::wire::{Wire, put_bytes, put_u32};
use crate::project::Scratch;
use crate::reduce::inputs::{Node, NodeId};
use crate::source::FoundInputs;

/// Names the folder in which the runtime shows values.
const RECORD: &str = "__CARGO_REDUCE_RECORD";
/// Names the file with the values of all candidates that say nothing else.
const OBSERVED: &str = "__CARGO_REDUCE_OBSERVED";
/// Names the file with the files that are inputs.
const FILES: &str = "__CARGO_REDUCE_FILES";
/// These files, in a folder of ours.
const FILE: &str = "observed";
const OPENED: &str = "opened";

/// The values that were seen, as the runtime reads them; nothing where there is none.
#[derive(Debug, Clone, Default)]
pub struct Crossing {
    observed: Vec<u8>,
    files: Vec<u8>,
}

impl Crossing {
    /// The values and files in `found`; `scratch` is where a run finds these.
    pub fn of(found: &FoundInputs, scratch: &Scratch) -> Self {
        let observed = found.observed.iter();
        let wire = Wire::new(&found.inputs)
            .observing(observed.map(|(root, observed)| (*root, observed.place)));
        Crossing { observed: wire.crossing(&found.inputs), files: files_of(found, scratch) }
    }

    /// Puts them into a folder of ours.
    ///
    /// # Errors
    /// When that is refused.
    pub fn write(&self, folder: &Path) -> Result<(), Failure> {
        std::fs::write(folder.join(FILE), &self.observed)
            .and_then(|()| std::fs::write(folder.join(OPENED), &self.files))
            .map_err(|error| Failure::error(format!("cannot write a temporary file: {error}")))
    }

    /// Tells a run where they are.
    pub fn tell(&self, job: Job, folder: &Path) -> Job {
        if self.observed.is_empty() {
            return job;
        }
        job.env(OBSERVED, folder.join(FILE)).env(FILES, folder.join(OPENED))
    }
}

/// The files that are inputs, as the runtime reads them.
fn files_of(found: &FoundInputs, scratch: &Scratch) -> Vec<u8> {
    let (mut out, mut count) = (Vec::new(), 0);
    for root in &found.opened.roots {
        let list = found.inputs.get(*root);
        let files = list.iter().flat_map(|list| list.children());
        for (ordinal, file) in (0..).zip(files) {
            let original = found.files.get(&file.id);
            let copy = original.and_then(|path| copy_of(scratch, path));
            let content = original.and_then(|path| found.opened.files.get(path));
            if let (Some(copy), Some(content)) = (copy, content) {
                count += 1;
                put_u32(&mut out, file.id.0);
                put_u32(&mut out, root.0);
                put_u32(&mut out, ordinal);
                put_bytes(&mut out, copy.as_str().as_bytes());
                put_bytes(&mut out, content);
            }
        }
    }
    let mut counted = Vec::new();
    put_u32(&mut counted, count);
    counted.extend(out);
    counted
}

impl Start {
    /// Sees which values cross the boundary in the failing run, and takes those as inputs with which the test fails
    /// in the same way when they are given instead of computed.
    ///
    /// # Errors
    /// When nothing is left to reduce, or the probe cannot be run.
    pub fn observing(mut self, session: &mut Session, config: &Config) -> Result<Self, Failure> {
        if self.original.baseline.is_stable() {
            self.observe(session, config)?;
            self.reading(session, config)?;
        }
        self.subject.check_choice(&config.choice)?;
        self.subject.has_inputs()?;
        Ok(self)
    }

    fn observe(&mut self, session: &mut Session, config: &Config) -> Result<(), Failure> {
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
        let folders = RunFolders::new(config)?;
        let run = Run { start: self, session, config, folders: &folders };
        if !run.fails_alike(|job| job.env(RECORD, folders.open()))? {
            return Ok(());
        }
        let mut shown = Vec::new();
        for id in wanted {
            let file = folders.open().join(id.0.to_string());
            // A place that was not reached, or holds a value that cannot be written out, shows none.
            let Ok(bytes) = std::fs::read(file) else {
                continue;
            };
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
        let nodes = self
            .subject
            .found
            .inputs
            .0
            .iter()
            .filter(|root| self.subject.found.observed.contains_key(&root.id));
        let ids: Vec<NodeId> = nodes.flat_map(|root| ids_of(root)).collect();
        let probes =
            self.other.as_mut().map(|other| &mut other.probe).into_iter().chain([&mut self.probe]);
        for probe in probes {
            probe.rewritten.probed.extend(ids.iter().copied());
        }
        Ok(())
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
        let place = signature.location.as_ref().and_then(|place| self.subject.offset_of(place));
        match place {
            Some((file, offset)) => {
                self.subject.krate.is_in_test(&self.subject.located, file, offset)
            }
            None => matches!(signature.kind, FailureKind::Error | FailureKind::ShouldPanic),
        }
    }
}

fn ids_of(node: &Node) -> Vec<NodeId> {
    let mut ids = vec![node.id];
    for child in node.children() {
        ids.extend(ids_of(child));
    }
    ids
}

/// Runs the probe.
pub(super) struct Run<'r> {
    /// The test and its probe.
    pub start: &'r Start,
    /// Who may stop it.
    pub session: &'r Session,
    /// How it is run.
    pub config: &'r Config,
    /// Where it is told what it is.
    pub folders: &'r RunFolders,
}

impl Run<'_> {
    /// The values with which the test fails in the same way.
    fn taken(&self, shown: Vec<(NodeId, Vec<u8>)>) -> Result<Vec<(NodeId, Vec<u8>)>, Failure> {
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

    fn fails_with(&self, shown: &[(NodeId, Vec<u8>)]) -> Result<bool, Failure> {
        let crossing = Crossing::of(&self.start.found_with(shown), &self.start.scratch);
        let folder: PathBuf = self.folders.folder().to_owned();
        crossing.write(&folder)?;
        self.fails_alike(|job| crossing.tell(job, &folder))
    }

    /// Whether it fails in the same way when it is told so.
    pub(super) fn fails_alike(&self, told: impl FnOnce(Job) -> Job) -> Result<bool, Failure> {
        let Start { subject, probe, original, scratch, .. } = self.start;
        let job = subject.runner.job(&probe.binary, &subject.test, &self.config.test_args);
        let limit = time_limit(self.config, &original.signature, &original.baseline);
        // To show values takes some time.
        let limit = limit.max(LEAST_LIMIT) + Duration::from_secs(5);
        let job = told(job.time(limit));
        let root = scratch.root().as_std_path();
        let finished =
            self.folders.confine(self.config, job, [root]).run(&self.session.interrupt)?;
        let Verdict::Failed(shown) = subject.runner.interpret(&finished, &subject.test) else {
            return Ok(false);
        };
        let mut mapped = subject.mapped_back(&shown, &probe.rewritten.files);
        if original.call.is_some() {
            mapped.location.clone_from(&original.signature.location);
        }
        Ok(original.matcher(subject).is_same(&mapped, &subject.found.inputs))
    }
}
