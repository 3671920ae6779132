//! What the last round of a search has seen: why nothing more of the best can go.

use std::collections::{HashMap, HashSet};

use crate::reduce::Outcome;
use crate::reduce::inputs::{Inputs, unmask};

/// Larger inputs are not looked at element by element, neither by us nor by a reader.
const MOST_ELEMENTS: usize = 600;
/// So many candidates are remembered.
const MOST_TRIED: usize = 4_000;

/// Candidates that are smaller than the best, and what became of them.
#[derive(Debug, Clone, Default)]
pub struct Tried {
    outcomes: HashMap<Inputs, Outcome>,
    /// Those that fail as well and were not taken, since they are no texts of the grammar.
    no_texts: HashSet<Inputs>,
}

impl Tried {
    /// What became of `candidate`, if it was tried.
    pub fn outcome(&self, candidate: &Inputs) -> Option<Outcome> {
        self.outcomes.get(candidate).copied()
    }

    /// Whether the grammar is why `candidate` was not taken.
    pub fn is_no_text(&self, candidate: &Inputs) -> bool {
        self.no_texts.contains(candidate)
    }

    /// Whether nothing was tried.
    pub fn is_empty(&self) -> bool {
        self.outcomes.is_empty()
    }

    /// The same where what was hidden in the candidates is that of `original`.
    #[must_use]
    pub fn unmask(&self, original: &Inputs) -> Tried {
        let whole = |(tried, outcome): (&Inputs, &Outcome)| (unmask(tried, original), *outcome);
        Tried {
            outcomes: self.outcomes.iter().map(whole).collect(),
            no_texts: self.no_texts.iter().map(|tried| unmask(tried, original)).collect(),
        }
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

    /// A candidate was tried that is no text of the grammar, so that it could not be taken.
    pub fn add_no_text(&mut self, candidate: &Inputs) {
        if self.knows(candidate) {
            self.tried.no_texts.insert(candidate.clone());
        }
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
    use crate::reduce::inputs::{NodeId, Value};

    fn text(text: &str) -> Inputs {
        let leaf = crate::reduce::inputs::Node {
            id: NodeId(0),
            body: crate::reduce::inputs::Body::Leaf(Value::Text(text.to_owned())),
        };
        Inputs(vec![leaf.into()])
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
        assert_eq!(tried.outcome(&text("b")), Some(Outcome::Pass));
        assert_eq!(tried.outcome(&text("a")), Some(Outcome::Unresolved));
        assert_eq!(tried.outcome(&text("aa")), None);
        assert_eq!(tried.outcome(&text("ab")), None);
        assert_eq!(round.take(&text("ab")).outcome(&text("b")), None);
    }

    #[test]
    fn large_inputs_are_not_remembered() {
        let mut round = LastRound::default();
        let large = text(&"a".repeat(MOST_ELEMENTS + 1));
        round.begin(&large);
        round.add(&text("a"), Outcome::Pass);
        assert_eq!(round.take(&large).outcome(&text("a")), None);
    }
}
