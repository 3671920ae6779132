//! What a candidate has to do to count as the same crash.

use super::{Compilation, Crash, CrashKind, RustcError, Verdict};
use crate::exec::Interrupt;
use crate::oracle::store::Key;
use crate::reduce::{Answer, Outcome};
use crate::rust::Sources;

/// What to make of errors that rustc reports besides the crash.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Errors {
    /// A candidate may have errors if the original has.
    #[default]
    Keep,
    /// Errors do not matter.
    Allow,
    /// No errors are accepted.
    Forbid,
}

/// What another compiler has to do with a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Demand {
    /// To crash with the same message; the place in the compiler moves from version to version.
    Crash,
    /// Not to crash; errors are fine.
    NoCrash,
    /// To compile it without an error.
    Compile,
}

/// Another compiler that has a say.
#[derive(Debug, Clone)]
pub struct Elsewhere {
    /// How it compiles candidates.
    pub compilation: Compilation,
    /// What it has to do.
    pub demand: Demand,
}

impl Elsewhere {
    /// Whether it does with `sources` what is demanded, when our compiler crashes with `crash`.
    ///
    /// # Errors
    /// When it cannot be run.
    pub fn agrees(&self, sources: &Sources, crash: &Crash, interrupt: &Interrupt) -> Answer<bool> {
        let verdict = self.compilation.run(sources, interrupt)?.verdict;
        Ok(match (self.demand, verdict.crash) {
            (Demand::Crash, Some(found)) => {
                found.kind == crash.kind && found.message == crash.message
            }
            (Demand::Crash, None) | (Demand::NoCrash | Demand::Compile, Some(_)) => false,
            (Demand::NoCrash, None) => true,
            (Demand::Compile, None) => verdict.compiles,
        })
    }
}

/// What a candidate has to do to count.
#[derive(Debug, Clone)]
pub struct CrashMatcher {
    /// The crash that is looked for.
    pub crash: Crash,
    /// Whether errors may come along.
    pub allows_errors: bool,
    /// How often a candidate is compiled until it crashes; 1 for crashes that always come.
    pub runs: u32,
    /// Other compilers that have to agree.
    pub elsewhere: Vec<Elsewhere>,
}

impl CrashMatcher {
    /// The rule for the crash of `original`, which was read from a run on the unchanged source;
    /// `None` if that run did not crash.
    pub fn new(original: &Verdict, errors: Errors) -> Option<CrashMatcher> {
        let allows_errors = match errors {
            Errors::Keep => original.has_errors,
            Errors::Allow => true,
            Errors::Forbid => false,
        };
        Some(CrashMatcher {
            crash: original.crash.clone()?,
            allows_errors,
            runs: 1,
            elsewhere: Vec::new(),
        })
    }

    /// All that its outcomes depend on besides the candidate, when `compilation` makes them.
    ///
    /// # Errors
    /// When a compiler cannot be run.
    pub fn identity(&self, compilation: &Compilation) -> Result<Key, RustcError> {
        let elsewhere = self
            .elsewhere
            .iter()
            .map(|other| Ok((other.demand, other.compilation.identity()?)))
            .collect::<Result<Vec<_>, RustcError>>()?;
        let here = compilation.identity()?;
        Ok(Key::new(&(&self.crash, self.allows_errors, self.runs, here, elsewhere)))
    }

    /// What one run says about a candidate.
    pub fn outcome(&self, verdict: &Verdict) -> Outcome {
        let Some(crash) = &verdict.crash else { return Outcome::Pass };
        if *crash != self.crash {
            return if crash.kind == CrashKind::Timeout {
                Outcome::Timeout
            } else {
                Outcome::Unresolved
            };
        }
        if verdict.has_errors && !self.allows_errors { Outcome::Unresolved } else { Outcome::Fail }
    }

    /// Compiles a candidate until it is clear whether it counts; `hear` is told of each run.
    ///
    /// # Errors
    /// When a compiler cannot be run.
    pub fn judge(
        &self,
        compilation: &Compilation,
        sources: &Sources,
        interrupt: &Interrupt,
        mut hear: impl FnMut(&Verdict),
    ) -> Answer<Outcome> {
        let mut outcome = Outcome::Unresolved;
        for _ in 0..self.runs.max(1) {
            let verdict = compilation.run(sources, interrupt)?.verdict;
            hear(&verdict);
            outcome = self.outcome(&verdict);
            if outcome.is_fail() {
                break;
            }
        }
        if outcome.is_fail() {
            for other in &self.elsewhere {
                if !other.agrees(sources, &self.crash, interrupt)? {
                    return Ok(Outcome::Unresolved);
                }
            }
        }
        Ok(outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(message: &str, has_errors: bool) -> Verdict {
        let crash = Crash {
            kind: CrashKind::Panic,
            message: message.into(),
            location: None,
            queries: Vec::new(),
        };
        Verdict { crash: Some(crash), has_errors, compiles: false }
    }

    fn outcome(original: bool, errors: Errors, candidate: bool) -> Outcome {
        let rule = CrashMatcher::new(&verdict("a", original), errors).unwrap();
        rule.outcome(&verdict("a", candidate))
    }

    #[test]
    fn errors_are_kept_allowed_or_forbidden() {
        for (original, errors, with, without) in [
            (false, Errors::Keep, Outcome::Unresolved, Outcome::Fail),
            (true, Errors::Keep, Outcome::Fail, Outcome::Fail),
            (false, Errors::Allow, Outcome::Fail, Outcome::Fail),
            (true, Errors::Forbid, Outcome::Unresolved, Outcome::Fail),
        ] {
            assert_eq!(outcome(original, errors, true), with, "{errors:?}");
            assert_eq!(outcome(original, errors, false), without, "{errors:?}");
        }
    }

    #[test]
    fn another_crash_is_not_ours_and_no_crash_passes() {
        let rule = CrashMatcher::new(&verdict("a", false), Errors::Keep).unwrap();
        assert_eq!(rule.outcome(&verdict("b", false)), Outcome::Unresolved);
        let none = Verdict { crash: None, ..verdict("", false) };
        assert_eq!(rule.outcome(&none), Outcome::Pass);
        assert!(CrashMatcher::new(&none, Errors::Keep).is_none());
    }
}
