//! The story between what is asked for and what comes out.

use std::collections::{BTreeMap, BTreeSet};

use super::build::{Build, Purpose};
use super::check_edits::{ROUNDS, check_edits};
use super::job::{SwitchJob, SwitchMode, Switched, Values};
use super::search::{SwitchStates, search};
use super::suspects::Suspects;
use super::tiers::{Limits, SwitchRunner};
use crate::compile::Compiler;
use crate::oracle::process::is_interrupt;
use crate::oracle::signature::{FailureKind, Signature};
use crate::probe::switches::Trace;
use crate::reduce::{Answer, Stop, until_it_compiles};

/// The build with switches. What edits have to leave may be known only later.
///
/// # Errors
/// When nothing can be compiled at all.
pub fn build_switches(job: &SwitchJob<'_>, compiler: &mut Compiler) -> Answer<Build> {
    Build::make(Purpose::Switch, job, compiler)
}

/// Reduces code by switches in that build. The `plain` compiler is asked whether it takes the result.
///
/// # Errors
/// When nothing can be compiled or run at all. An interrupt ends the search with the best so far.
pub fn switch(job: &SwitchJob<'_>, mut build: Build, plain: &Compiler) -> Answer<Switched> {
    let mut switched =
        Switched { places: build.places(), taken_back: build.taken_back(), ..Switched::default() };
    let original = vec![0; build.len()];
    let Some(binary) = build.binary.take() else { return Ok(switched) };
    let runner = SwitchRunner { job, build: &build, binary: &binary };
    let shown = match job.mode {
        SwitchMode::Flaky => None,
        #[cfg(any(test, feature = "bench"))]
        SwitchMode::Coverage => runner.reproduce(&original)?,
        SwitchMode::Switches => runner.reproduce(&original)?,
    };
    let Some((first, shown)) = shown else {
        // With other code around it, memory that is used after its end may hold something else: still, what
        // does not run until then is not needed, or the plain source shows that it is.
        if let Some(ran) = runner.coverage()? {
            switched.executed = count(&ran);
            cover(&runner, ran, plain, &mut switched)?;
        }
        return Ok(switched);
    };
    switched.executed = count(&first.ran);
    runner.keep_values(&first.values)?;
    let forbidden = kept(&runner, &first, &mut switched)?;
    let switch_search = SwitchSearch {
        runner: &runner,
        shown: &shown,
        limits: match job.matcher.expected().kind {
            FailureKind::Timeout => Limits::of_hang(runner.passing_trace(&original)?.as_ref()),
            _ => Limits::of(&first),
        },
        first: &first,
        forbidden: &forbidden,
    };
    switch_search.run(plain, &mut switched)?;
    Ok(switched)
}

/// The switches that have to stay as they are, where runs that pass say so, too: those of suspicious code, which is told
/// with the places that only failing runs reach.
fn kept(runner: &SwitchRunner<'_>, first: &Trace, switched: &mut Switched) -> Answer<Vec<bool>> {
    let SwitchRunner { job, build, .. } = runner;
    let mut kept = build.kept(job);
    if job.values == Values::Agreed {
        let only_failing = runner.only_failing(&vec![0; build.len()], first)?;
        let places = build.places_of_files().zip(&only_failing).filter(|(_, only)| **only);
        let ranges =
            places.filter_map(|((file, place), _)| job.sources.original_range(file, &place.range));
        switched.only_failing = ranges.collect();
        let suspects = Suspects::of(build, job.sources, &only_failing, job.above_suspicion);
        switched.suspects = suspects.ranges;
        for (kept, is_touched) in kept.iter_mut().zip(suspects.touched) {
            *kept |= is_touched;
        }
    }
    Ok(kept)
}

