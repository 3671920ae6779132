//! Whether a set of holes holds: instances are made and run.

use std::collections::HashSet;

use rand::rngs::Xoshiro256PlusPlus;

use super::ask::Ask;
use super::pattern::{Hole, Instance, Pattern};
use super::rate::Rate;
use crate::grammar::{Generator, Limits, Nonterminal, count, enumerate};
use crate::reduce::{Outcome, Result};

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

/// Instances of a pattern that were run, up to the first that passes.
#[derive(Debug, Default)]
pub(super) struct Sample {
    /// Their outcomes, counted.
    pub(super) rate: Rate,
    /// The one that passed.
    pub(super) passed: Option<Instance>,
    /// One that failed.
    pub(super) failed: Option<Instance>,
    /// Whether as many failed as are wanted, or some of those that there are besides the concrete
    /// input.
    pub(super) is_enough: bool,
}

impl Sample {
    /// Counts an instance; whether it ends the sample.
    fn add(&mut self, instance: Instance, outcome: Outcome) -> bool {
        self.rate.add(outcome);
        match outcome {
            Outcome::Pass => self.passed = Some(instance),
            Outcome::Fail => drop(self.failed.get_or_insert(instance)),
            Outcome::Unresolved | Outcome::Timeout => {}
        }
        self.passed.is_some()
    }
}

/// So many times as many instances as tries are run, until enough of them were resolved. A pattern
/// fewer of whose instances are valid says nothing of its placeholders.
const PATIENCE: usize = 4;

/// Instances that are run together at most.
pub(super) const LARGEST_BATCH: usize = 128;

/// Everything a trial needs.
pub(super) struct Trials<'a> {
    pub(super) limits: Limits,
    pub(super) rng: &'a mut Xoshiro256PlusPlus,
    pub(super) ask: &'a mut dyn Ask,
    pub(super) tries: usize,
    /// Instances that were run.
    pub(super) tests: u64,
    /// Nonterminals, and those that were narrowed from them.
    pub(super) known: Vec<(Nonterminal, Nonterminal)>,
}

