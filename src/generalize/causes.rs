//! All causes of a failure: the evocative subtree of a pattern, and those of inputs that fail without it.
//!
//! One pattern seldom tells all: `3/0` becomes `<factor>/0`, while `3/0.5` and `3/0*2` fail as well. So
//! random inputs are looked at that do not contain the causes known so far. One that fails all the same
//! is reduced as long as that is so, and generalized in turn.

use std::sync::Arc;

use rand::rngs::Xoshiro256PlusPlus;

use super::ask::Ask;
use super::ddset::ddset;
use super::evocative::{evocative_grammar, evocative_subtree};
use super::options::Options;
use super::pattern::Pattern;
use super::trial::LARGEST_BATCH;
use crate::grammar::{Generator, Grammar, Parser, Tree};
use crate::reduce::tree::{Strategy, reduce};
use crate::reduce::{Answer, Memory, Oracle, Outcome, Problem, Result, Stop};

/// More causes make a grammar that nobody reads.
const MOST_CAUSES: usize = 12;
/// So many times as many random inputs as tries are looked at for one more cause.
const SEARCHED: usize = 4;
/// Inputs of unknown cause among which a cause must be found again to be worth a rule.
const MOST_MISSED: usize = 40;
/// The share of them that it must be the cause of, as one of so many.
const LEAST_SHARE: usize = 20;
/// After so many causes in turn of hardly anything, no more are looked for.
const PATIENCE: usize = 3;

/// Subtrees each of which causes the failure.
#[derive(Debug)]
pub struct Causes {
    /// That of the pattern, and the rules of narrowed placeholders.
    pub grammar: Arc<Grammar>,
    /// The subtrees, that of the pattern first, holes open.
    pub subtrees: Vec<Tree>,
    /// Why the search ended early, if it did.
    pub stopped: Option<Stop>,
}

impl Causes {
    /// The grammar of the texts that contain one of them, in any context.
    pub fn evocative_grammar(&self) -> Grammar {
        evocative_grammar(&self.grammar, &self.subtrees)
    }
}

/// Finds the cause that `pattern` tells of, and others that random inputs of its grammar show. `ask` runs a
/// text; unresolved outcomes do not count.
pub fn causes(
    pattern: &Pattern,
    ask: &mut dyn Ask,
    options: Options,
    rng: &mut Xoshiro256PlusPlus,
) -> Causes {
    let mut search = CauseSearch {
        causes: Causes {
            grammar: pattern.grammar_used().clone(),
            subtrees: vec![pattern.context_free_tree()],
            stopped: None,
        },
        ask,
        options,
        rng,
    };
    search.causes.stopped = search.run(pattern).err();
    search.causes
}

struct CauseSearch<'a> {
    causes: Causes,
    ask: &'a mut dyn Ask,
    options: Options,
    rng: &'a mut Xoshiro256PlusPlus,
}

