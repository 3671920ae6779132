//! Running instances of a pattern.

use rand::rngs::Xoshiro256PlusPlus;

use super::ask::Ask;
use super::pattern::{Instance, Pattern};
use super::rate::Rate;
use crate::grammar::{Generator, Limits};
use crate::reduce::{Outcome, Result};

/// Instances of a pattern and their outcomes.
#[derive(Debug, Default)]
pub struct Fuzzed {
    /// The instances, in the order they were run.
    pub instances: Vec<(Instance, Outcome)>,
    /// Their outcomes, counted.
    pub rate: Rate,
}

impl Fuzzed {
    /// The instances that passed.
    pub fn counterexamples(&self) -> impl Iterator<Item = &Instance> {
        let passed = self.instances.iter().filter(|(_, outcome)| *outcome == Outcome::Pass);
        passed.map(|(instance, _)| instance)
    }
}

/// Instances that are run together.
const BATCH: usize = 64;
/// So many times as many instances as are wanted are made at most.
const PATIENCE: usize = 4;

/// Runs `number` random instances of `pattern`, preferring alternatives of the grammar that were not
/// taken before; fewer if hardly any is another text than that of the pattern itself.
///
/// # Errors
/// Those of `ask`, which runs a text.
pub fn fuzz(
    pattern: &Pattern,
    number: usize,
    ask: &mut dyn Ask,
    rng: &mut Xoshiro256PlusPlus,
) -> Result<Fuzzed> {
    let limits = Limits { cover: true, ..Limits::default() };
    let mut generator = Generator::new(pattern.grammar_used(), limits);
    let mut fuzzed = Fuzzed::default();
    let made = (0..number.saturating_mul(PATIENCE))
        .map(|_| pattern.instance(&mut generator, rng))
        .filter(|instance| instance.tree.text() != pattern.concrete().text());
    let mut made = made.take(number).peekable();
    while made.peek().is_some() {
        let batch: Vec<Instance> = made.by_ref().take(BATCH).collect();
        let texts: Vec<&str> = batch.iter().map(|instance| instance.tree.text()).collect();
        let outcomes = ask.ask_all(&texts)?;
        for outcome in &outcomes {
            fuzzed.rate.add(*outcome);
        }
        fuzzed.instances.extend(batch.into_iter().zip(outcomes));
    }
    Ok(fuzzed)
}
