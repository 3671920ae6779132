//! How the reduced test fails: its message, and the statements that it reaches before.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::run_folders::RunFolders;
use super::starting_point::Start;
use crate::app::config::Config;
use crate::app::failure::{Failure, Result};
use crate::app::session::Session;
use crate::exec::{Interrupt, Job};
use crate::oracle::signature::Signature;
use crate::probe::REACHED;
use crate::probe::candidate_file::{CANDIDATE, CandidateFile};
use crate::probe::wire::Encode;
use crate::project::Snapshot;
use crate::reduce::inputs::{Body, Inputs, NodeId, Value, mask};
use crate::source::Reached;

/// How much longer a run may take that tells what it reaches.
const TIME: Duration = Duration::from_secs(2);

/// So many texts are changed to learn what follows them.
const TEXTS: usize = 3;

/// The end of a failing run.
pub struct End {
    /// The failure, at its place in the original sources.
    pub shown: Signature,
    /// What was reached before it.
    pub reached: Reached,
}

/// Runs the test in its probe with `best`, in a process of its own. `None` if it does not fail in the same way there:
/// what the probe cannot change it has as it was.
///
/// # Errors
/// When it cannot be run.
pub fn watch(config: &Config, start: &Start, best: &Inputs) -> Result<Option<End>> {
    let run = Run::new(config, start)?;
    let marks = run.folders.open().join("reached");
    std::fs::write(&marks, []).map_err(|error| told(&error))?;
    // The user may have stopped the search, but wants its result.
    let Some(shown) = run.shown(&Interrupt::new(), best, Some(&marks))? else { return Ok(None) };
    let reached = read(&marks).map_err(|error| told(&error))?;
    let matcher = start.original.matcher(&start.subject);
    Ok(matcher.is_alike(&shown, best).then_some(End { shown, reached }))
}

/// Messages of the same failure with slightly other inputs, where these tell what of the message follows the inputs.
///
/// # Errors
/// When the test cannot be run.
pub fn learn(session: &Session, start: &Start) -> Result<Vec<String>> {
    let Start { subject, original, .. } = start;
    let mut messages = Vec::new();
    if !original.matcher(subject).can_learn() {
        return Ok(messages);
    }
    let run = Run::new(&session.config, start)?;
    for variant in variants(&subject.found.inputs) {
        let shown = run.shown(&session.interrupt, &variant, None)?;
        let expected = &original.signature;
        let alike = shown
            .filter(|shown| (shown.kind, &shown.location) == (expected.kind, &expected.location));
        messages.extend(alike.map(|shown| shown.message));
    }
    Ok(messages)
}

/// Inputs whose longest texts are a little longer or shorter.
fn variants(inputs: &Inputs) -> Vec<Inputs> {
    let mut texts: Vec<(NodeId, &str)> = inputs
        .nodes()
        .filter_map(|node| match &node.body {
            Body::Leaf(Value::Text(text)) if text.len() > 1 => Some((node.id, text.as_str())),
            _ => None,
        })
        .collect();
    texts.sort_by_key(|(_, text)| std::cmp::Reverse(text.len()));
    let mut variants = Vec::new();
    for (id, text) in texts.into_iter().take(TEXTS) {
        let without_line = |at: usize| {
            let lines = text.split_inclusive('\n').enumerate();
            lines.filter(move |(line, _)| *line != at).map(|(_, line)| line)
        };
        let lines = text.split_inclusive('\n').count();
        let mut changed = vec![
            format!("\n{text}"),
            format!(" {text}"),
            text.chars().skip(1).collect(),
            text.chars().take(text.chars().count() - 1).collect(),
        ];
        if lines > 2 {
            let places = [0, lines / 3, 2 * lines / 3, lines - 1];
            changed.extend(places.map(|at| without_line(at).collect::<String>()));
        }
        variants.extend(changed.into_iter().map(|text| inputs.with_text(id, &text)));
    }
    variants
}

/// Runs of the test in its probe.
struct Run<'r> {
    config: &'r Config,
    start: &'r Start,
    folders: RunFolders,
    /// What a run may destroy, where its changes are not thrown away.
    snapshot: Arc<Snapshot>,
}

impl<'r> Run<'r> {
    fn new(config: &'r Config, start: &'r Start) -> Result<Self> {
        let folders = RunFolders::new(config)?.telling(&start.crossing)?;
        let snapshot = Snapshot::take(&start.scratch, &start.probe.binary.executable)?;
        Ok(Run { config, start, folders, snapshot })
    }

    /// The failure with these inputs, at its place in the original sources; `marks` is the file in which the run tells
    /// what it reaches.
    fn shown(
        &self,
        interrupt: &Interrupt,
        inputs: &Inputs,
        marks: Option<&Path>,
    ) -> Result<Option<Signature>> {
        let Start { subject, probe, .. } = self.start;
        let is_probed = |id: NodeId| probe.rewritten.probed.contains(&id);
        let base = mask(&subject.found.inputs, is_probed);
        let mut changes = Vec::new();
        subject.wire(&base).changes(&base, &mask(inputs, is_probed), &mut changes);
        let candidate =
            CandidateFile::write(self.folders.folder(), &changes).map_err(|error| told(&error))?;
        let told = |job: Job| {
            let job = job.env(CANDIDATE, candidate.path());
            marks.iter().fold(job, |job, marks| job.env(REACHED, marks))
        };
        let shown = self.start.shown_by_probe(self.config, &self.folders, interrupt, TIME, told)?;
        self.snapshot.restore()?;
        Ok(shown)
    }
}

fn told(error: &std::io::Error) -> Failure {
    Failure::error(format!("cannot watch the test: {error}"))
}

fn read(marks: &Path) -> std::io::Result<Reached> {
    let bytes = std::fs::read(marks)?;
    let (times, _) = bytes.as_chunks::<8>();
    let times = times.iter().map(|time| u64::from_le_bytes(*time));
    Ok(Reached(times.collect()))
}
