//! Switches that the compiler has rejected in an earlier build: asked for again, they would cost the same rounds.

use std::collections::HashMap;
use std::mem::{Discriminant, discriminant};
use std::sync::{Mutex, PoisonError};

use crate::rust::OriginalRange;
use crate::rust::switches::{Mode, SwitchKind};

/// How a place of the original subject was to be instrumented.
type Key = (Mode, Discriminant<SwitchKind>, OriginalRange);

/// What builds of one subject have found out.
#[derive(Debug, Default)]
pub struct TakenBack {
    modes: Mutex<HashMap<Key, Mode>>,
}

impl TakenBack {
    /// How a place can be instrumented that is `wanted` to be so.
    pub(super) fn known(&self, wanted: Mode, kind: &SwitchKind, at: OriginalRange) -> Mode {
        let modes = self.modes.lock().unwrap_or_else(PoisonError::into_inner);
        modes.get(&(wanted, discriminant(kind), at)).copied().unwrap_or(wanted)
    }

    /// A place is instrumented so in a build that compiles.
    pub(super) fn learn(&self, wanted: Mode, kind: &SwitchKind, at: OriginalRange, mode: Mode) {
        if mode != wanted {
            let mut modes = self.modes.lock().unwrap_or_else(PoisonError::into_inner);
            modes.insert((wanted, discriminant(kind), at), mode);
        }
    }
}
