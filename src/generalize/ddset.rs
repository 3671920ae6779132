//! DDSET: R. Gopinath, A. Kampmann, N. Havrikov, E. Soremekun and A. Zeller, "Abstracting
//! Failure-Inducing Inputs" (2020).

use rand::rngs::Xoshiro256PlusPlus;

use super::ask::Ask;
use super::blame::without;
use super::blank::blank_rules;
use super::gaps::with_gaps;
use super::pattern::{Hole, Pattern};
use super::rate::{Rate, tries_for};
use super::trial::{Trials, Verdict};
use crate::grammar::{Generator, Grammar, Limits, Tree, count};
use crate::reduce::Stop;

/// How nodes are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Each node together with all that were abstracted before it: simple, but the chance of a valid
    /// input falls with every node.
    Simple,
    /// Each node on its own, then places that vary together, then all of them at once; what fails to
    /// hold together is taken back.
    TwoPhase,
}

/// Settings of [`ddset()`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// How nodes are checked.
    pub method: Method,
    /// The number of instances of a node that must fail before it is abstract.
    pub tries: usize,
    /// How large generated parts grow.
    pub limits: Limits,
    /// Whether places that need the same text are looked for.
    pub covarying: bool,
    /// Whether it is tried to add elements to lists.
    pub gaps: bool,
}

impl Default for Options {
    /// As many tries as it takes so that, at 95 % confidence, at least 99 % of all instances fail.
    fn default() -> Self {
        let tries = tries_for(0.99, 0.95);
        Options {
            method: Method::TwoPhase,
            tries,
            limits: Limits::default(),
            covarying: true,
            gaps: true,
        }
    }
}

/// A pattern and how well it was tested.
#[derive(Debug)]
pub struct Generalized<'g> {
    /// The pattern.
    pub pattern: Pattern<'g>,
    /// The outcomes of the instances of the last check of the whole pattern.
    pub rate: Rate,
    /// The number of texts that were run.
    pub tests: u64,
    /// Why the search ended early, if it did; the pattern was not checked as a whole then.
    pub stopped: Option<Stop>,
}

/// Generalizes the failing text of `tree`: finds the nodes that can be replaced by anything that their
/// nonterminals derive. `ask` runs a text; unresolved outcomes count neither for nor against.
///
/// ```
/// use cargo_reduce::generalize::{Options, ddset};
/// use cargo_reduce::grammar::{Parser, builtin};
/// use cargo_reduce::reduce::Outcome;
/// use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};
///
/// let grammar = builtin("integer").expect("there is one");
/// let tree = Parser::new(&grammar).parse("-4")?;
/// let mut rng = Xoshiro256PlusPlus::seed_from_u64(0);
/// let mut negative = |text: &str| {
///     Ok(if text.starts_with('-') { Outcome::Fail } else { Outcome::Pass })
/// };
/// let found = ddset(&grammar, &tree, &mut negative, Options::default(), &mut rng);
/// assert_eq!(found.pattern.to_string(), "-<digit+>");
/// # Ok::<(), cargo_reduce::grammar::SyntaxError>(())
/// ```
pub fn ddset<'g>(
    grammar: &'g Grammar,
    tree: &Tree,
    ask: &mut dyn Ask,
    options: Options,
    rng: &mut Xoshiro256PlusPlus,
) -> Generalized<'g> {
    let (tree, gaps) = if options.gaps {
        with_gaps(grammar, tree)
    } else {
        (tree.clone(), Vec::new())
    };
    let mut search = Search {
        trials: Trials {
            grammar,
            generator: Generator::new(grammar, options.limits),
            rng,
            ask,
            tries: options.tries.max(1),
            tests: 0,
        },
        pattern: Pattern::new(grammar, tree, Vec::new()),
        gaps,
        blank: blank_rules(grammar),
        rate: Rate::default(),
    };
    let stopped = search.run(options).err();
    let Search {
        trials,
        pattern,
        rate,
        ..
    } = search;
    Generalized {
        pattern,
        rate,
        tests: trials.tests,
        stopped,
    }
}

struct Search<'g, 'a> {
    trials: Trials<'g, 'a>,
    pattern: Pattern<'g>,
    /// Nodes at which elements can be added to a list, ascending.
    gaps: Vec<usize>,
    /// For each rule whether it derives nothing but white space.
    blank: Vec<bool>,
    rate: Rate,
}

impl Search<'_, '_> {
    fn run(&mut self, options: Options) -> Result<(), Stop> {
        match options.method {
            Method::Simple => self.abstract_below(&[0], true)?,
            Method::TwoPhase => {
                self.abstract_below(&[0], false)?;
                if options.covarying {
                    self.pattern = self.trials.covarying(&self.pattern)?;
                }
                self.open_gaps()?;
            }
        }
        self.verify()
    }

