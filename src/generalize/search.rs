//! The search for the holes of a pattern.

use rand::rngs::Xoshiro256PlusPlus;

use super::ask::Ask;
use super::blame::without;
use super::blank::blank_rules;
use super::gaps::gaps_of;
use super::narrowing::Reason;
use super::options::Options;
use super::pattern::{Hole, Instance, Pattern};
use super::trial::{Trials, Verdict};
use crate::grammar::{Nonterminal, Symbol, count};
use crate::reduce::{Result, Stop};

/// So many nodes that were opened in turn as the same tell how the next ones will be.
const SHORTEST_ROW: usize = 8;

/// Nodes of the same nonterminal that were opened in turn as the same.
#[derive(Default)]
struct Row {
    of: Option<(Nonterminal, Nonterminal)>,
    length: usize,
}

impl Row {
    /// Adds a node of `symbol` that was opened as `opened`; whether there are enough to try others at once:
    /// 8, 16, 32 and so on.
    fn goes_on_with(&mut self, symbol: Nonterminal, opened: Nonterminal) -> bool {
        if self.of != Some((symbol, opened)) {
            *self = Row { of: Some((symbol, opened)), length: 0 };
        }
        self.length += 1;
        self.length >= SHORTEST_ROW && self.length.is_power_of_two()
    }
}

/// A pattern and how well it was tested.
#[derive(Debug)]
pub struct Generalized {
    /// The pattern.
    pub pattern: Pattern,
    /// The number of texts that were run.
    #[cfg(test)]
    pub tests: u64,
    /// Why the search ended early, if it did; the pattern was not checked as a whole then.
    pub stopped: Option<Stop>,
}

/// A pattern whose holes are being looked for.
pub(super) struct PatternSearch<'a> {
    trials: Trials<'a>,
    options: Options,
    pattern: Pattern,
    /// Nodes at which elements can be added to a list, ascending.
    gaps: Vec<usize>,
    /// For each rule whether it derives nothing but white space.
    blank: Vec<bool>,
}

impl<'a> PatternSearch<'a> {
    /// A search that starts from `pattern`.
    pub(super) fn new(
        pattern: Pattern,
        ask: &'a mut dyn Ask,
        options: Options,
        rng: &'a mut Xoshiro256PlusPlus,
    ) -> Self {
        let grammar = pattern.grammar_used();
        PatternSearch {
            trials: Trials {
                limits: options.limits,
                rng,
                ask,
                tries: options.tries.max(1),
                tests: 0,
                known: Vec::new(),
            },
            options,
            gaps: gaps_of(grammar, pattern.concrete()),
            blank: blank_rules(grammar),
            pattern,
        }
    }

    /// What was found so far.
    pub(super) fn finish(self, stopped: Option<Stop>) -> Generalized {
        Generalized {
            pattern: self.pattern,
            #[cfg(test)]
            tests: self.trials.tests,
            stopped,
        }
    }

    /// Looks for nodes to open, each on its own, for places that vary together, and for gaps; then checks
    /// all of them at once, and takes back what does not hold together.
    pub(super) fn run(&mut self) -> Result<()> {
        self.abstract_below(&[0])?;
        if self.options.covarying {
            self.pattern = self.trials.covarying(&self.pattern)?;
        }
        self.open_gaps()?;
        self.verify()
    }

    /// Abstracts the nodes `roots`, or what can be abstracted below them, from the top down.
    fn abstract_below(&mut self, roots: &[usize]) -> Result<()> {
        let mut pending: Vec<usize> = roots.iter().rev().copied().collect();
        let mut row = Row::default();
        while let Some(at) = pending.pop() {
            let Some(symbol) = self.pattern.concrete().symbol(at) else { continue };
            if self.gaps.binary_search(&at).is_ok() {
                continue;
            }
            // What can only be this very text is no placeholder, nor is white space that is not there.
            let is_absent =
                self.blank[symbol.index()] && self.pattern.concrete().text_of(at).is_empty();
            let is_fixed = is_absent || count(self.pattern.grammar_used(), symbol) == Some(1);
            if is_fixed || !self.open(Hole::at(at, symbol))? {
                let children: Vec<usize> = self.pattern.concrete().children(at).collect();
                pending.extend(children.into_iter().rev());
                row = Row::default();
            } else {
                self.open_row(symbol, at, &mut row, &mut pending)?;
            }
        }
        Ok(())
    }

    /// Opens the next nodes of `pending` all at once, if they are as many of the same nonterminal as were
    /// opened in turn as the same: in a long row each would be like the ones before. `at` is the last of
    /// these, a node of `symbol`.
    fn open_row(
        &mut self,
        symbol: Nonterminal,
        at: usize,
        row: &mut Row,
        pending: &mut Vec<usize>,
    ) -> Result<()> {
        let mut holes = self.pattern.holes().iter();
        let Some(opened) = holes.find(|hole| hole.nodes == [at]) else { return Ok(()) };
        let opened = opened.symbol;
        if !row.goes_on_with(symbol, opened) {
            return Ok(());
        }
        let tree = self.pattern.concrete();
        let is_gap = |at: &usize| self.gaps.binary_search(at).is_ok();
        let is_like = |at: &&usize| is_gap(at) || tree.symbol(**at) == Some(symbol);
        let next: Vec<usize> = pending.iter().rev().take_while(is_like).copied().collect();
        let nodes: Vec<usize> = next.iter().filter(|at| !is_gap(at)).copied().collect();
        if nodes.len() < SHORTEST_ROW {
            return Ok(());
        }
        let others: Vec<Hole> = nodes.iter().map(|&at| Hole::at(at, opened)).collect();
        if let Verdict::Holds(_) = self.trials.check(&self.pattern.with_holes(others.clone()))? {
            let known = self.pattern.holes().iter().cloned();
            self.pattern = self.pattern.with_holes(known.chain(others).collect());
            pending.truncate(pending.len() - next.len());
        }
        Ok(())
    }

