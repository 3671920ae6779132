//! Where the outcomes of a search over inputs are kept.

use camino::Utf8PathBuf;

use super::start::Original;
use super::subject::Subject;
use crate::app::config::Config;
use crate::disk::ResultFolder;
use crate::oracle::signature::Signature;
use crate::oracle::store::{Key, Store};
use crate::probe::wire::{Encode, Wire};
use crate::project::{Snapshot, TestBinary};
use crate::reduce::inputs::Inputs;
use crate::report::Tier;

/// Where outcomes are kept for the next run of the same job.
pub struct StoreAt {
    /// `None` for nowhere.
    path: Option<Utf8PathBuf>,
    /// What is asked: the test, its failure, the program, the files that it may read and what it may do.
    job: Key,
    /// What candidates are told apart by their differences from.
    original: Inputs,
    /// How these are told.
    wire: Wire,
}

impl StoreAt {
    /// Beside the results; the `subject` fails as `failure` says, and as `expected` in `binary`, among the files of
    /// `snapshot`.
    pub fn new(
        (config, results): (&Config, &ResultFolder),
        (subject, failure): (&Subject, &Original),
        (tier, expected, binary): (Tier, &Signature, &TestBinary),
        snapshot: &Snapshot,
        original: &Inputs,
    ) -> Self {
        let program = std::fs::read(&binary.executable).unwrap_or_default();
        let call = failure.call.as_ref().map(|call| &call.in_sources.place);
        let may = (&config.test_args, config.sandbox.policy(), config.control.memory_bytes);
        let files: Vec<&[u8]> = snapshot.parts().collect();
        let asked = (&subject.test, tier.name(), &failure.rule, expected, call);
        StoreAt {
            path: (!config.control.fresh).then(|| results.own("outcomes")),
            job: Key::new(&(asked, may, program, files)),
            original: original.clone(),
            wire: subject.wire(original),
        }
    }

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
