//! The values and files that cross the boundary, as a run is told of them.

use std::path::Path;

use crate::app::failure::{Failure, Result};
use crate::exec::Job;
use crate::probe::wire::{Wire, put_bytes, put_u32};
use crate::project::Scratch;
use crate::source::FoundInputs;

/// Names the file with the values of all candidates that say nothing else.
const OBSERVED: &str = "__CARGO_REDUCE_OBSERVED";
/// Names the file with the files that are inputs.
const FILES: &str = "__CARGO_REDUCE_FILES";
/// These files, in a folder of ours.
const FILE: &str = "observed";
const OPENED: &str = "opened";

/// The values that were seen, as the runtime reads them; nothing where there is none.
#[derive(Debug, Clone, Default)]
pub struct Crossing {
    observed: Vec<u8>,
    files: Vec<u8>,
}

impl Crossing {
    /// The values and files in `found`; `scratch` is where a run finds these.
    pub fn of(found: &FoundInputs, scratch: &Scratch) -> Self {
        let observed = found.observed.iter();
        let wire = Wire::new(&found.inputs)
            .observing(observed.map(|(root, observed)| (*root, observed.place)));
        Crossing { observed: wire.crossing(&found.inputs), files: files_of(found, scratch) }
    }

    /// Puts them into a folder of ours.
    ///
    /// # Errors
    /// When that is refused.
    pub fn write(&self, folder: &Path) -> Result<()> {
        std::fs::write(folder.join(FILE), &self.observed)
            .and_then(|()| std::fs::write(folder.join(OPENED), &self.files))
            .map_err(|error| Failure::no_temporary_file(&error))
    }

    /// Tells a run where they are.
    pub fn tell(&self, job: Job, folder: &Path) -> Job {
        if self.observed.is_empty() {
            return job;
        }
        job.env(OBSERVED, folder.join(FILE)).env(FILES, folder.join(OPENED))
    }
}

/// The files that are inputs, as the runtime reads them.
fn files_of(found: &FoundInputs, scratch: &Scratch) -> Vec<u8> {
    let (mut out, mut count) = (Vec::new(), 0);
    for root in &found.opened.roots {
        let list = found.inputs.get(*root);
        let files = list.iter().flat_map(|list| list.children());
        for (ordinal, file) in (0..).zip(files) {
            let original = found.files.get(&file.id);
            let copy = original.and_then(|path| scratch.copy_of(path));
            let content = original.and_then(|path| found.opened.files.get(path));
            if let (Some(copy), Some(content)) = (copy, content) {
                count += 1;
                put_u32(&mut out, file.id.0);
                put_u32(&mut out, root.0);
                put_u32(&mut out, ordinal);
                put_bytes(&mut out, copy.as_str().as_bytes());
                put_bytes(&mut out, content);
            }
        }
    }
    let mut counted = Vec::new();
    put_u32(&mut counted, count);
    counted.extend(out);
    counted
}
