//! Whether what happened is the failure we started from.

use super::libtest::Verdict;
use super::signature::{Kind, Match, Matcher, Signature};
use crate::reduce::Outcome;

/// The failure to hold on to, and how closely it must be met.
#[derive(Debug, Clone)]
pub struct Judge {
    rule: Match,
    matcher: Matcher,
}

impl Judge {
    /// `expected` is the failure of the unchanged test as the binary that is run reports it.
    #[must_use]
    pub fn new(rule: Match, expected: Signature) -> Self {
        Judge {
            matcher: Matcher::new(rule.clone(), expected),
            rule,
        }
    }

    /// The failure to hold on to.
    #[must_use]
    pub fn expected(&self) -> &Signature {
        self.matcher.original()
    }

    /// How closely it must be met.
    #[must_use]
    pub fn rule(&self) -> &Match {
        &self.rule
    }

    /// The outcome that a run's result means.
    #[must_use]
    pub fn outcome(&self, result: &Verdict) -> Outcome {
        match result {
            Verdict::Passed => Outcome::Pass,
            Verdict::Failed(signature) if self.matcher.matches(signature) => Outcome::Fail,
            Verdict::Failed(signature) if signature.kind == Kind::Timeout => Outcome::Timeout,
            Verdict::Failed(_) | Verdict::NotRun => Outcome::Unresolved,
        }
    }
}
