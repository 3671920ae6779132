//! Judges sources by whether the compiler crashes on them as it did on the original.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::{Compilation, Crash, CrashKind, CrashMatcher, Verdict};
use crate::disk::write_atomic;
use crate::exec::Interrupt;
use crate::oracle::pool::Pool;
use crate::oracle::pooled::Pooled;
use crate::oracle::store::Key;
use crate::reduce::{Answer, Candidate, Outcome};
use crate::rust::{Sameness, SourceFile, Sources};

/// A crash that was found on the way and is not the one looked for.
#[derive(Debug, Clone)]
pub struct OtherCrash {
    /// What identifies it.
    pub crash: Crash,
    /// The smallest source that it was seen on.
    pub sources: Sources,
}

/// Runs rustc on each candidate. The first file is the root of the crate.
#[derive(Debug)]
pub struct IceOracle {
    compilation: Compilation,
    pool: Pool,
    rule: CrashMatcher,
    others: Mutex<BTreeMap<Crash, Sources>>,
    /// Where the others outlive us.
    kept: Option<PathBuf>,
}

impl IceOracle {
    /// An oracle that judges candidates by `rule`.
    pub fn new(compilation: Compilation, pool: Pool, rule: CrashMatcher) -> IceOracle {
        IceOracle { compilation, pool, rule, others: Mutex::default(), kept: None }
    }

    /// Keeps other crashes in a folder, and looks again at those that an earlier run has left there: it knows the
    /// outcomes of their sources, and will not ask for them again.
    ///
    /// # Errors
    /// When the compiler cannot be run, or the folder cannot be read.
    pub fn keeping(mut self, folder: &Path, interrupt: &Interrupt) -> Answer<Self> {
        std::fs::create_dir_all(folder)?;
        for entry in folder.read_dir()?.flatten() {
            let bytes = std::fs::read(entry.path()).unwrap_or_default();
            if let Ok(files) = serde_json::from_slice::<Vec<(String, String)>>(&bytes)
                && !files.is_empty()
            {
                let files = files.into_iter().map(|(path, text)| SourceFile::new(path, text));
                let sources = Sources::new(files.collect(), Sameness::Tokens);
                Pooled::judge(&self, &sources, interrupt)?;
            }
        }
        self.kept = Some(folder.to_owned());
        Ok(self)
    }

    /// The other crashes seen so far.
    pub fn others(&self) -> Vec<OtherCrash> {
        let Ok(others) = self.others.lock() else { return Vec::new() };
        others
            .iter()
            .map(|(crash, sources)| OtherCrash { crash: crash.clone(), sources: sources.clone() })
            .collect()
    }

    /// Keeps the source of a crash that is another one than ours. A run out of time says little.
    fn remember(&self, verdict: &Verdict, sources: &Sources) {
        let Some(crash) = &verdict.crash else { return };
        if *crash == self.rule.crash || crash.kind == CrashKind::Timeout {
            return;
        }
        let Ok(mut others) = self.others.lock() else { return };
        let known = others.get(crash);
        if known.is_none_or(|known| sources.key() < known.key()) {
            if let Some(folder) = &self.kept {
                keep(folder, crash, sources);
            }
            others.insert(crash.clone(), sources.clone());
        }
    }
}

/// Keeps the source of a crash; where that cannot be done only another run knows less.
fn keep(folder: &Path, crash: &Crash, sources: &Sources) {
    let name = Key::new(crash).hex();
    let files = sources.files.iter().map(|file| (&*file.path, &*file.text));
    if let Ok(bytes) = serde_json::to_vec(&files.collect::<Vec<(&str, &str)>>()) {
        let _ = write_atomic(&folder.join(name), &bytes);
    }
}

impl Pooled<Sources> for IceOracle {
    fn pool(&self) -> &Pool {
        &self.pool
    }

    fn judge(&self, sources: &Sources, interrupt: &Interrupt) -> Answer<Outcome> {
        let remember = |verdict: &Verdict| self.remember(verdict, sources);
        self.rule.judge(&self.compilation, sources, interrupt, remember)
    }
}