    /// Abstracts the nodes `roots`, or what can be abstracted below them, from the top down.
    fn abstract_below(&mut self, roots: &[usize], together: bool) -> Result<(), Stop> {
        let mut pending: Vec<usize> = roots.iter().rev().copied().collect();
        while let Some(at) = pending.pop() {
            let Some(symbol) = self.pattern.concrete().symbol(at) else {
                continue;
            };
            if self.gaps.binary_search(&at).is_ok() {
                continue;
            }
            let hole = Hole::at(at, symbol);
            let mut holes = if together {
                self.pattern.holes().to_vec()
            } else {
                Vec::new()
            };
            holes.push(hole.clone());
            // What can only be this very text is no placeholder, nor is white space that is not there.
            let is_absent =
                self.blank[symbol.index()] && self.pattern.concrete().text_of(at).is_empty();
            let is_fixed = is_absent || count(self.trials.grammar, symbol) == Some(1);
            let trial = self.pattern.with_holes(holes);
            if !is_fixed && matches!(self.trials.check(&trial)?, Verdict::Holds(_)) {
                let holes = self.pattern.holes().iter().cloned().chain([hole]).collect();
                self.pattern = self.pattern.with_holes(holes);
            } else {
                let children: Vec<usize> = self.pattern.concrete().children(at).collect();
                pending.extend(children.into_iter().rev());
            }
        }
        Ok(())
    }

    /// Opens the gaps in what is still concrete that can be filled with anything.
    fn open_gaps(&mut self) -> Result<(), Stop> {
        for at in self.gaps.clone() {
            let Some(symbol) = self.pattern.concrete().symbol(at) else {
                continue;
            };
            let hole = Hole::at(at, symbol);
            if self.blank[symbol.index()] || self.pattern.covers(at) || self.is_beside_hole(at) {
                continue;
            }
            let trial = self.pattern.with_holes(vec![hole.clone()]);
            if matches!(self.trials.check(&trial)?, Verdict::Holds(_)) {
                let holes = self.pattern.holes().iter().cloned().chain([hole]).collect();
                self.pattern = self.pattern.with_holes(holes);
            }
        }
        Ok(())
    }

    /// Whether an element next to a gap is open: what could be added says little more then.
    fn is_beside_hole(&self, gap: usize) -> bool {
        let tree = self.pattern.concrete();
        let ends_at =
            |start: usize, end: usize| start < tree.len() && tree.subtree(start).end == end;
        let mut others = self.gaps.iter().copied();
        others.any(|other| {
            let before = ends_at(other + 1, gap).then_some(other + 1);
            let after = ends_at(gap + 1, other).then_some(gap + 1);
            before
                .or(after)
                .is_some_and(|element| self.pattern.covers(element))
        })
    }

    /// Checks all holes together, and takes back those that do not hold, until the rest does.
    fn verify(&mut self) -> Result<(), Stop> {
        while !self.pattern.holes().is_empty() {
            match self.trials.check(&self.pattern)? {
                Verdict::Holds(rate) => {
                    self.rate = rate;
                    break;
                }
                Verdict::Refuted(instance) => {
                    let blamed = self.trials.blame(&self.pattern, &instance)?;
                    self.take_back(blamed)?;
                }
                Verdict::Unresolved => self.keep_resolved()?,
            }
        }
        Ok(())
    }

    /// Makes a hole concrete again, except for what can be abstracted below it.
    fn take_back(&mut self, blamed: usize) -> Result<(), Stop> {
        let hole = self.pattern.holes()[blamed].clone();
        self.pattern = without(&self.pattern, blamed);
        if hole.is_covarying() {
            return Ok(());
        }
        let children: Vec<usize> = self.pattern.concrete().children(hole.nodes[0]).collect();
        self.abstract_below(&children, false)
    }

    /// Where hardly any instance is valid with all holes open: opens them one by one, and keeps those
    /// with which enough instances are.
    fn keep_resolved(&mut self) -> Result<(), Stop> {
        let holes = self.pattern.holes().to_vec();
        let mut kept = Vec::with_capacity(holes.len());
        for hole in &holes {
            kept.push(hole.clone());
            let trial = self.pattern.with_holes(kept.clone());
            if !matches!(self.trials.check(&trial)?, Verdict::Holds(_)) {
                kept.pop();
            }
        }
        // At least one must go, or this would not end.
        if kept.len() == holes.len() {
            kept.pop();
        }
        self.pattern = self.pattern.with_holes(kept);
        Ok(())
    }
}
