//! A set of switches as edits of the plain text.

use std::ops::Range;

use super::Mode;
use super::place::{Arms, Branches, Emptied, Operand, SwitchKind, SwitchPlaces};
use crate::reduce::RangeExt;
use crate::rust::{Reduction, StandIn};

/// What was found of each place of a text.
#[derive(Clone, Copy)]
pub struct Chosen<'c> {
    /// The state of its switch.
    pub states: &'c [u8],
    /// Whether it ever ran with those states.
    pub ran: &'c [bool],
    /// How it was instrumented; what was not, is not known to run or not.
    pub modes: &'c [Mode],
    /// The places that must not be written out.
    pub forbidden: &'c [bool],
    /// What each place always yields, as source, by its place in the list.
    pub literals: &'c dyn Fn(usize) -> Option<&'c str>,
}

/// An edit, and what it was made for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The places that are written out by it.
    pub places: Vec<usize>,
    /// The edit of the plain text.
    pub reduction: Reduction,
}

/// The edits that make of the plain text what the chosen switches make of the instrumented one, and
/// that take out or stand in for what never ran.
pub fn reductions<'c>(places: &'c SwitchPlaces, chosen: Chosen<'c>) -> Vec<Written> {
    let mut writer = Writer { places, chosen, written: Vec::new(), gone: Vec::new() };
    for index in 0..places.places.len() {
        writer.place(index);
    }
    writer.arms();
    writer.written
}

struct Writer<'c> {
    places: &'c SwitchPlaces,
    chosen: Chosen<'c>,
    written: Vec<Written>,
    /// Ranges of the plain text that are gone already.
    gone: Vec<Range<usize>>,
}

impl Writer<'_> {
    fn place(&mut self, index: usize) {
        let place = &self.places.places[index];
        if self.is_gone(&place.range) || self.chosen.forbidden[index] {
            return;
        }
        let never_ran = self.never_ran(index);
        let range = place.range.clone();
        match (&place.kind, self.chosen.states[index]) {
            (SwitchKind::Arm { .. }, state) if self.is_switch(index) => {
                if state != 0 || never_ran {
                    // They are written out together, one edit a `match`.
                    self.gone.push(range);
                }
            }
            (SwitchKind::Arm { body, .. }, _) if never_ran => self.stand_in(index, body.clone()),
            (SwitchKind::Statement, 0) if never_ran && self.is_switch(index) => {
                self.remove(index, range);
            }
            (SwitchKind::Block, 0) if never_ran => self.stand_in(index, range),
            (SwitchKind::Function(Emptied::Unit), 0) if never_ran => self.remove(index, range),
            (SwitchKind::Function(emptied), 0) if never_ran && *emptied != Emptied::Opaque => {
                self.stand_in(index, range);
            }
            (_, 0) => {}
            (SwitchKind::Statement | SwitchKind::Function(Emptied::Unit), _) => {
                self.remove(index, range);
            }
            (SwitchKind::Function(_), _) => self.replace(index, range, " Default::default() "),
            (SwitchKind::Initial, _) => self.replace(index, range, "Default::default()"),
            (SwitchKind::Value, _) => {
                if let Some(literal) = (self.chosen.literals)(index) {
                    self.replace(index, range, literal);
                }
            }
            (SwitchKind::ArmBody, _) => self.replace(index, range, "{}"),
            (SwitchKind::While, _) => self.replace(index, range, "false"),
            (SwitchKind::If(branches), state) => self.branch(index, branches, state),
            (SwitchKind::Operand(operand), state) => self.operand(index, operand, state),
            (
                SwitchKind::Block
                | SwitchKind::Closure
                | SwitchKind::Arm { .. }
                | SwitchKind::Variable(_),
                _,
            ) => {}
        }
    }

    /// An `if` with a condition that is decided becomes one of its branches.
    fn branch(&mut self, index: usize, branches: &Branches, state: u8) {
        let range = self.places.places[index].range.clone();
        let otherwise = if state == 2 { Some(&branches.then) } else { branches.otherwise.as_ref() };
        match (otherwise, branches.before) {
            (Some(kept), _) => self.keep(index, &branches.whole, kept),
            (None, Some(before)) => self.remove(index, before..branches.whole.end),
            (None, None) => self.replace(index, range, "false"),
        }
    }

    fn operand(&mut self, index: usize, operand: &Operand, state: u8) {
        let range = self.places.places[index].range.clone();
        match (operand.is_and, state) {
            (true, 2) | (false, 1) => self.keep(index, &operand.whole, &operand.other),
            (true, _) => self.replace(index, range, "false"),
            (false, _) => self.replace(index, range, "true"),
        }
    }

    fn arms(&mut self) {
        for (owner, arms) in self.places.matches.iter().enumerate() {
            let is_off = |index: &usize| {
                let range = &self.places.places[*index].range;
                self.is_switch(*index) && self.gone.contains(range)
            };
            let off: Vec<usize> = arms.places.iter().copied().filter(is_off).collect();
            if off.is_empty() || self.is_within_gone(owner) {
                continue;
            }
            let mut reduction = Reduction::default();
            for index in &off {
                reduction = reduction.and_remove(self.places.places[*index].range.clone());
            }
            if needs_last_arm(arms, &off) {
                let last = arms.places.last().is_some_and(|last| off.contains(last));
                let comma = if arms.lacks_comma && !last { "," } else { "" };
                let stand_in = format!("{comma} _ => {}, ", StandIn::Panic.expr());
                reduction = reduction.and_replace(arms.close..arms.close, stand_in);
            }
            self.written.push(Written { places: off, reduction });
        }
    }

    /// Whether the whole `match` is gone with something around it.
    fn is_within_gone(&self, owner: usize) -> bool {
        let close = self.places.matches[owner].close;
        let first = self.places.matches[owner].places[0];
        let start = self.places.places[first].range.start;
        let is_around = |gone: &Range<usize>| gone.start < start && close < gone.end;
        self.gone.iter().any(is_around)
    }

    fn is_switch(&self, index: usize) -> bool {
        self.chosen.modes[index] == Mode::Switch
    }

    fn never_ran(&self, index: usize) -> bool {
        self.chosen.modes[index] != Mode::Plain && !self.chosen.ran[index]
    }

    fn is_gone(&self, range: &Range<usize>) -> bool {
        let is_around = |gone: &Range<usize>| gone.covers(range);
        self.gone.iter().any(is_around)
    }

    fn remove(&mut self, index: usize, range: Range<usize>) {
        self.replace(index, range, "");
    }

    fn stand_in(&mut self, index: usize, range: Range<usize>) {
        self.replace(index, range, &format!(" {} ", StandIn::Panic.expr()));
    }

    fn replace(&mut self, index: usize, range: Range<usize>, text: &str) {
        self.write(index, Reduction::replace(range.clone(), text));
        self.gone.push(range);
    }

    fn keep(&mut self, index: usize, outer: &Range<usize>, inner: &Range<usize>) {
        self.write(index, Reduction::keep(outer.clone(), inner.clone()));
        self.gone.push(outer.start..inner.start);
        self.gone.push(inner.end..outer.end);
    }

    fn write(&mut self, index: usize, reduction: Reduction) {
        self.written.push(Written { places: vec![index], reduction });
    }
}

/// Whether the arms that stay would not match everything. An arm that never ran does not count as one
/// that was needed for that, so a stand-in takes its place.
fn needs_last_arm(arms: &Arms, off: &[usize]) -> bool {
    let mut kept =
        arms.places.iter().zip(&arms.catches_all).filter(|(place, _)| !off.contains(place));
    !kept.any(|(_, catches_all)| *catches_all)
}