/// Which places run in each of several runs of the test, which the jobs stand for: they differ in how it is run only.
/// None where the test has not told.
///
/// # Errors
/// When nothing can be run at all.
pub fn traces(jobs: &[SwitchJob<'_>], mut build: Build) -> Answer<Vec<Option<Vec<bool>>>> {
    let Some(binary) = build.binary.take() else {
        return Ok(vec![None; jobs.len()]);
    };
    let plain = vec![0; build.len()];
    let traces = jobs.iter().map(|job| {
        let runner = SwitchRunner { job, build: &build, binary: &binary };
        Ok(runner.traced(&plain)?.1.map(|trace| trace.ran))
    });
    traces.collect()
}

fn count(ran: &[bool]) -> usize {
    ran.iter().filter(|ran| **ran).count()
}

/// Writes out that what never runs goes, as far as the compiler takes it.
fn cover(
    runner: &SwitchRunner<'_>,
    ran: Vec<bool>,
    compiler: &Compiler,
    switched: &mut Switched,
) -> Answer<()> {
    let mut best = SwitchStates {
        states: vec![0; ran.len()],
        forbidden: runner.build.kept(runner.job),
        values: BTreeMap::new(),
        ran,
    };
    write_out(runner, &mut best, switched, compiler, |rejected, best, _| {
        for switch in rejected {
            best.forbidden[*switch] = true;
        }
        Ok(())
    })
}

/// Writes out the best, until the compiler takes it. Each time `prepare` is told before which switches the
/// compiler has rejected, none at first.
fn write_out(
    runner: &SwitchRunner<'_>,
    best: &mut SwitchStates,
    switched: &mut Switched,
    compiler: &Compiler,
    mut prepare: impl FnMut(&BTreeSet<usize>, &mut SwitchStates, &mut Switched) -> Answer<()>,
) -> Answer<()> {
    prepare(&BTreeSet::new(), best, switched)?;
    let mut known = BTreeSet::new();
    let written = until_it_compiles(
        best,
        ROUNDS,
        |best| check_edits(runner, best, &mut known, compiler),
        |best, rejected, round| {
            if rejected.is_empty() || round + 1 == ROUNDS {
                return Ok(false);
            }
            prepare(rejected, best, switched)?;
            Ok(true)
        },
    )?;
    if let Ok(edits) = written {
        let edits = edits.into_iter().map(|edit| (edit.file, edit.reduction));
        switched.reductions = edits.collect();
    }
    Ok(())
}

/// A build that shows the failure.
struct SwitchSearch<'a> {
    runner: &'a SwitchRunner<'a>,
    shown: &'a Signature,
    limits: Limits,
    first: &'a Trace,
    /// The switches that stay as they are.
    forbidden: &'a [bool],
}

impl SwitchSearch<'_> {
    /// Searches and writes out, until the compiler takes the result.
    fn run(&self, compiler: &Compiler, switched: &mut Switched) -> Answer<()> {
        let mut best = SwitchStates {
            states: vec![0; self.first.ran.len()],
            ran: self.first.ran.clone(),
            forbidden: self.forbidden.to_vec(),
            values: self.first.values.clone(),
        };
        switched.is_searched = self.runner.job.mode == SwitchMode::Switches;
        write_out(self.runner, &mut best, switched, compiler, |rejected, best, switched| {
            let is_open = if rejected.is_empty() {
                switched.is_searched
            } else {
                self.forbid(rejected, best)? && !switched.is_stopped
            };
            if is_open {
                match search(self.runner, self.shown, self.limits, best, switched) {
                    Err(Stop::Oracle(error)) if !is_interrupt(&error) => return Err(error),
                    searched => switched.is_stopped = searched.is_err(),
                }
            }
            Ok(())
        })
    }

    /// Turns these switches back for good. Whether there is something to search for again: without
    /// them, others may do what they did.
    fn forbid(&self, switches: &BTreeSet<usize>, best: &mut SwitchStates) -> Answer<bool> {
        let is_changed = switches.iter().any(|switch| best.states[*switch] != 0);
        for switch in switches {
            best.forbidden[*switch] = true;
            best.states[*switch] = 0;
        }
        if !is_changed {
            return Ok(false);
        }
        if let Some((trace, _)) = self.runner.reproduce(&best.states)? {
            best.ran = trace.ran;
        } else {
            best.states.fill(0);
            best.ran.clone_from(&self.first.ran);
        }
        Ok(true)
    }
}
