//! Narrowed placeholders: where most texts of a nonterminal fail, but not all, the nonterminal of
//! those that do.

use std::sync::Arc;

use super::copy::{Copying, NodePlace};
use super::pattern::{Hole, Instance, Pattern};
use super::trial::{Sample, Trials};
use crate::grammar::{Grammar, Nonterminal, Parser, Symbol, Tree};
use crate::reduce::{Outcome, Result};

/// Why a placeholder should be narrowed.
#[derive(Debug, Clone, Copy)]
pub(super) enum Reason<'a> {
    /// An instance passes, in which it is filled with this tree.
    Refuted(&'a Tree),
    /// Too many of its instances are no valid input.
    Invalid,
}

/// A narrowed nonterminal.
#[derive(Debug)]
pub(super) struct Narrowed {
    /// The grammar with its rule, after all rules that were there before.
    pub(super) grammar: Arc<Grammar>,
    pub(super) symbol: Nonterminal,
}

/// Instances that are run to see whether it is worth while.
const SURVEYED: usize = 60;
/// The first of them, which tell most of the hopeless ones.
const FIRST_SURVEYED: usize = 12;
/// So many times as many of them must fail as pass.
const ENOUGH: usize = 2;
/// Of those that derive single characters, so many may pass for one that fails.
const LEAF_PASSES: usize = 3;
/// So many times fewer tries are taken first.
const COARSER: usize = 5;

impl Trials<'_> {
    /// A narrowed nonterminal for `hole` of `pattern`, if there is one that derives the concrete text
    /// and most others that fail.
    pub(super) fn narrowed(
        &mut self,
        pattern: &Pattern,
        hole: &Hole,
        reason: Reason<'_>,
    ) -> Result<Option<Narrowed>> {
        let [at] = hole.nodes[..] else { return Ok(None) };
        let alone = pattern.with_holes(vec![hole.clone()]);
        let Some(failing) = self.worth_while(&alone, reason)? else { return Ok(None) };
        let takes_most = |narrowed: &Narrowed| {
            let grammar = narrowed.grammar.starting_at(narrowed.symbol);
            let parser = Parser::new(&grammar);
            let taken = failing.iter().filter(|text| parser.accepts(text)).count();
            parser.accepts(pattern.concrete().text_of(at)) && taken * 5 >= failing.len() * 4
        };
        for (_, symbol) in self.known_for(hole.symbol) {
            let grammar = pattern.grammar_used().clone();
            let known = Narrowed { grammar, symbol };
            if takes_most(&known) && self.is_sure(pattern, at, &known)? {
                return Ok(Some(known));
            }
        }
        // Few tries are enough where much passes.
        for tries in [self.tries.div_ceil(COARSER), self.tries] {
            let Some((narrowed, known)) = self.copied(pattern, hole, reason, tries)? else {
                continue;
            };
            if takes_most(&narrowed) && self.is_sure(pattern, at, &narrowed)? {
                self.known = known;
                return Ok(Some(narrowed));
            }
        }
        Ok(None)
    }

    /// Whether most instances of a few are no valid input.
    pub(super) fn is_mostly_invalid(&mut self, pattern: &Pattern) -> Result<bool> {
        let surveyed = self.survey(pattern, SURVEYED)?;
        let invalid = surveyed.iter().filter(|(_, outcome)| !outcome.is_resolved());
        Ok(invalid.count() * 2 > surveyed.len())
    }

    /// What was narrowed from `symbol` before.
    fn known_for(&self, symbol: Nonterminal) -> Vec<(Nonterminal, Nonterminal)> {
        let known = self.known.iter().copied();
        known.filter(|(from, _)| *from == symbol).collect()
    }

    /// Whether all instances fail with a narrowed placeholder at node `at`.
    fn is_sure(&mut self, pattern: &Pattern, at: usize, narrowed: &Narrowed) -> Result<bool> {
        let pattern = pattern.with_grammar(narrowed.grammar.clone());
        let trial = pattern.with_holes(vec![Hole::at(at, narrowed.symbol)]);
        Ok(self.sample(&trial)?.is_good())
    }

    /// A narrowed copy of the nonterminal of `hole`, made with so many tries of each part, and all
    /// copies that are known then.
    #[expect(clippy::type_complexity, reason = "it is taken apart at once")]
    fn copied(
        &mut self,
        pattern: &Pattern,
        hole: &Hole,
        reason: Reason<'_>,
        tries: usize,
    ) -> Result<Option<(Narrowed, Vec<(Nonterminal, Nonterminal)>)>> {
        let usual = std::mem::replace(&mut self.tries, tries);
        let place = NodePlace { input: pattern.concrete(), at: hole.nodes[0] };
        let mut copying = Copying::new(self, pattern.grammar_used());
        // What is refuted together with others only is not so on its own.
        let against = match reason {
            Reason::Refuted(tree) => copying.passing(place, std::slice::from_ref(tree))?,
            Reason::Invalid => Vec::new(),
        };
        let copy = copying.copy(place, hole.symbol, &against);
        let (grammar, known) = copying.finish();
        self.tries = usual;
        Ok(grammar.zip(copy?).map(|(grammar, symbol)| {
            let grammar = Arc::new(grammar);
            (Narrowed { grammar, symbol }, known)
        }))
    }

    /// What the failing instances among a few of `alone`, a pattern with one hole, are filled with;
    /// `None` if too few fail, or there is nothing to gain.
    fn worth_while(&mut self, alone: &Pattern, reason: Reason<'_>) -> Result<Option<Vec<String>>> {
        let mut surveyed = self.survey(alone, FIRST_SURVEYED)?;
        let count = |surveyed: &[(_, Outcome)], wanted| {
            let outcomes = surveyed.iter().map(|(_, outcome)| *outcome);
            outcomes.filter(|outcome| *outcome == wanted).count()
        };
        let failed = count(&surveyed, Outcome::Fail);
        if failed == 0 || failed < count(&surveyed, Outcome::Pass) && !is_leaf(alone) {
            return Ok(None);
        }
        surveyed.extend(self.survey(alone, SURVEYED - FIRST_SURVEYED)?);
        let (failed, passed) = (count(&surveyed, Outcome::Fail), count(&surveyed, Outcome::Pass));
        let invalid = surveyed.len() - failed - passed;
        let is_fine = matches!(reason, Reason::Invalid) && invalid * 10 < surveyed.len();
        // Where less fails, what is concrete inside tells more, unless it is a character.
        let is_enough =
            if is_leaf(alone) { failed * LEAF_PASSES >= passed } else { failed >= ENOUGH * passed };
        if !is_enough || is_fine || needs_more(&surveyed) {
            return Ok(None);
        }
        let failing = surveyed.into_iter().filter(|(_, outcome)| outcome.is_fail());
        let parts = failing.filter_map(|(instance, _)| instance.parts.into_iter().next());
        Ok(Some(parts.map(|part| part.text().to_owned()).collect()))
    }
}

