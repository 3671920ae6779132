//! Files that the failing run reads: seen as they are opened, whoever opens them, and inputs where the failure depends on
//! them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::crossing::Crossing;
use super::probe_run::ProbeRun;
use super::starting_point::Start;
use super::subject::Subject;
use crate::app::config::{Config, TestJob};
use crate::app::failure::Result;
use crate::app::session::Session;
use crate::exec::{Job, OpenWatch, run_tool};
use crate::oracle::baseline::Baseline;
use crate::oracle::signature::{FailureKind, Match};
use crate::project::Scratch;
use crate::reduce::inputs::{Body, Inputs, NodeId};
use crate::source::{Origin, ValueKind};

/// What is read of files at most: how many, bytes of one, and of all.
const MOST_FILES: usize = 400;
const LARGEST: u64 = 4 << 20;
const MOST_BYTES: u64 = 16 << 20;

/// A run that is watched may take so much longer than others.
const TIME: Duration = Duration::from_secs(5);

impl Subject {
    /// The same with the files that the failing run opens; `job` runs the unchanged test.
    ///
    /// # Errors
    /// When the test cannot be run.
    pub fn watching(mut self, session: &Session, job: &Job, baseline: &Baseline) -> Result<Self> {
        let is_hang = baseline
            .signature
            .as_ref()
            .is_some_and(|signature| signature.kind == FailureKind::Timeout);
        let can_be_changed =
            baseline.is_stable() && !is_hang && session.config.job == TestJob::Inputs;
        let target = session.workspace.target_directory();
        let without = [target.as_std_path()];
        let root = self.root.as_std_path();
        let watch = OpenWatch::new(root, &without).filter(|_| can_be_changed);
        let Some(watch) = watch else { return Ok(self) };
        let job = job.clone().time(baseline.slowest * 2 + TIME);
        run_tool(&job, &session.interrupt)?;
        let opened = watch.opened();
        if opened.is_cut {
            session.warn("the test opens too many files or folders to watch, so some files that it reads may not be reduced");
        }
        let mut left = MOST_BYTES;
        for path in opened.files {
            if self.is_source(&path) {
                continue;
            }
            let size = std::fs::metadata(&path).map_or(0, |metadata| metadata.len());
            let is_small = size <= LARGEST.min(left) && self.found.opened.files.len() < MOST_FILES;
            let content = is_small.then(|| std::fs::read(&path).ok()).flatten();
            match content {
                Some(content) => {
                    left -= size;
                    self.found.opened.files.insert(path, content);
                }
                _ => self.unreduced.push(path),
            }
        }
        Ok(self)
    }

    /// Whether a file is none that a test has for an input: a source or manifest, or what it expects.
    fn is_source(&self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_manifest = matches!(&*name, "Cargo.toml" | "Cargo.lock");
        let is_snapshot = name.ends_with(".snap");
        is_manifest || is_snapshot || self.krate.file_at(path).is_some()
    }
}

impl Start {
    /// Takes the files that the failing run opens as inputs, where it does not fail in the same way without them.
    ///
    /// # Errors
    /// When the probe cannot be run.
    pub fn reading(&mut self, session: &Session) -> Result<()> {
        self.leave_other_files();
        if self.subject.found.opened.files.is_empty() {
            return Ok(());
        }
        let before = self.crossing.clone();
        let subject = &mut self.subject;
        subject.found.open_files(&subject.krate, &subject.located);
        let roots: Vec<_> = subject.found.opened.roots.iter().copied().collect();
        if roots.is_empty() {
            // They are inputs by the literals that name them.
            return Ok(());
        }
        let mut ids = Vec::new();
        for root in &roots {
            subject.numbers.add(*root);
            if !session.config.choice.takes(subject.numbers.of(&subject.found, *root)) {
                subject.found.close_files(*root);
                continue;
            }
            let files = subject.found.inputs.get(*root);
            let files = files.iter().flat_map(|root| root.children());
            ids.extend(files.map(|file| file.id).chain([*root]));
        }
        self.probe_also(&ids);
        let depends = self.depends_on_files(session)?;
        self.restore_files(&session.config)?;
        match depends {
            Some(true) => self.keep_file_names(),
            Some(false) if self.is_read_as_value() || !self.is_asserted() => {
                self.keep_file_names();
                self.close_all(before);
            }
            // Of a condition that is false it is not known why.
            Some(false) | None => {
                let files = self.subject.found.opened.files.keys().cloned();
                self.subject.unreduced.extend(files);
                self.close_all(before);
            }
        }
        Ok(())
    }

