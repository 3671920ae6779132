//! A set of switches as a candidate.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::build::Build;
use crate::probe::switches::put_changes;
use crate::probe::wire::Encode;
use crate::reduce::Candidate;
use crate::rust::switches::{SwitchKind, SwitchPlace};

/// The states of all switches. Fewer tokens left are better.
#[derive(Debug, Clone)]
pub struct Switching {
    /// The state of each switch.
    pub states: Arc<[u8]>,
    left: i64,
}

impl Hash for Switching {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.states.hash(state);
    }
}

impl Candidate for Switching {
    type Key = i64;

    fn key(&self) -> i64 {
        self.left
    }
}

/// How much each switch takes away, and what is inside of what.
#[derive(Debug, Clone)]
pub struct Layout(Vec<Placed>);

/// The place of a switch among the others.
#[derive(Debug, Clone)]
struct Placed {
    /// The end of the switches inside it, itself included.
    end: usize,
    /// What goes with each of its states.
    gains: [i64; 2],
    /// The number of places around it.
    depth: usize,
}

impl Layout {
    /// The layout of a build.
    pub fn of(build: &Build) -> Self {
        let files = build.files.iter();
        Layout(files.flat_map(|file| placed(&file.places.places, file.first)).collect())
    }

    /// The candidate with these states.
    pub fn candidate(&self, states: Arc<[u8]>) -> Switching {
        let mut left = 0;
        let mut at = 0;
        while at < states.len() {
            match states[at] {
                0 => at += 1,
                state => {
                    left -= self.gain(at, state);
                    at = self.0[at].end;
                }
            }
        }
        Switching { states, left }
    }

    /// How much a state of a switch takes away.
    pub fn gain(&self, switch: usize, state: u8) -> i64 {
        self.0[switch].gains[usize::from(state) - 1]
    }

    /// The number of places around a switch's.
    pub fn depth(&self, switch: usize) -> usize {
        self.0[switch].depth
    }

    /// The number of switches.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// For each switch whether its place is inside one that is switched off.
    pub fn idle(&self, states: &[u8]) -> Vec<bool> {
        let mut idle = vec![false; states.len()];
        let mut at = 0;
        while at < states.len() {
            let end = if states[at] == 0 { at + 1 } else { self.0[at].end };
            idle[at + 1..end].fill(true);
            at = end;
        }
        idle
    }
}

/// Those of the places of one file, the first of which has that switch.
fn placed(places: &[SwitchPlace], first: usize) -> Vec<Placed> {
    let mut around: Vec<usize> = Vec::new();
    let mut all = Vec::with_capacity(places.len());
    for (index, place) in places.iter().enumerate() {
        while around.last().is_some_and(|outer| places[*outer].range.end <= place.range.start) {
            around.pop();
        }
        let behind = &places[index + 1..];
        let past = behind.iter().position(|inner| place.range.end <= inner.range.start);
        let end = first + past.map_or(places.len(), |past| index + 1 + past);
        all.push(Placed { end, gains: gains(place, places), depth: around.len() });
        around.push(index);
    }
    all
}

/// The tokens that go with each state of a place; at least one, so that it is worth a try.
fn gains(place: &SwitchPlace, places: &[SwitchPlace]) -> [i64; 2] {
    let own = signed(place.tokens);
    let tokens_of = |range: &std::ops::Range<usize>| -> i64 {
        // A branch counts as what is known to stand in it.
        let mut sum = 0;
        let mut end = range.start;
        for inner in places {
            if end <= inner.range.start && inner.range.end <= range.end {
                sum += signed(inner.tokens);
                end = inner.range.end;
            }
        }
        sum
    };
    match &place.kind {
        SwitchKind::If(branches) => {
            let otherwise = branches.otherwise.as_ref().map_or(0, tokens_of);
            [own + tokens_of(&branches.then), own + otherwise]
        }
        SwitchKind::Initial => [(own - 5).max(1), 1],
        SwitchKind::Value => [(own - 1).max(1), 1],
        _ => [own.max(1), own.max(1)],
    }
}

fn signed(tokens: usize) -> i64 {
    i64::try_from(tokens).unwrap_or(i64::MAX)
}

/// Tells switches to the runtime.
#[derive(Debug, Clone, Copy)]
pub struct SwitchWire;

impl Encode for SwitchWire {
    type Candidate = Switching;

    fn changes(&self, base: &Switching, candidate: &Switching, out: &mut Vec<u8>) {
        put_changes(&base.states, &candidate.states, out);
    }
}
