//! How the reduced test fails: its message, and the statements that it reaches before.

use std::path::Path;

use super::probe_run::ProbeRun;
use super::prober::{Probe, build_targets};
use super::starting_point::Start;
use super::subject::Subject;
use super::variants::variants;
use super::write_out::write_sources;
use crate::app::config::Config;
use crate::app::failure::{Failure, Result};
use crate::app::session::Session;
use crate::exec::Interrupt;
use crate::oracle::signature::{FailureKind, Signature};
use crate::probe::{REACHED, RUNTIME, RUNTIME_FILE, rewrite};
use crate::reduce::inputs::Inputs;
use crate::source::{Cut, Failed, Reached};

/// The end of a failing run.
pub struct End {
    /// The failure, at its place in the original sources.
    pub shown: Signature,
    /// What was reached before it.
    pub reached: Reached,
}

impl End {
    /// What a test that ends so can do without. One that does not panic as it should has come to its end.
    pub fn unreached(&self, subject: &Subject) -> Vec<Cut> {
        if self.shown.kind == FailureKind::ShouldPanic {
            return Vec::new();
        }
        let never_returned = match self.shown.kind {
            FailureKind::Panic => self.shown.location.is_some(),
            kind => kind == FailureKind::Timeout,
        };
        let failed = Failed { at: subject.failed_at(&self.shown), never_returned };
        subject.krate.unreached(&subject.located, &self.reached, failed)
    }
}

/// Runs the test in its probe with `best`, in a process of its own. `None` if it does not fail in the same way there:
/// what the probe cannot change it has as it was.
///
/// # Errors
/// When it cannot be run.
pub fn watch(config: &Config, start: &Start, best: &Inputs) -> Result<Option<End>> {
    // The user may have stopped the search, but wants its result.
    let interrupt = Interrupt::new();
    let run = ProbeRun::new(config, start, &interrupt)?.restoring()?;
    let marks = run.folders.open().join("reached");
    std::fs::write(&marks, []).map_err(|error| failure(&error))?;
    let shown = run.shown(Some(best), |job| job.env(REACHED, &marks))?;
    let Some(shown) = shown else { return Ok(None) };
    let reached = read(&marks).map_err(|error| failure(&error))?;
    let matcher = start.original.matcher(&start.subject);
    Ok(matcher.is_alike(&shown, best).then_some(End { shown, reached }))
}

/// The same, in a build of its own with `best` in the sources: for what the probe has as it was.
///
/// # Errors
/// When the copy cannot be written, or what was built cannot be run.
pub fn watch_rebuilt(session: &Session, start: &mut Start, best: &Inputs) -> Result<Option<End>> {
    let Some(probe) = rebuilt(session, start, best)? else { return Ok(None) };
    let whole = std::mem::replace(&mut start.probe, probe);
    let end = watch(&session.config, start, best);
    start.probe = whole;
    end
}

/// A build of the sources with `best` that tells what it reaches; `None` if they do not build with all that this takes.
fn rebuilt(session: &Session, start: &Start, best: &Inputs) -> Result<Option<Probe>> {
    let Start { subject, scratch, .. } = start;
    let Subject { krate, found, located, .. } = subject;
    let runtime = scratch.root().join(RUNTIME_FILE);
    scratch.write(&runtime, RUNTIME.as_bytes())?;
    let all = found.inputs.nodes().map(|node| node.id).collect();
    let mut rewritten = rewrite(krate, found, located, &all, runtime.as_str());
    let smaller = found.write_back(krate, best);
    for (file, smaller) in &smaller.edits {
        let of_file = rewritten.files.iter_mut().find(|(other, _)| other == file);
        let Some((_, edits)) = of_file else {
            rewritten.files.push((*file, smaller.clone()));
            continue;
        };
        for edit in smaller.iter() {
            // A mark may stand where an input begins.
            edits.cover(edit.range.clone(), &*edit.text);
        }
    }
    write_sources(subject, scratch, &rewritten.files, &smaller, &[])?;
    let choice = std::slice::from_ref(&subject.target.choice);
    // The user may have stopped the search, but wants its result.
    let built = build_targets(&session.config, subject, scratch, choice, &Interrupt::new())?;
    session.count_build(built.success);
    scratch.remove(&runtime)?;
    let binary = built.binaries.into_iter().find(|binary| binary.choice == subject.target.choice);
    Ok(binary.filter(|_| built.success).map(|binary| Probe { binary, rewritten }))
}

/// Messages of the same failure with slightly other inputs, where these tell what of the message follows the inputs.
///
/// # Errors
/// When the test cannot be run.
pub fn learn(session: &Session, start: &Start) -> Result<Vec<String>> {
    let Start { subject, original, .. } = start;
    let mut original = original.clone();
    if !original.matcher(subject).can_learn() {
        return Ok(original.seen);
    }
    let run = ProbeRun::new(&session.config, start, &session.interrupt)?.restoring()?;
    for variant in variants(&subject.found.inputs) {
        let shown = run.shown(Some(&variant), |job| job)?;
        let expected = &original.signature;
        let alike = shown
            .filter(|shown| (shown.kind, &shown.location) == (expected.kind, &expected.location));
        let Some(shown) = alike else { continue };
        original.seen.push(shown.message);
        if !original.matcher(subject).can_learn() {
            break;
        }
    }
    Ok(original.seen)
}

fn failure(error: &std::io::Error) -> Failure {
    Failure::error(format!("cannot watch the test: {error}"))
}

fn read(marks: &Path) -> std::io::Result<Reached> {
    let bytes = std::fs::read(marks)?;
    let (times, _) = bytes.as_chunks::<8>();
    let times = times.iter().map(|time| u64::from_le_bytes(*time));
    Ok(Reached(times.collect()))
}