    /// Opens a hole if that holds on its own. Whether it did.
    fn open(&mut self, hole: Hole) -> Result<bool> {
        let alone = self.pattern.with_holes(vec![hole.clone()]);
        match self.trials.check(&alone)? {
            Verdict::Holds(_) => {
                self.add(hole);
                Ok(true)
            }
            Verdict::Refuted(instance) => {
                self.open_narrowed(&hole, Reason::Refuted(&instance.parts[0]))
            }
            Verdict::Unresolved => Ok(false),
        }
    }

    fn add(&mut self, hole: Hole) {
        let holes = self.pattern.holes().iter().cloned().chain([hole]);
        self.pattern = self.pattern.with_holes(holes.collect());
    }

    /// Opens a hole for a part of what could be in its place. Whether there is one.
    fn open_narrowed(&mut self, hole: &Hole, reason: Reason<'_>) -> Result<bool> {
        let alternatives = &self.pattern.grammar_used().rule(hole.symbol).alternatives;
        // What is nothing but another nonterminal is narrowed where that stands.
        let is_other =
            matches!(&alternatives[..], [only] if matches!(only[..], [Symbol::Nonterminal(_)]));
        if is_other || !self.options.narrowing {
            return Ok(false);
        }
        let Some(narrowed) = self.trials.narrowed(&self.pattern, hole, reason)? else {
            return Ok(false);
        };
        self.pattern = self.pattern.with_grammar(narrowed.grammar);
        self.add(Hole::at(hole.nodes[0], narrowed.symbol));
        Ok(true)
    }

    /// Opens the gaps in what is still concrete that can be filled with anything.
    fn open_gaps(&mut self) -> Result<()> {
        for at in self.gaps.clone() {
            let Some(symbol) = self.pattern.concrete().symbol(at) else { continue };
            let is_blank = self.blank[symbol.index()];
            if !is_blank && !self.pattern.covers(at) && !self.is_beside_hole(at) {
                self.open(Hole::at(at, symbol))?;
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
            before.or(after).is_some_and(|element| self.pattern.covers(element))
        })
    }

    /// Checks all holes together, and narrows or takes back those that do not hold, until the rest
    /// does.
    pub(super) fn verify(&mut self) -> Result<()> {
        while !self.pattern.holes().is_empty() {
            match self.trials.check(&self.pattern)? {
                Verdict::Holds(rate) => {
                    if rate.unresolved <= rate.reproduced || !self.leave_out_invalid()? {
                        break;
                    }
                }
                Verdict::Refuted(instance) => self.take_back(&instance)?,
                Verdict::Unresolved => {
                    if !self.leave_out_invalid()? {
                        self.keep_resolved()?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Narrows the holes that are to blame for too many invalid instances, or takes them back if most
    /// instances are invalid with that hole alone. Whether there were any.
    fn leave_out_invalid(&mut self) -> Result<bool> {
        let mut changed = false;
        for hole in self.pattern.holes().to_vec() {
            if hole.is_covarying() || self.pattern.is_narrowed(&hole) {
                continue;
            }
            let whole = self.pattern.clone();
            let others = whole.holes().iter().filter(|other| **other != hole);
            self.pattern = whole.with_holes(others.cloned().collect());
            if self.open_narrowed(&hole, Reason::Invalid)? {
                changed = true;
            } else if self.trials.is_mostly_invalid(&whole.with_holes(vec![hole.clone()]))? {
                changed = true;
                self.abstract_children(&hole)?;
            } else {
                self.pattern = whole;
            }
        }
        Ok(changed)
    }

    /// Abstracts what can be abstracted inside of a hole that was taken back.
    fn abstract_children(&mut self, hole: &Hole) -> Result<()> {
        let children: Vec<usize> = self.pattern.concrete().children(hole.nodes[0]).collect();
        self.abstract_below(&children)
    }

    /// Takes back the hole that `instance` refutes: narrows it, or makes it concrete again but for
    /// what can be abstracted below it.
    pub(super) fn take_back(&mut self, instance: &Instance) -> Result<()> {
        let blamed = self.trials.blame(&self.pattern, instance)?;
        let hole = self.pattern.holes()[blamed].clone();
        let is_narrowed = self.pattern.is_narrowed(&hole);
        self.pattern = without(&self.pattern, blamed);
        let reason = Reason::Refuted(&instance.parts[blamed]);
        if hole.is_covarying() || !is_narrowed && self.open_narrowed(&hole, reason)? {
            return Ok(());
        }
        self.abstract_children(&hole)
    }

    /// Where hardly any instance is valid with all holes open: opens them one by one, and keeps those
    /// with which enough instances are.
    fn keep_resolved(&mut self) -> Result<()> {
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
