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
pub struct Layout {
    /// The end of the switches inside each place, itself included.
    ends: Vec<usize>,
    /// What goes with each place.
    gains: Vec<[i64; 2]>,
    /// The number of places around each.
    depths: Vec<usize>,
}

impl Layout {
    /// The layout of a build.
    pub fn of(build: &Build) -> Self {
        let mut layout = Layout {
            ends: Vec::with_capacity(build.len()),
            gains: Vec::with_capacity(build.len()),
            depths: Vec::with_capacity(build.len()),
        };
        for file in &build.files {
            layout.add(&file.places.places, file.first);
        }
        layout
    }

    fn add(&mut self, places: &[SwitchPlace], first: usize) {
        let mut around: Vec<usize> = Vec::new();
        for (index, place) in places.iter().enumerate() {
            while around.last().is_some_and(|outer| places[*outer].range.end <= place.range.start) {
                around.pop();
            }
            self.depths.push(around.len());
            around.push(index);
            let past =
                places[index + 1..].iter().position(|inner| place.range.end <= inner.range.start);
            self.ends.push(first + past.map_or(places.len(), |past| index + 1 + past));
            self.gains.push(gains(place, places));
        }
    }

    /// The candidate with these states.
    pub fn candidate(&self, states: Arc<[u8]>) -> Switching {
        let mut left = 0;
        let mut at = 0;
        while at < states.len() {
            match states[at] {
                0 => at += 1,
                state => {
                    left -= self.gains[at][usize::from(state) - 1];
                    at = self.ends[at];
                }
            }
        }
        Switching { states, left }
    }

    /// How much a state of a switch takes away.
    pub fn gain(&self, switch: usize, state: u8) -> i64 {
        self.gains[switch][usize::from(state) - 1]
    }

    /// The number of places around a switch's.
    pub fn depth(&self, switch: usize) -> usize {
        self.depths[switch]
    }

    /// The number of switches.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// For each switch whether its place is inside one that is switched off.
    pub fn idle(&self, states: &[u8]) -> Vec<bool> {
        let mut idle = vec![false; states.len()];
        let mut at = 0;
        while at < states.len() {
            let end = if states[at] == 0 { at + 1 } else { self.ends[at] };
            idle[at + 1..end].fill(true);
            at = end;
        }
        idle
    }
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