    /// Beside another version, files are no inputs where it has others, or where values that cross the boundary are inputs.
    fn leave_other_files(&mut self) {
        let Some(other) = &self.other else { return };
        let are_values = !self.subject.found.observed.is_empty();
        let is_other = |path: &PathBuf, content: &mut Vec<u8>| {
            let copy = other.scratch.copy_of(path);
            are_values || copy.and_then(|copy| std::fs::read(copy).ok()).as_ref() != Some(content)
        };
        let others = self.subject.found.opened.files.extract_if(.., is_other);
        self.subject.unreduced.extend(others.map(|(path, _)| path));
    }

    /// The files are no inputs after all.
    fn close_all(&mut self, before: Crossing) {
        for root in self.subject.found.opened.roots.clone() {
            self.subject.found.close_files(root);
        }
        self.subject.found.opened.files.clear();
        self.crossing = before;
    }

    /// Whether values that are inputs were read, from the files perhaps.
    fn is_read_as_value(&self) -> bool {
        let found = &self.subject.found;
        let mut observed = found.observed.keys();
        observed.any(|root| found.origin(*root) == Origin::Read)
    }

    /// Whether the failure is that of an assertion in the test.
    fn is_asserted(&self) -> bool {
        let place = self.subject.failed_at(&self.original.signature);
        place.is_some_and(|(file, offset)| self.subject.krate.asserted_in(file, offset).is_some())
    }

    /// What names a file that is read, or a folder of such, is no input of its own: with another name, other files are
    /// read.
    fn keep_file_names(&mut self) {
        let Subject { found, krate, .. } = &mut self.subject;
        let names = found.file_names(krate).into_iter();
        let names: Vec<_> = names.map(|name| (name.file, name.range.clone())).collect();
        let is_name = |id: NodeId| {
            let place = found.place(id);
            let is_file = matches!(place.kind, ValueKind::File(_));
            !is_file && names.contains(&(place.file, place.range()))
        };
        let dropped: Vec<NodeId> =
            found.inputs.0.iter().map(|root| root.id).filter(|id| is_name(*id)).collect();
        found.inputs.0.retain(|root| !dropped.contains(&root.id));
    }

    /// Whether the failure depends on any of the files; those of folders on which it does not are no inputs. `None`
    /// where that cannot be said: where they cannot be changed, or either of two may be the one that is wrong.
    fn depends_on_files(&mut self, session: &Session) -> Result<Option<bool>> {
        self.crossing = Crossing::of(&self.subject.found, &self.scratch);
        let run = ProbeRun::new(&session.config, self, &session.interrupt)?;
        let fails_with = |inputs: &Inputs| run.fails_alike(Some(inputs), |job| job);
        let found = &self.subject.found;
        if !fails_with(&found.inputs)? {
            return Ok(None);
        }
        if fails_with(&found.without_opened_files())? {
            return Ok(Some(false));
        }
        let is_relation = matches!(self.original.rule, Match::Relation);
        if is_relation && !run.expects_of_an_input()? {
            return Ok(None);
        }
        let mut idle = Vec::new();
        for root in &found.opened.roots {
            let without = found.inputs.replace(*root, Body::Seq(Vec::new()));
            if fails_with(&without)? {
                idle.push(*root);
            }
        }
        if idle.len() < found.opened.roots.len() {
            for root in idle {
                self.subject.found.close_files(root);
            }
            self.crossing = Crossing::of(&self.subject.found, &self.scratch);
        }
        if is_relation {
            self.pin(session);
        }
        Ok(Some(true))
    }

    /// Puts the files back, where changes of candidates are not thrown away.
    fn restore_files(&self, config: &Config) -> Result<()> {
        if config.sandbox.discards() {
            return Ok(());
        }
        for (path, content) in &self.subject.found.opened.files {
            if let Some(copy) = self.scratch.copy_of(path) {
                self.scratch.write(&copy, content)?;
            }
        }
        Ok(())
    }
}

/// Files that are out of the way until they are put back.
pub struct Hidden<'h> {
    scratch: &'h Scratch,
    files: BTreeMap<camino::Utf8PathBuf, Vec<u8>>,
}

impl<'h> Hidden<'h> {
    /// Takes these files of the user's out of the copy: what reads smaller ones in their place must not need them.
    ///
    /// # Errors
    /// When they cannot be removed.
    pub fn new(scratch: &'h Scratch, files: &[(PathBuf, Vec<u8>)]) -> Result<Self> {
        let files = files
            .iter()
            .filter_map(|(path, content)| Some((scratch.copy_of(path)?, content.clone())));
        let hidden = Hidden { scratch, files: files.collect() };
        for path in hidden.files.keys() {
            scratch.remove(path)?;
        }
        Ok(hidden)
    }

    /// Puts them back.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn put_back(self) -> Result<()> {
        for (path, content) in &self.files {
            self.scratch.write(path, content)?;
        }
        Ok(())
    }
}
