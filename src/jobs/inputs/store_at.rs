//! Where the outcomes of a search over inputs are kept.

use camino::Utf8PathBuf;

use crate::oracle::store::{Key, Store};
use crate::probe::wire::{Encode, Wire};
use crate::reduce::inputs::Inputs;

/// Where outcomes are kept for the next run of the same job.
pub struct StoreAt {
    /// `None` for nowhere.
    pub path: Option<Utf8PathBuf>,
    /// What is asked: the test, its failure, the program, the files that it may read and what it may do.
    pub job: Key,
    /// What candidates are told apart by their differences from.
    pub original: Inputs,
    /// How these are told.
    pub wire: Wire,
}

impl StoreAt {
    /// The same with other outcomes for candidates that are changes of `best`.
    #[must_use]
    pub fn beside(self, best: &Inputs) -> Self {
        StoreAt { job: Key::new(&(self.job, best)), ..self }
    }

    /// The store.
    pub fn open(&self) -> Store {
        let path = self.path.as_ref();
        path.map_or_else(Store::in_memory, |path| Store::open(path.as_std_path()))
    }

    /// What the outcome of a candidate is filed under.
    pub fn key(&self) -> impl Fn(&Inputs) -> Key {
        move |candidate| {
            let mut changes = Vec::new();
            self.wire.changes(&self.original, candidate, &mut changes);
            self.job.of(&changes)
        }
    }
}
