//! Running instances of a pattern.

use rand::rngs::Xoshiro256PlusPlus;

use super::pattern::{Instance, Pattern};
use super::rate::Rate;
use crate::grammar::{Generator, Limits};
use crate::reduce::{Outcome, Stop};

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
        let passed = self
            .instances
            .iter()
            .filter(|(_, outcome)| *outcome == Outcome::Pass);
        passed.map(|(instance, _)| instance)
    }
}

/// So many times as many instances as are wanted are made at most.
const PATIENCE: usize = 4;

/// Runs `number` random instances of `pattern`, preferring alternatives of the grammar that were not
/// taken before; fewer if hardly any is another text than that of the pattern itself.
///
/// # Errors
/// Those of `ask`, which runs a text.
pub fn fuzz(
    pattern: &Pattern<'_>,
    number: usize,
    ask: &mut dyn FnMut(&str) -> Result<Outcome, Stop>,
    rng: &mut Xoshiro256PlusPlus,
) -> Result<Fuzzed, Stop> {
    let limits = Limits {
        cover: true,
        ..Limits::default()
    };
    let mut generator = Generator::new(pattern.grammar_used(), limits);
    let mut fuzzed = Fuzzed::default();
    for _ in 0..number.saturating_mul(PATIENCE) {
        if fuzzed.instances.len() == number {
            break;
        }
        let instance = pattern.instance(&mut generator, rng);
        if instance.tree.text() == pattern.concrete().text() {
            continue;
        }
        let outcome = ask(instance.tree.text())?;
        fuzzed.rate.add(outcome);
        fuzzed.instances.push((instance, outcome));
    }
    Ok(fuzzed)
}
