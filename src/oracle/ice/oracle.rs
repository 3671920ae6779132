//! Judges sources by whether the compiler crashes on them as it did on the original.

use std::collections::BTreeMap;
use std::sync::Mutex;

use super::{Compilation, Crash, CrashKind, Rule, Verdict};
use crate::exec::Interrupt;
use crate::oracle::pool::Pool;
use crate::oracle::pooled::Pooled;
use crate::passes::Sources;
use crate::reduce::{Candidate, OracleError, Outcome};

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
    rule: Rule,
    others: Mutex<BTreeMap<Crash, Sources>>,
}

impl IceOracle {
    /// An oracle that judges candidates by `rule`.
    #[must_use]
    pub fn new(compilation: Compilation, pool: Pool, rule: Rule) -> IceOracle {
        IceOracle {
            compilation,
            pool,
            rule,
            others: Mutex::default(),
        }
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

    /// Keeps the source of a crash that is another one than ours. A run out of time says little.
    fn remember(&self, verdict: &Verdict, sources: &Sources) {
        let Some(crash) = &verdict.crash else { return };
        if *crash == self.rule.crash || crash.kind == CrashKind::Timeout {
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

impl Pooled<Sources> for IceOracle {
    fn pool(&self) -> &Pool {
        &self.pool
    }

    fn judge(&self, sources: &Sources, interrupt: &Interrupt) -> Result<Outcome, OracleError> {
        let remember = |verdict: &Verdict| self.remember(verdict, sources);
        self.rule
            .judge(&self.compilation, sources, interrupt, remember)
    }
}
