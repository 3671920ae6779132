//! Whether a set of holes holds: instances are made and run.

use std::collections::HashSet;

use rand::rngs::Xoshiro256PlusPlus;

use super::pattern::{Hole, Instance, Pattern};
use super::rate::Rate;
use crate::grammar::{Generator, Grammar, count, enumerate};
use crate::reduce::{Outcome, Stop};

/// Runs a text.
pub(super) type Ask<'a> = &'a mut dyn FnMut(&str) -> Result<Outcome, Stop>;

/// What came of a trial.
#[derive(Debug)]
pub(super) enum Verdict {
    /// All resolved instances failed.
    Holds(Rate),
    /// This one passed.
    Refuted(Instance),
    /// Nearly all instances were unresolved.
    Unresolved,
}

/// So many times as many instances as tries are run, until enough of them were resolved. A pattern
/// fewer of whose instances are valid says nothing of its placeholders.
const PATIENCE: usize = 4;

/// Everything a trial needs.
pub(super) struct Trials<'g, 'a> {
    pub(super) grammar: &'g Grammar,
    pub(super) generator: Generator<'g>,
    pub(super) rng: &'a mut Xoshiro256PlusPlus,
    pub(super) ask: Ask<'a>,
    pub(super) tries: usize,
    /// Instances that were run.
    pub(super) tests: u64,
}

impl<'g> Trials<'g, '_> {
    pub(super) fn run(&mut self, text: &str) -> Result<Outcome, Stop> {
        self.tests += 1;
        (self.ask)(text)
    }

    /// Fills the holes with random trees until enough instances were resolved, or one passes. Holes
    /// that have few instances are filled with all of them instead.
    pub(super) fn check(&mut self, pattern: &Pattern<'g>) -> Result<Verdict, Stop> {
        if let [hole] = pattern.holes()
            && let Some(instances) = self.all_instances(pattern, hole)
        {
            return self.check_all(instances);
        }
        let mut rate = Rate::default();
        let mut seen = HashSet::new();
        for _ in 0..self.tries.saturating_mul(PATIENCE) {
            let instance = pattern.instance(&mut self.generator, self.rng);
            // An unresolved text says nothing however often it comes up, nor does the one that is known.
            let text = instance.tree.text();
            if seen.contains(text) || text == pattern.concrete().text() {
                continue;
            }
            let outcome = self.run(instance.tree.text())?;
            rate.add(outcome);
            match outcome {
                Outcome::Pass => return Ok(Verdict::Refuted(instance)),
                Outcome::Fail if rate.reproduced >= self.tries as u64 => break,
                Outcome::Fail => {}
                Outcome::Unresolved | Outcome::Timeout => {
                    seen.insert(instance.tree.text().to_owned());
                }
            }
        }
        Ok(if rate.reproduced >= self.tries as u64 {
            Verdict::Holds(rate)
        } else {
            Verdict::Unresolved
        })
    }

    fn all_instances(&self, pattern: &Pattern<'g>, hole: &Hole) -> Option<Vec<Instance>> {
        let count = usize::try_from(count(self.grammar, hole.symbol)?).ok()?;
        // Few tries are taken by their word: they are asked for where runs are dear.
        if count > self.tries {
            return None;
        }
        let trees = enumerate(
            self.grammar,
            hole.symbol,
            self.grammar.rules().len() * count,
            count,
        );
        Some(
            trees
                .into_iter()
                .map(|tree| pattern.filled(vec![tree]))
                .collect(),
        )
    }

    fn check_all(&mut self, instances: Vec<Instance>) -> Result<Verdict, Stop> {
        let mut rate = Rate::default();
        for instance in instances {
            let outcome = self.run(instance.tree.text())?;
            rate.add(outcome);
            if outcome == Outcome::Pass {
                return Ok(Verdict::Refuted(instance));
            }
        }
        // One that fails is the concrete input itself.
        Ok(if rate.reproduced > 1 {
            Verdict::Holds(rate)
        } else {
            Verdict::Unresolved
        })
    }
}
