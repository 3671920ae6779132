//! Delta debugging over the switches.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::candidate::{Layout, Switching};
use super::job::Switched;
use super::tiers::{Limits, SwitchRunner, plain};
use crate::oracle::signature::Signature;
use crate::probe::switches::SimpleValue;
use crate::reduce::{Approach, Memory, Oracle, OracleError, Problem, Stop, apply_patches};
use crate::rust::switches::{Mode, SwitchKind};
use crate::source::Tier;

/// The best set of switches found.
#[derive(Debug, Clone)]
pub struct SwitchStates {
    /// Their states.
    pub states: Vec<u8>,
    /// Which places still run with them.
    pub ran: Vec<bool>,
    /// Which switches cannot be written out.
    pub forbidden: Vec<bool>,
    /// What places always yield.
    pub values: BTreeMap<usize, SimpleValue>,
}

/// Searches on from `best`, which fails, for a set of switches that takes away as much as possible.
///
/// # Errors
/// When the search must stop; `best` is what was found until then.
pub fn search(
    runner: &SwitchRunner<'_>,
    shown: &Signature,
    limits: Limits,
    best: &mut SwitchStates,
    switched: &mut Switched,
) -> Result<(), Stop> {
    let layout = Layout::of(runner.build);
    let plain = plain(&layout, runner.build.len());
    let looped = runner.loops(shown, &plain, limits)?;
    switched.tier = Some(match looped {
        Some(_) => Tier::InProcess,
        None => Tier::Process,
    });
    let mut oracle: Box<dyn Oracle<Switching> + '_> = match looped {
        Some(loops) => Box::new(loops),
        None => Box::new(runner.processes(shown, &plain, limits)),
    };
    let before = best.clone();
    let earlier = switched.counts;
    let start = layout.candidate(best.states.clone().into());
    let mut problem = Problem::new(start, &mut *oracle, Memory::Remember).stop_when(|counts| {
        if runner.job.interrupt.is_set() {
            return Some(Stop::Interrupted);
        }
        (runner.job.stop)(earlier + counts)
    });
    let ended = sweeps(runner, &layout, &mut problem, best);
    switched.counts = earlier + problem.counts();
    best.states = problem.best().states.to_vec();
    // A run of the result tells what no longer runs; if the failure did not come back now, it is not
    // stable enough to be reduced this way.
    match runner.reproduce(&best.states) {
        Ok(Some((trace, _))) => best.ran = trace.ran,
        Ok(None) => *best = before,
        Err(error) => return Err(Stop::Oracle(error)),
    }
    ended
}

/// Sweeps over all levels until one brings nothing.
fn sweeps(
    runner: &SwitchRunner<'_>,
    layout: &Layout,
    problem: &mut Problem<'_, Switching>,
    best: &mut SwitchStates,
) -> Result<(), Stop> {
    let deepest = (0..layout.len()).map(|switch| layout.depth(switch)).max();
    let mut approach = Approach::Halves;
    loop {
        let before = problem.counts().accepted;
        for depth in 0..=deepest.unwrap_or(0) {
            for state in [1, 2] {
                level(runner, layout, problem, best, depth, state, approach)?;
            }
        }
        if problem.counts().accepted == before {
            return Ok(());
        }
        if let Some((trace, _)) = runner.reproduce(&problem.best().states)? {
            best.ran = trace.ran;
            for (place, value) in trace.values {
                best.values.entry(place).or_insert(value);
            }
            runner.keep_values(&best.values).map_err(OracleError::from)?;
        }
        approach = Approach::OneByOne;
    }
}

/// Tries one state of the switches of one depth.
fn level(
    runner: &SwitchRunner<'_>,
    layout: &Layout,
    problem: &mut Problem<'_, Switching>,
    best: &SwitchStates,
    depth: usize,
    state: u8,
    approach: Approach,
) -> Result<(), Stop> {
    let base = Arc::clone(&problem.best().states);
    let idle = layout.idle(&base);
    let modes = runner.build.modes().enumerate();
    let switches: Vec<usize> = modes
        .filter(|(switch, (place, mode))| {
            *mode == Mode::Switch
                && place.kind.states() >= state
                && layout.depth(*switch) == depth
                && best.ran[*switch]
                && !best.forbidden[*switch]
                && (place.kind != SwitchKind::Value || best.values.contains_key(switch))
                && base[*switch] == 0
                && !idle[*switch]
        })
        .map(|(switch, _)| switch)
        .collect();
    let gain = |switch: &usize| usize::try_from(layout.gain(*switch, state)).unwrap_or(0);
    let weights: Vec<usize> = switches.iter().map(gain).collect();
    apply_patches(problem, &weights, approach, |chosen| {
        let mut states = base.to_vec();
        for index in chosen {
            states[switches[*index]] = state;
        }
        Some(layout.candidate(states.into()))
    })?;
    Ok(())
}