impl CauseSearch<'_> {
    fn run(&mut self, pattern: &Pattern) -> Result<()> {
        self.causes.subtrees = vec![self.cause_of(pattern)?];
        let mut patience = PATIENCE;
        while patience > 0 && self.causes.subtrees.len() < MOST_CAUSES {
            let known = self.causes.evocative_grammar();
            let known = Parser::new(&known);
            let missed = self.missed(&known)?;
            // What hardly ever comes up would hardly be missed.
            let [first, _, ..] = &missed[..] else { break };
            let tree = self.reduced(first.clone(), &known)?;
            let before = self.causes.grammar.clone();
            let found = ddset(&before, &tree, self.ask, self.options, self.rng);
            if let Some(stop) = found.stopped {
                return Err(stop);
            }
            let cause = self.cause_of(&found.pattern)?;
            self.causes.grammar = found.pattern.grammar_used().clone();
            self.causes.subtrees.push(cause);
            if self.is_worth_a_rule(&missed) {
                patience = PATIENCE;
            } else {
                self.causes.subtrees.pop();
                self.causes.grammar = before;
                patience -= 1;
            }
        }
        Ok(())
    }

    /// Whether the last cause is that of more than a few of `missed`.
    fn is_worth_a_rule(&self, missed: &[Tree]) -> bool {
        let grammar = self.causes.evocative_grammar();
        let parser = Parser::new(&grammar);
        let explained = missed.iter().filter(|tree| parser.accepts(tree.text()));
        explained.count() >= missed.len().div_ceil(LEAST_SHARE).max(2)
    }

    fn cause_of(&mut self, pattern: &Pattern) -> Result<Tree> {
        evocative_subtree(pattern, self.ask, self.options.tries, self.rng)
    }

    /// Random inputs that fail, but are not `known` to, short ones first: they are reduced soon, and tell
    /// more.
    fn missed(&mut self, known: &Parser<'_>) -> Result<Vec<Tree>> {
        let grammar = self.causes.grammar.clone();
        let mut generator = Generator::new(&grammar, self.options.limits);
        let mut left = self.options.tries * SEARCHED;
        let mut missed: Vec<Tree> = Vec::new();
        while left > 0 && missed.len() < MOST_MISSED {
            let size = left.min(LARGEST_BATCH);
            left -= size;
            let trees: Vec<Tree> =
                (0..size).map(|_| generator.generate(grammar.start(), self.rng)).collect();
            let texts: Vec<&str> = trees.iter().map(Tree::text).collect();
            let outcomes = self.ask.ask_all(&texts)?;
            let failing = trees
                .into_iter()
                .zip(outcomes)
                .filter(|(tree, outcome)| outcome.is_fail() && !known.accepts(tree.text()));
            missed.extend(failing.map(|(tree, _)| tree));
        }
        missed.sort_by_key(|tree| tree.text().len());
        Ok(missed)
    }

    /// A smaller tree of which that is still true.
    fn reduced(&mut self, mut tree: Tree, known: &Parser<'_>) -> Result<Tree> {
        let mut unknown = Unknown { ask: self.ask, known };
        let mut problem = Problem::new(tree.clone(), &mut unknown, Memory::Remember);
        let grammar = &*self.causes.grammar;
        let strategy = Strategy::Perses;
        reduce(&mut problem, &mut tree, grammar, strategy, Tree::clone).map_err(inner)?;
        Ok(tree)
    }
}

/// Judges inputs; those that are known to fail do not count.
struct Unknown<'a> {
    ask: &'a mut dyn Ask,
    known: &'a Parser<'a>,
}

impl Oracle<Tree> for Unknown<'_> {
    fn ask(&mut self, tree: &Tree) -> Answer<Outcome> {
        if self.known.accepts(tree.text()) {
            return Ok(Outcome::Unresolved);
        }
        Ok(self.ask.ask(tree.text())?)
    }
}

/// The reason that is behind one of [`Unknown`].
fn inner(stop: Stop) -> Stop {
    match stop {
        Stop::Oracle(error) => error.downcast::<Stop>().map_or_else(Stop::Oracle, |stop| *stop),
        stop => stop,
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_example_of_causes_holds() -> Result<(), Box<dyn std::error::Error>> {
        use crate::generalize::{Options, causes, ddset};
        use crate::grammar::{Grammar, Parser};
        use crate::reduce::Outcome;
        use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};

        let grammar = Grammar::parse_ebnf("s ::= d+; d ::= [0-9]")?;
        let mut odd = |text: &str| Ok(Outcome::fail_if(text.contains(['3', '7'])));
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let tree = Parser::new(&grammar).parse("3")?;
        let found = ddset(&grammar, &tree, &mut odd, Options::default(), &mut rng);
        let causes = causes(&found.pattern, &mut odd, Options::default(), &mut rng);
        let evocative = causes.evocative_grammar();
        let parser = Parser::new(&evocative);
        assert!(parser.accepts("132") && parser.accepts("9701") && !parser.accepts("1542"));
        Ok(())
    }
}