impl Trials<'_> {
    /// Runs texts, and counts them.
    pub(super) fn run(&mut self, texts: &[&str]) -> Result<Vec<Outcome>> {
        self.tests += texts.len() as u64;
        self.ask.ask_all(texts)
    }

    /// Whether enough instances fail, and none passes.
    pub(super) fn check(&mut self, pattern: &Pattern) -> Result<Verdict> {
        let sample = self.sample(pattern)?;
        Ok(match sample.passed {
            Some(instance) => Verdict::Refuted(instance),
            None if sample.is_enough => Verdict::Holds(sample.rate),
            None => Verdict::Unresolved,
        })
    }

    /// Fills the holes with random trees until enough instances were resolved, or one passes. Holes
    /// that have few instances are filled with all of them instead.
    pub(super) fn sample(&mut self, pattern: &Pattern) -> Result<Sample> {
        if let [hole] = pattern.holes()
            && let Some(instances) = self.all_instances(pattern, hole)
        {
            return self.sample_all(instances);
        }
        let mut generator = Generator::new(pattern.grammar_used(), self.limits);
        let mut sample = Sample::default();
        let mut seen = HashSet::new();
        let mut left = self.tries.saturating_mul(PATIENCE);
        let mut size = 1;
        while let Some(missing) = self.missing(sample.rate).filter(|_| left > 0) {
            let size_now = size.min(missing);
            let made = self.made(pattern, &mut generator, size_now, &mut left, &seen);
            let texts: Vec<&str> = made.iter().map(|(one, _)| one.tree.text()).collect();
            let outcomes = self.run(&texts)?;
            for ((instance, after), outcome) in made.into_iter().zip(outcomes) {
                let text = instance.tree.text();
                if seen.contains(text) {
                    continue;
                }
                if !outcome.is_resolved() {
                    seen.insert(text.to_owned());
                }
                if sample.add(instance, outcome) {
                    *self.rng = after;
                    return Ok(sample);
                }
            }
            size = larger_batch(size);
        }
        sample.is_enough = self.missing(sample.rate).is_none();
        Ok(sample)
    }

    /// Runs `number` random instances, or fewer if hardly any is another text than the concrete one.
    pub(super) fn survey(
        &mut self,
        pattern: &Pattern,
        number: usize,
    ) -> Result<Vec<(Instance, Outcome)>> {
        let mut generator = Generator::new(pattern.grammar_used(), self.limits);
        let mut left = number * PATIENCE;
        let made = self.made(pattern, &mut generator, number, &mut left, &HashSet::new());
        let texts: Vec<&str> = made.iter().map(|(one, _)| one.tree.text()).collect();
        let outcomes = self.run(&texts)?;
        let instances = made.into_iter().map(|(instance, _)| instance);
        Ok(instances.zip(outcomes).collect())
    }

    /// How many instances must still fail, if any.
    fn missing(&self, rate: Rate) -> Option<usize> {
        let failed = usize::try_from(rate.reproduced).unwrap_or(usize::MAX);
        self.tries.checked_sub(failed).filter(|missing| *missing > 0)
    }

    /// Up to `size` random instances, each with the random numbers as they are after it: one that
    /// passes ends the trial as if those after it had not been made. `left` is how many may be made.
    fn made(
        &mut self,
        pattern: &Pattern,
        generator: &mut Generator<'_>,
        size: usize,
        left: &mut usize,
        seen: &HashSet<String>,
    ) -> Vec<(Instance, Xoshiro256PlusPlus)> {
        let mut made = Vec::with_capacity(size);
        while made.len() < size && *left > 0 {
            *left -= 1;
            let instance = pattern.instance(generator, self.rng);
            // An unresolved text says nothing however often it comes up, nor does the one that is known.
            let text = instance.tree.text();
            if !seen.contains(text) && text != pattern.concrete().text() {
                made.push((instance, self.rng.clone()));
            }
        }
        made
    }

    fn all_instances(&self, pattern: &Pattern, hole: &Hole) -> Option<Vec<Instance>> {
        let grammar = pattern.grammar_used();
        let count = usize::try_from(count(grammar, hole.symbol)?).ok()?;
        // Few tries are taken by their word: they are asked for where runs are dear.
        if count > self.tries {
            return None;
        }
        let most_expansions = grammar.rules().len() * count;
        let trees = enumerate(grammar, hole.symbol, most_expansions, count);
        let filled = trees.into_iter().map(|tree| pattern.filled(vec![tree]));
        // The concrete input fails in any case.
        let is_other = |instance: &Instance| instance.tree.text() != pattern.concrete().text();
        Some(filled.filter(is_other).collect())
    }

    fn sample_all(&mut self, instances: Vec<Instance>) -> Result<Sample> {
        let mut sample = Sample::default();
        let is_fixed = instances.is_empty();
        let mut instances = instances.into_iter().peekable();
        let mut size = 1;
        while instances.peek().is_some() {
            let batch: Vec<Instance> = instances.by_ref().take(size).collect();
            let texts: Vec<&str> = batch.iter().map(|one| one.tree.text()).collect();
            let outcomes = self.run(&texts)?;
            for (instance, outcome) in batch.into_iter().zip(outcomes) {
                if sample.add(instance, outcome) {
                    return Ok(sample);
                }
            }
            size = larger_batch(size);
        }
        sample.is_enough = is_fixed || sample.rate.reproduced > 0;
        Ok(sample)
    }
}

/// The size of the next batch. Most placeholders that do not hold are refuted at once, so that first
/// batches are small.
pub(super) fn larger_batch(size: usize) -> usize {
    (size * 2).min(LARGEST_BATCH)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use crate::generalize::{Options, ddset};
    use crate::grammar::{Grammar, Parser, Tree, builtin};

    /// Fails with texts of digits only, and knows how often it was called.
    #[derive(Default)]
    struct Digits {
        calls: u64,
    }

    impl Ask for Digits {
        fn ask(&mut self, text: &str) -> Result<Outcome> {
            self.ask_all(&[text]).map(|outcomes| outcomes[0])
        }

        fn ask_all(&mut self, texts: &[&str]) -> Result<Vec<Outcome>> {
            self.calls += 1;
            let is_digits = |text: &&str| text.chars().all(|c| c.is_ascii_digit());
            let outcomes = texts.iter().map(|text| Outcome::fail_if(is_digits(text)));
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
        let pattern = Pattern::new(grammar.into(), tree, vec![hole]);
        for seed in 0..20 {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut one_by_one = rng.clone();
            let mut trials = Trials {
                limits: Limits::default(),
                rng: &mut rng,
                ask: &mut Digits::default(),
                tries: 299,
                tests: 0,
                known: Vec::new(),
            };
            let Verdict::Refuted(refuted) = trials.check(&pattern).unwrap() else {
                panic!("-4 passes");
            };
            let mut generator = Generator::new(pattern.grammar_used(), Limits::default());
            loop {
                let instance = pattern.instance(&mut generator, &mut one_by_one);
                if instance.tree.text().starts_with(['-', '+']) {
                    assert_eq!(instance, refuted);
                    break;
                }
            }
            assert_eq!(rng, one_by_one);
        }
    }
}
