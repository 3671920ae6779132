//! Judges sources by whether the compiler crashes on them as it did on the original.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use super::{Crash, CrashKind, Rustc, Verdict, interpret};
use crate::exec::Interrupt;
use crate::oracle::pool::Pool;
use crate::passes::Sources;
use crate::reduce::{Candidate, Oracle, OracleError, Outcome};

/// What to make of errors that rustc reports besides the crash.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Errors {
    /// A candidate may have errors if the original has.
    #[default]
    Keep,
    /// Errors do not matter.
    Allow,
    /// There must be none.
    Forbid,
}

/// A crash that was found on the way and is not the one looked for.
#[derive(Debug, Clone)]
pub struct OtherCrash {
    /// What identifies it.
    pub crash: Crash,
    /// The smallest source that it was seen on.
    pub sources: Sources,
}

/// What came of one run of the compiler.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// What it means.
    pub verdict: Verdict,
    /// What the compiler printed.
    pub output: String,
    /// How long it took.
    pub wall: Duration,
}

/// Runs rustc on each candidate. The first file is the root of the crate.
#[derive(Debug)]
pub struct IceOracle {
    rustc: Rustc,
    pool: Pool,
    original: Crash,
    errors: Errors,
    others: Mutex<BTreeMap<Crash, Sources>>,
}

impl IceOracle {
    /// Compiles `sources` once.
    ///
    /// # Errors
    /// When the files cannot be written or the compiler cannot be started.
    pub fn compile(
        rustc: &Rustc,
        sources: &Sources,
        interrupt: &Interrupt,
    ) -> Result<Compiled, OracleError> {
        let folder = tempfile::tempdir()?;
        let sources_folder = folder.path().join("src");
        let mut root = None;
        for file in &sources.files {
            let name = Path::new(&*file.path);
            let name = if name.is_absolute() {
                Path::new(name.file_name().unwrap_or_default())
            } else {
                name
            };
            let path = sources_folder.join(name);
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent)?;
            }
            std::fs::write(&path, &*file.text)?;
            root.get_or_insert(name.to_owned());
        }
        let root = root.ok_or("there is no file to compile")?;
        // Run where the sources are, so that messages name them as the user does.
        let finished = rustc.compile(&root, &sources_folder, interrupt)?;
        Ok(Compiled {
            verdict: interpret(&finished),
            output: finished.stderr.text(),
            wall: finished.wall,
        })
    }

    /// An oracle that looks for the crash of `original`, which was read from a run on the unchanged
    /// source. `None` if that run did not crash.
    #[must_use]
    pub fn new(rustc: Rustc, pool: Pool, original: &Verdict, errors: Errors) -> Option<IceOracle> {
        let errors = match errors {
            Errors::Keep if original.has_errors => Errors::Allow,
            Errors::Keep => Errors::Forbid,
            errors => errors,
        };
        let original = original.crash.clone()?;
        Some(IceOracle {
            rustc,
            pool,
            original,
            errors,
            others: Mutex::default(),
        })
    }

    /// The crash that is looked for.
    #[must_use]
    pub fn original(&self) -> &Crash {
        &self.original
    }

    /// The other crashes seen so far.
    #[must_use]
    pub fn others(&self) -> Vec<OtherCrash> {
        let Ok(others) = self.others.lock() else {
            return Vec::new();
        };
        others
            .iter()
            .map(|(crash, sources)| OtherCrash {
                crash: crash.clone(),
                sources: sources.clone(),
            })
            .collect()
    }

    /// What a run says about a candidate.
    #[must_use]
    pub fn outcome(&self, verdict: &Verdict) -> Outcome {
        let Some(crash) = &verdict.crash else {
            return Outcome::Pass;
        };
        if *crash != self.original {
            return if crash.kind == CrashKind::Timeout {
                Outcome::Timeout
            } else {
                Outcome::Unresolved
            };
        }
        if verdict.has_errors && self.errors == Errors::Forbid {
            Outcome::Unresolved
        } else {
            Outcome::Fail
        }
    }

    fn judge(&self, sources: &Sources, interrupt: &Interrupt) -> Result<Outcome, OracleError> {
        let verdict = match Self::compile(&self.rustc, sources, interrupt) {
            Err(_) if interrupt.is_set() && !self.pool.interrupt().is_set() => {
                return Ok(Outcome::Unresolved);
            }
            compiled => compiled?.verdict,
        };
        self.remember(&verdict, sources);
        Ok(self.outcome(&verdict))
    }

    /// Keeps the source of a crash that is another one than ours. A run out of time says little.
    fn remember(&self, verdict: &Verdict, sources: &Sources) {
        let Some(crash) = &verdict.crash else { return };
        if *crash == self.original || crash.kind == CrashKind::Timeout {
            return;
        }
        let Ok(mut others) = self.others.lock() else {
            return;
        };
        let smallest = others
            .entry(crash.clone())
            .or_insert_with(|| sources.clone());
        if sources.key() < smallest.key() {
            *smallest = sources.clone();
        }
    }
}

impl Oracle<Sources> for IceOracle {
    fn ask(&mut self, candidate: &Sources) -> Result<Outcome, OracleError> {
        self.judge(candidate, self.pool.interrupt())
    }

    fn ask_until_fail(&mut self, candidates: &[Sources]) -> Result<Vec<Outcome>, OracleError> {
        self.pool.until_fail(candidates, |candidate, interrupt| {
            self.judge(candidate, interrupt)
        })
    }

    fn batch(&self) -> usize {
        self.pool.batch()
    }
}