/// Whether the only hole of a pattern is for one of a few characters or words.
fn is_leaf(alone: &Pattern) -> bool {
    let grammar = alone.grammar_used();
    let mut alternatives =
        alone.holes().iter().flat_map(|hole| &grammar.rule(hole.symbol).alternatives);
    alternatives.all(|alternative| matches!(alternative[..], [Symbol::Text(_) | Symbol::Class(_)]))
}

/// Whether short parts pass and long ones fail: the failure then needs something that is in most texts
/// of the nonterminal, which no part of its rules makes sure of.
fn needs_more(surveyed: &[(Instance, Outcome)]) -> bool {
    let length = |instance: &Instance| instance.parts.first().map(|part| part.text().len());
    let mut by_length: Vec<_> =
        surveyed.iter().map(|(instance, outcome)| (length(instance), *outcome)).collect();
    by_length.sort_by_key(|(length, _)| *length);
    let short = &by_length[..by_length.len() / 3];
    let count = |wanted| short.iter().filter(|(_, outcome)| *outcome == wanted).count();
    count(Outcome::Pass) > count(Outcome::Fail)
}

impl Sample {
    /// Whether all instances fail, and few are invalid.
    pub(super) fn is_good(&self) -> bool {
        let Sample { rate, passed, is_enough, .. } = self;
        passed.is_none() && *is_enough && rate.unresolved * 3 <= rate.reproduced
    }
}
