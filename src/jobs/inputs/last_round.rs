//! What the last round of a search has seen: why nothing more of the best can go.

use std::collections::HashMap;

use crate::reduce::Outcome;
use crate::reduce::inputs::{Inputs, unmask};
use crate::report::Without;

/// Larger inputs are not looked at element by element, neither by us nor by a reader.
const MOST_ELEMENTS: usize = 600;
/// So many candidates are remembered.
const MOST_TRIED: usize = 4_000;

/// Candidates that are smaller than the best, and what became of them.
#[derive(Debug, Clone, Default)]
pub struct Tried {
    outcomes: HashMap<Inputs, Outcome>,
    /// Why those that fail as well were not taken, where that is known.
    refused: HashMap<Inputs, Refused>,
    /// Whether candidates have to pass with another version, too.
    with_other_version: bool,
    /// What was tried before, when other inputs were as they had been.
    before: Option<Box<Tried>>,
}

/// Why a candidate is not taken that fails as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// It is no text of the grammar.
    NoText,
    /// Nobody knows whether the test should pass with it.
    Unsettled,
}

impl Tried {
    /// What happens with `candidate`, if it was tried.
    pub fn without(&self, candidate: &Inputs) -> Option<Without> {
        let Some(outcome) = self.outcomes.get(candidate).copied() else {
            let mut without = self.before.as_ref()?.without(candidate)?;
            without.said += "; tried before other inputs were made smaller";
            return Some(without);
        };
        let said = match (outcome, self.refused.get(candidate)) {
            (Outcome::Fail, Some(Refused::NoText)) => {
                "it fails in the same way, but the grammar does not parse it"
            }
            (Outcome::Fail, Some(Refused::Unsettled)) => {
                "it fails in the same way, but may fail with correct code, too"
            }
            (Outcome::Fail, None) => "it fails in the same way",
            (Outcome::Pass, _) => "the test passes",
            (Outcome::Unresolved, _) if self.with_other_version => {
                "it fails in another way, or with the other version, too"
            }
            (Outcome::Unresolved, _) => "it fails in another way",
            (Outcome::Timeout, _) => "it runs out of time",
        };
        Some(Without { outcome, said: said.to_owned() })
    }

    /// Whether nothing was tried.
    pub fn is_empty(&self) -> bool {
        self.outcomes.is_empty() && self.before.as_ref().is_none_or(|before| before.is_empty())
    }

    /// The same of candidates that have to pass with another version, too.
    #[must_use]
    pub fn with_other_version(self) -> Tried {
        Tried { with_other_version: true, ..self }
    }

    /// The same, and what was tried `before` of other inputs.
    #[must_use]
    pub fn after(self, before: Tried) -> Tried {
        Tried { before: Some(Box::new(before)), ..self }
    }

    /// The same where what was hidden in the candidates is that of `original`.
    #[must_use]
    pub fn unmask(&self, original: &Inputs) -> Tried {
        let whole = |tried: &Inputs| unmask(tried, original);
        Tried {
            outcomes: self.outcomes.iter().map(|(it, outcome)| (whole(it), *outcome)).collect(),
            refused: self.refused.iter().map(|(it, why)| (whole(it), *why)).collect(),
            with_other_version: self.with_other_version,
            before: self.before.as_ref().map(|before| Box::new(before.unmask(original))),
        }
    }
}

/// What `outcome` says of an input.
pub fn described(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Fail => "fails in the same way",
        Outcome::Pass => "passes",
        Outcome::Unresolved => "fails in another way",
        Outcome::Timeout => "runs out of time",
    }
}

/// Remembers what is tried between one best and the next.
#[derive(Debug, Default)]
pub struct LastRound {
    best: Inputs,
    /// The size of the best, unless it is too large.
    size: Option<usize>,
    tried: Tried,
}

impl LastRound {
    /// `best` is what candidates are made of from now on.
    pub fn begin(&mut self, best: &Inputs) {
        if self.size.is_some() && self.best == *best {
            return;
        }
        self.tried = Tried::default();
        self.size = Some(best.size()).filter(|size| *size <= MOST_ELEMENTS);
        self.best = if self.size.is_some() { best.clone() } else { Inputs::default() };
    }

    /// A candidate was tried.
    pub fn add(&mut self, candidate: &Inputs, outcome: Outcome) {
        let is_smaller = self.size.is_some_and(|size| candidate.size() < size);
        if is_smaller && self.tried.outcomes.len() < MOST_TRIED {
            self.tried.outcomes.insert(candidate.clone(), outcome);
        }
    }

    /// A candidate was tried that fails as well and was not taken.
    pub fn refuse(&mut self, candidate: &Inputs, why: Refused) {
        self.tried.refused.insert(candidate.clone(), why);
    }

    /// Whether `candidate` was tried.
    pub fn knows(&self, candidate: &Inputs) -> bool {
        self.tried.outcomes.contains_key(candidate)
    }

    /// What was tried of `best`.
    pub fn take(&mut self, best: &Inputs) -> Tried {
        let tried = std::mem::take(&mut self.tried);
        if self.best == *best { tried } else { Tried::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reduce::inputs::testing::{self, inputs};

    fn text(text: &str) -> Inputs {
        inputs([testing::text(text)])
    }

    #[test]
    fn only_what_is_smaller_than_the_last_best_is_remembered() {
        let mut round = LastRound::default();
        round.begin(&text("abc"));
        round.add(&text("ab"), Outcome::Fail);
        round.begin(&text("ab"));
        round.add(&text("b"), Outcome::Pass);
        round.add(&text("aa"), Outcome::Unresolved);
        // The same best again, in fresh processes.
        round.begin(&text("ab"));
        round.add(&text("a"), Outcome::Unresolved);
        let tried = round.take(&text("ab"));
        let outcome =
            |tried: &Tried, it: &str| tried.without(&text(it)).map(|without| without.outcome);
        assert_eq!(outcome(&tried, "b"), Some(Outcome::Pass));
        assert_eq!(outcome(&tried, "a"), Some(Outcome::Unresolved));
        assert_eq!(outcome(&tried, "aa"), None);
        assert_eq!(outcome(&tried, "ab"), None);
        assert_eq!(outcome(&round.take(&text("ab")), "b"), None);
    }

    #[test]
    fn it_is_told_why_what_fails_as_well_was_not_taken() {
        let tried = |begin: &str, shorter: &str, why: Option<Refused>| {
            let mut round = LastRound::default();
            round.begin(&text(begin));
            round.add(&text(shorter), Outcome::Fail);
            if let Some(why) = why {
                round.refuse(&text(shorter), why);
            }
            round.take(&text(begin))
        };
        let before = tried("abc", "bc", Some(Refused::NoText));
        let all = tried("abd", "bd", None).after(before).with_other_version();
        let said = |it: &str| all.without(&text(it)).map(|without| without.said);
        assert_eq!(said("bd").as_deref(), Some("it fails in the same way"));
        let earlier = "it fails in the same way, but the grammar does not parse it; tried before other \
                       inputs were made smaller";
        assert_eq!(said("bc").as_deref(), Some(earlier));
        assert_eq!(said("b"), None);
        assert!(!all.is_empty() && Tried::default().is_empty());
    }

    #[test]
    fn large_inputs_are_not_remembered() {
        let mut round = LastRound::default();
        let large = text(&"a".repeat(MOST_ELEMENTS + 1));
        round.begin(&large);
        round.add(&text("a"), Outcome::Pass);
        assert_eq!(round.take(&large).without(&text("a")), None);
    }
}
