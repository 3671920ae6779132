//! Switches that the compiler has rejected in an earlier build: asked for again, they would cost the same rounds.

use std::collections::HashMap;
use std::mem::{Discriminant, discriminant};
use std::sync::{Mutex, PoisonError};

use super::build::{Purpose, SwitchedFile};
use crate::rust::switches::{Mode, SwitchKind, SwitchPlace};
use crate::rust::{OriginalRange, Sources};

/// A place in the original subject, and what is wanted of it.
type Key = (Purpose, Discriminant<SwitchKind>, OriginalRange);

/// What builds of one subject have found out.
#[derive(Debug, Default)]
pub struct TakenBack {
    modes: Mutex<HashMap<Key, Mode>>,
}

impl TakenBack {
    /// Sets the places of files to what an earlier build for the same purpose could do with them.
    pub(super) fn apply(&self, purpose: Purpose, sources: &Sources, files: &mut [SwitchedFile]) {
        let known = self.modes.lock().unwrap_or_else(PoisonError::into_inner);
        for file in files {
            for (place, mode) in file.places.places.iter().zip(&mut file.modes) {
                let key = key(purpose, sources, file.file, place);
                if let Some(known) = key.and_then(|key| known.get(&key)) {
                    *mode = *known;
                }
            }
        }
    }

    /// Learns from files that compile with switches.
    pub(super) fn learn(&self, purpose: Purpose, sources: &Sources, files: &[SwitchedFile]) {
        let mut known = self.modes.lock().unwrap_or_else(PoisonError::into_inner);
        for file in files {
            for (place, mode) in file.places.places.iter().zip(&file.modes) {
                if *mode != purpose.mode(place)
                    && let Some(key) = key(purpose, sources, file.file, place)
                {
                    known.insert(key, *mode);
                }
            }
        }
    }
}

fn key(purpose: Purpose, sources: &Sources, file: usize, place: &SwitchPlace) -> Option<Key> {
    Some((purpose, discriminant(&place.kind), sources.original_range(file, &place.range)?))
}
