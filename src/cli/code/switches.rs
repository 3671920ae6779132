//! The first and largest part of the search: one build with switches.

use std::path::Path;
use std::time::{Duration, Instant};

use super::search::stop_reason;
use crate::cli::args::TierArg;
use crate::cli::config::Config;
use crate::cli::session::Session;
use crate::cli::start::Original;
use crate::oracle::code::{Compiler, Place, TestRun};
use crate::oracle::signature::Signature;
use crate::oracle::switches::{Levers, RunTier, SwitchJob, Switched, switch};
use crate::passes::{Reduction, Sources};
use crate::reduce::{Approach, Counts, Problem, Stop, apply_patches};

/// What the build with switches is made of, and where the failure stands.
pub struct Scene<'a> {
    /// The sources.
    pub sources: &'a Sources,
    /// Where the failure has to be.
    pub place: &'a Place,
    /// A folder with a short path.
    pub folder: &'a Path,
    /// How long one candidate may take.
    pub limit: Duration,
    /// When the search began.
    pub started: Instant,
}

/// Edits of the sources that a run with the same switches has shown to keep the failure; none where
/// that cannot be tried. They still have to be judged as plain source.
pub fn edits_by_switches(
    session: &mut Session,
    config: &Config,
    original: &Original,
    scene: &Scene<'_>,
    (run, mut compiler): (TestRun<'_>, Compiler),
) -> Vec<(usize, Reduction)> {
    if config.control.tier == Some(TierArg::Rebuild) || !original.baseline.is_stable() {
        return Vec::new();
    }
    let started = scene.started;
    let interrupt = session.interrupt.clone();
    let same = |shown: &Signature| scene.place.is_same(shown, scene.sources);
    let stop = |counts: Counts| stop_reason(config, started, counts.candidates, &interrupt);
    let job = SwitchJob {
        sources: scene.sources,
        roots: &roots(&compiler, scene.sources),
        run,
        rule: original.rule.clone(),
        kind: original.signature.kind,
        same: &same,
        limit: scene.limit,
        workers: config.workers,
        folder: scene.folder,
        interrupt: &interrupt,
        stop: &stop,
        levers: Levers::Switches,
    };
    let switched = switch(&job, &mut compiler);
    let counts = compiler.counts();
    session.count_builds(counts.builds, counts.checks);
    match switched {
        Ok(switched) => {
            session.count_search(switched.counts);
            tell(session, &switched);
            switched.reductions
        }
        Err(_) if interrupt.is_set() => Vec::new(),
        Err(error) => {
            session.warn(format!(
                "there is no build with switches, so every candidate is compiled: {error}"
            ));
            Vec::new()
        }
    }
}

fn roots(compiler: &Compiler, sources: &Sources) -> Vec<usize> {
    { compiler.crates().all.iter() }
        .filter_map(|krate| krate.files.first())
        .filter_map(|root| { sources.files.iter() }.position(|file| *root == *file.path))
        .collect()
}

fn tell(session: &mut Session, switched: &Switched) {
    let tier = match switched.tier {
        Some(RunTier::InProcess) => "in one process",
        Some(RunTier::Process) => "in a process each",
        None => "",
    };
    session.stage(
        "Switched",
        format!(
            "{} places, {} of which run; {} candidates {tier}: {} edits",
            switched.places - switched.taken_back,
            switched.executed,
            switched.counts.candidates,
            switched.reductions.len(),
        ),
    );
}

/// Makes these edits of the best of `problem`, all of them or as many as hold as plain source.
///
/// # Errors
/// When the search must stop.
pub fn make_edits(
    problem: &mut Problem<'_, Sources>,
    edits: &[(usize, Reduction)],
) -> Result<(), Stop> {
    let base = problem.best().clone();
    let saving =
        |(_, edit): &(usize, Reduction)| usize::try_from(edit.saving()).unwrap_or_default();
    let weights: Vec<usize> = edits.iter().map(saving).collect();
    apply_patches(problem, &weights, Approach::Halves, |chosen| {
        let chosen = chosen.iter().map(|index| &edits[*index]);
        Some(base.edit(chosen.map(|(file, edit)| (*file, edit))))
    })?;
    Ok(())
}
