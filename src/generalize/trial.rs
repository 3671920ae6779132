//! Whether a set of holes holds: instances are made and run.

use std::collections::HashSet;

use rand::rngs::Xoshiro256PlusPlus;

use super::ask::Ask;
use super::pattern::{Hole, Instance, Pattern};
use super::rate::Rate;
use crate::grammar::{Generator, Grammar, count, enumerate};
use crate::reduce::{Outcome, Stop};

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

/// Instances that are run together at most.
const LARGEST_BATCH: usize = 128;

/// Everything a trial needs.
pub(super) struct Trials<'g, 'a> {
    pub(super) grammar: &'g Grammar,
    pub(super) generator: Generator<'g>,
    pub(super) rng: &'a mut Xoshiro256PlusPlus,
    pub(super) ask: &'a mut dyn Ask,
    pub(super) tries: usize,
    /// Instances that were run.
    pub(super) tests: u64,
}

impl<'g> Trials<'g, '_> {
    fn run(&mut self, texts: &[&str]) -> Result<Vec<Outcome>, Stop> {
        self.tests += texts.len() as u64;
        self.ask.ask_all(texts)
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
        let mut left = self.tries.saturating_mul(PATIENCE);
        let mut size = 1;
        while let Some(missing) = self.missing(rate).filter(|_| left > 0) {
            let made = self.made(pattern, size.min(missing), &mut left, &seen);
            let texts: Vec<&str> = made.iter().map(|(one, _)| one.tree.text()).collect();
            let outcomes = self.run(&texts)?;
            for ((instance, after), outcome) in made.into_iter().zip(outcomes) {
                let text = instance.tree.text();
                if seen.contains(text) {
                    continue;
                }
                rate.add(outcome);
                match outcome {
                    Outcome::Pass => {
                        *self.rng = after;
                        return Ok(Verdict::Refuted(instance));
                    }
                    Outcome::Fail => {}
                    Outcome::Unresolved | Outcome::Timeout => {
                        seen.insert(text.to_owned());
                    }
                }
            }
            size = larger(size);
        }
        Ok(match self.missing(rate) {
            None => Verdict::Holds(rate),
            Some(_) => Verdict::Unresolved,
        })
    }

    /// How many instances must still fail, if any.
    fn missing(&self, rate: Rate) -> Option<usize> {
        let failed = usize::try_from(rate.reproduced).unwrap_or(usize::MAX);
        self.tries
            .checked_sub(failed)
            .filter(|missing| *missing > 0)
    }

    /// Up to `size` random instances, each with the random numbers as they are after it: one that
    /// passes ends the trial as if those after it had not been made. `left` is how many may be made.
    fn made(
        &mut self,
        pattern: &Pattern<'g>,
        size: usize,
        left: &mut usize,
        seen: &HashSet<String>,
    ) -> Vec<(Instance, Xoshiro256PlusPlus)> {
        let mut made = Vec::with_capacity(size);
        while made.len() < size && *left > 0 {
            *left -= 1;
            let instance = pattern.instance(&mut self.generator, self.rng);
            // An unresolved text says nothing however often it comes up, nor does the one that is known.
            let text = instance.tree.text();
            if !seen.contains(text) && text != pattern.concrete().text() {
                made.push((instance, self.rng.clone()));
            }
        }
        made
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
        let mut instances = instances.into_iter().peekable();
        let mut size = 1;
        while instances.peek().is_some() {
            let batch: Vec<Instance> = instances.by_ref().take(size).collect();
            let texts: Vec<&str> = batch.iter().map(|one| one.tree.text()).collect();
            let outcomes = self.run(&texts)?;
            for (instance, outcome) in batch.into_iter().zip(outcomes) {
                rate.add(outcome);
                if outcome == Outcome::Pass {
                    return Ok(Verdict::Refuted(instance));
                }
            }
            size = larger(size);
        }
        // One that fails is the concrete input itself.
        Ok(if rate.reproduced > 1 {
            Verdict::Holds(rate)
        } else {
            Verdict::Unresolved
        })
    }
}

/// The size of the next batch. Most placeholders that do not hold are refuted at once, so that first
/// batches are small.
fn larger(size: usize) -> usize {
    (size * 2).min(LARGEST_BATCH)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::generalize::{Options, ddset};
    use crate::grammar::{Parser, Tree, builtin};

    /// Fails with texts of digits only, and knows how often it was called.
    #[derive(Default)]
    struct Digits {
        calls: u64,
    }

    impl Ask for Digits {
        fn ask(&mut self, text: &str) -> Result<Outcome, Stop> {
            self.ask_all(&[text]).map(|outcomes| outcomes[0])
        }

        fn ask_all(&mut self, texts: &[&str]) -> Result<Vec<Outcome>, Stop> {
            self.calls += 1;
            let is_digits = |text: &&str| text.chars().all(|c| c.is_ascii_digit());
            let outcomes = texts.iter().map(|text| {
                if is_digits(text) {
                    Outcome::Fail
                } else {
                    Outcome::Pass
                }
            });
            Ok(outcomes.collect())
        }
    }

    fn four() -> (Grammar, Tree) {
        let grammar = builtin("integer").unwrap();
        let tree = Parser::new(&grammar).parse("4").unwrap();
        (grammar, tree)
    }

    #[test]
    fn the_instances_of_a_placeholder_are_asked_together() {
        let (grammar, tree) = four();
        let mut digits = Digits::default();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let found = ddset(&grammar, &tree, &mut digits, Options::default(), &mut rng);
        assert_eq!(found.pattern.to_string(), "<digit+>");
        assert!(found.tests > 299 && digits.calls * 10 < found.tests);
    }

    #[test]
    fn instances_made_after_one_that_passes_change_nothing() {
        let (grammar, tree) = four();
        let hole = Hole::at(0, grammar.start());
        let pattern = Pattern::new(&grammar, tree, vec![hole]);
        for seed in 0..20 {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut one_by_one = rng.clone();
            let mut trials = Trials {
                grammar: &grammar,
                generator: Generator::new(&grammar, crate::grammar::Limits::default()),
                rng: &mut rng,
                ask: &mut Digits::default(),
                tries: 299,
                tests: 0,
            };
            let Verdict::Refuted(refuted) = trials.check(&pattern).unwrap() else {
                panic!("-4 passes");
            };
            loop {
                let instance = pattern.instance(&mut trials.generator, &mut one_by_one);
                if instance.tree.text().starts_with(['-', '+']) {
                    assert_eq!(instance, refuted);
                    break;
                }
            }
            assert_eq!(rng, one_by_one);
        }
    }
}
