//! Copies of rules with fewer texts.
//!
//! An alternative all of whose instances fail stays as it is. Of one that a counterexample refutes, an
//! instance that fails is taken, and each of its parts is looked at on its own: one that can be
//! anything stays, a class loses the characters that do not fail, and other nonterminals are copied in
//! turn, those that the counterexample's part refutes without further tries. Recursion leads back to
//! the copy. What has come out must fail in all instances again, or it is given up.

use std::sync::Arc;

use super::pattern::{Hole, Pattern};
use super::raw::RawGrammar;
use super::trial::{Sample, Trials};
use crate::grammar::{
    Alternative, CharClass, Edit, Form, Grammar, NodeKind, Nonterminal, Parser, Rule, Symbol, Tree,
};
use crate::reduce::{Outcome, Result};

/// Tests are so many times as many as tries at most.
const MOST_TRIES: u64 = 30;
/// So often what does not hold after all is copied again, with one counterexample more.
const ATTEMPTS: usize = 3;
/// Nonterminals inside each other that are copied at most.
const DEEPEST: usize = 16;
/// Instances among which one that fails is looked for.
const SURVEYED: usize = 12;
/// Members of a class that are tried one by one, and of what else it holds.
const MOST_MEMBERS: usize = 0x80;
const OTHER_MEMBERS: u32 = 24;
/// Elements of a list among which one is looked for that passes alone.
const MOST_ELEMENTS: usize = 8;

/// A node of a failing input.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodePlace<'t> {
    pub(super) input: &'t Tree,
    pub(super) at: usize,
}

impl NodePlace<'_> {
    fn text(&self) -> &str {
        self.input.text_of(self.at)
    }

    /// The whole input with another text in this place.
    fn with(&self, text: &str) -> String {
        let (start, length) = (self.input.offset(self.at), self.text().len());
        let whole = self.input.text();
        [&whole[..start], text, &whole[start + length..]].concat()
    }

    /// Whether the node was expanded by this alternative of a rule.
    fn is_by(&self, rule: &Rule, alternative: &Alternative) -> bool {
        matches!(self.input.kind(self.at), NodeKind::Nonterminal { alternative: number, .. }
            if !rule.is_list() && rule.alternatives.get(number as usize) == Some(alternative))
    }
}

/// The copying of one nonterminal and of what it is made of.
pub(super) struct Copying<'t, 'a> {
    trials: &'t mut Trials<'a>,
    base: &'t Grammar,
    /// The rules of `base`, and copies.
    raw: RawGrammar,
    /// Nonterminals and their copies that are finished.
    known: Vec<(Nonterminal, Nonterminal)>,
    /// Nonterminals and their copies that are being made.
    active: Vec<(Nonterminal, Nonterminal)>,
    /// The number of tests from which on nothing holds any more.
    most_tests: u64,
}

impl<'t, 'a> Copying<'t, 'a> {
    pub(super) fn new(trials: &'t mut Trials<'a>, base: &'t Grammar) -> Self {
        Copying {
            most_tests: trials.tests + trials.tries as u64 * MOST_TRIES,
            known: trials.known.clone(),
            trials,
            base,
            raw: RawGrammar::of(base),
            active: Vec::new(),
        }
    }

    /// The grammar with all copies, and which these are.
    pub(super) fn finish(self) -> (Option<Grammar>, Vec<(Nonterminal, Nonterminal)>) {
        (self.raw.numbered(self.base.start()), self.known)
    }

    /// The copy of `symbol` that derives what can stand in `place`, where some of `against` pass.
    pub(super) fn copy(
        &mut self,
        place: NodePlace<'_>,
        symbol: Nonterminal,
        against: &[Tree],
    ) -> Result<Option<Nonterminal>> {
        let before = self.raw.len();
        let mut against = against.to_vec();
        for _ in 0..ATTEMPTS {
            if self.active.len() >= DEEPEST {
                break;
            }
            let copy = self.attempt(place, symbol, &against)?;
            let sample = match copy {
                Some(copy) => self.sample(place, vec![Symbol::Nonterminal(copy)])?,
                None => Sample::default(),
            };
            if let Some(copy) = copy.filter(|_| sample.is_good()) {
                self.known.push((symbol, copy));
                return Ok(Some(copy));
            }
            self.raw.truncate(before);
            self.known.retain(|(_, known)| known.index() < before);
            let counterexample = sample.passed.and_then(|instance| {
                let rules = self.base.starting_at(symbol);
                Parser::new(&rules).parse(instance.parts.first()?.text()).ok()
            });
            let Some(counterexample) = counterexample else { break };
            against.push(counterexample);
        }
        Ok(None)
    }

    /// A copy of `symbol` whose parts hold, if not all of it.
    fn attempt(
        &mut self,
        place: NodePlace<'_>,
        symbol: Nonterminal,
        against: &[Tree],
    ) -> Result<Option<Nonterminal>> {
        let rule = self.base.rule(symbol).clone();
        // While it grows it derives at least what stands there.
        let name = format!("some-{}", rule.name);
        let copy = self.raw.add(&name, vec![spelled(place.text())]);
        self.active.push((symbol, copy));
        let (alternatives, form) = if rule.is_list() {
            self.list(place, &rule, copy, against)?
        } else {
            self.alternatives(place, &rule, copy, against)?
        };
        self.active.pop();
        if alternatives.is_empty() {
            return Ok(None);
        }
        self.raw.define_as(copy, alternatives, form);
        Ok(Some(copy))
    }

    /// The alternatives of a rule, as they are or narrowed.
    fn alternatives(
        &mut self,
        place: NodePlace<'_>,
        rule: &Rule,
        copy: Nonterminal,
        against: &[Tree],
    ) -> Result<(Vec<Alternative>, Form)> {
        let mut kept: Vec<Option<Alternative>> = Vec::with_capacity(rule.alternatives.len());
        let mut refuted = Vec::new();
        for (number, alternative) in rule.alternatives.iter().enumerate() {
            let is_by = |tree: &&Tree| NodePlace { input: tree, at: 0 }.is_by(rule, alternative);
            let mut known: Vec<Tree> = against.iter().filter(is_by).cloned().collect();
            if known.is_empty() {
                let sample = self.sample(place, alternative.clone())?;
                kept.push(sample.is_good().then(|| alternative.clone()));
                let passed = sample.passed.and_then(|one| one.parts.into_iter().next());
                known.extend(passed);
            } else {
                kept.push(None);
            }
            if kept[number].is_none() {
                refuted.push((number, known));
            }
        }
        for (number, passed) in refuted {
            let so_far = kept.iter().flatten().cloned().chain([spelled(place.text())]);
            self.raw.define(copy, so_far.collect());
            let alternative = &rule.alternatives[number];
            if let Some(narrowed) = self.alternative(place, rule, alternative, &passed)?
                && self.sample(place, narrowed.clone())?.is_good()
            {
                kept[number] = Some(narrowed);
            }
        }
        // What is optional no more is the thing itself.
        let form = match rule.form {
            Form::Optional if kept.iter().any(Option::is_none) => Form::Group,
            form => form,
        };
        Ok((kept.into_iter().flatten().collect(), form))
    }

    /// The alternatives of a list with narrowed elements, which is not empty if that does not fail.
    fn list(
        &mut self,
        place: NodePlace<'_>,
        rule: &Rule,
        copy: Nonterminal,
        against: &[Tree],
    ) -> Result<(Vec<Alternative>, Form)> {
        let element = vec![rule.alternatives[1][1].clone()];
        let passed = self.passing_elements(place, against)?;
        let Some(element) = self.alternative(place, rule, &element, &passed)? else {
            return Ok((Vec::new(), rule.form));
        };
        let may_be_empty = rule.form == Form::Star && self.sample(place, Vec::new())?.is_good();
        let (form, least) =
            if may_be_empty { (Form::Star, Vec::new()) } else { (Form::Plus, element.clone()) };
        let list = [Symbol::Nonterminal(copy)].into_iter();
        Ok((vec![least, list.chain(element).collect()], form))
    }

    /// Of the first elements of `lists` the lists of that one element alone with which the input passes.
    fn passing_elements(&mut self, place: NodePlace<'_>, lists: &[Tree]) -> Result<Vec<Tree>> {
        let alone = |list: &Tree, kept: usize| {
            let others = list.children(0).filter(|&other| other != kept);
            list.edit(&others.map(|other| (other, Edit::Remove)).collect::<Vec<_>>())
        };
        let elements = lists.iter().flat_map(|list| {
            let first = list.children(0).take(MOST_ELEMENTS);
            first.map(move |kept| alone(list, kept))
        });
        self.passing(place, &elements.collect::<Vec<_>>())
    }

    /// An alternative with narrowed parts; `against` are trees of it some of which pass.
    fn alternative(
        &mut self,
        place: NodePlace<'_>,
        rule: &Rule,
        alternative: &Alternative,
        against: &[Tree],
    ) -> Result<Option<Alternative>> {
        let Some(failing) = self.failing(place, rule, alternative)? else { return Ok(None) };
        let children: Vec<usize> = failing.children(place.at).collect();
        if children.len() != alternative.len() {
            return Ok(None);
        }
        let mut narrowed = Vec::with_capacity(alternative.len());
        for (number, (at, symbol)) in children.into_iter().zip(alternative).enumerate() {
            let input = &failing;
            let part = NodePlace { input, at };
            let symbol = match symbol {
                Symbol::Text(_) => Some(symbol.clone()),
                Symbol::Class(class) => self.class(part, class)?.map(Symbol::Class),
                Symbol::Nonterminal(symbol) => {
                    let against: Vec<Tree> =
                        against.iter().filter_map(|tree| child(tree, number)).collect();
                    self.part(part, *symbol, &against)?.map(Symbol::Nonterminal)
                }
            };
            let Some(symbol) = symbol else { return Ok(None) };
            narrowed.push(symbol);
        }
        Ok(Some(narrowed))
    }

    /// A failing input with the node expanded by `alternative`: the one that there is, or a random one.
    fn failing(
        &mut self,
        place: NodePlace<'_>,
        rule: &Rule,
        alternative: &Alternative,
    ) -> Result<Option<Tree>> {
        if place.is_by(rule, alternative) {
            return Ok(Some(place.input.clone()));
        }
        let Some(pattern) = self.pattern(place, alternative.clone()) else { return Ok(None) };
        let surveyed = self.trials.survey(&pattern, SURVEYED)?;
        let failing = surveyed.into_iter().find(|(_, outcome)| outcome.is_fail());
        Ok(failing.map(|(instance, _)| instance.tree))
    }

    /// What can stand in `place` for `symbol`, where some of `against` may pass.
    fn part(
        &mut self,
        place: NodePlace<'_>,
        symbol: Nonterminal,
        against: &[Tree],
    ) -> Result<Option<Nonterminal>> {
        if let Some((_, copy)) = self.active.iter().find(|(active, _)| *active == symbol) {
            return Ok(Some(*copy));
        }
        let against = self.passing(place, against)?;
        if against.is_empty() && self.holds(place, symbol)? {
            return Ok(Some(symbol));
        }
        for (known, copy) in self.known.clone() {
            if known == symbol && self.holds(place, copy)? {
                return Ok(Some(copy));
            }
        }
        self.copy(place, symbol, &against)
    }

    /// The characters of `class` that can stand in `place`: each is tried, but of those beyond the
    /// first few only some, which must all fail.
    fn class(&mut self, place: NodePlace<'_>, class: &CharClass) -> Result<Option<Arc<CharClass>>> {
        let first: Vec<char> = class.chars().take(MOST_MEMBERS).collect();
        let rest = class.minus(&CharClass::new(first.iter().map(|&c| (c, c))));
        let step = rest.count().div_ceil(OTHER_MEMBERS).max(1);
        let others = (0..OTHER_MEMBERS).filter_map(|number| rest.nth(number * step));
        let tried: Vec<char> = first.iter().copied().chain(others).collect();
        let texts: Vec<String> =
            tried.iter().map(|c| place.with(c.encode_utf8(&mut [0; 4]))).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let outcomes = self.trials.run(&texts)?;
        let (of_first, of_others) = outcomes.split_at(first.len());
        let failing = first.iter().zip(of_first).filter(|(_, outcome)| outcome.is_fail());
        let mut narrowed = CharClass::new(failing.map(|(&c, _)| (c, c)));
        if of_others.iter().all(|outcome| outcome.is_fail()) {
            narrowed = narrowed.union(&rest);
        }
        Ok((!narrowed.is_empty()).then(|| Arc::new(narrowed)))
    }

    /// Those of `trees` with which the input passes.
    pub(super) fn passing(&mut self, place: NodePlace<'_>, trees: &[Tree]) -> Result<Vec<Tree>> {
        let texts: Vec<String> = trees.iter().map(|tree| place.with(tree.text())).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let outcomes = trees.iter().zip(self.trials.run(&texts)?);
        let passing = outcomes.filter(|(_, outcome)| *outcome == Outcome::Pass);
        Ok(passing.map(|(tree, _)| tree.clone()).collect())
    }

    /// Whether all inputs fail that have a text of `symbol` in `place`.
    fn holds(&mut self, place: NodePlace<'_>, symbol: Nonterminal) -> Result<bool> {
        let sample = self.sample(place, vec![Symbol::Nonterminal(symbol)])?;
        Ok(sample.is_good())
    }

    /// Inputs that have a text of `alternative` in `place`.
    fn sample(&mut self, place: NodePlace<'_>, alternative: Alternative) -> Result<Sample> {
        let pattern = self.pattern(place, alternative);
        match pattern.filter(|_| self.trials.tests < self.most_tests) {
            Some(pattern) => self.trials.sample(&pattern),
            None => Ok(Sample::default()),
        }
    }

    /// The inputs that have a text of `alternative` in `place`.
    fn pattern(&self, place: NodePlace<'_>, alternative: Alternative) -> Option<Pattern> {
        let mut raw = self.raw.clone();
        let part = raw.add("part", vec![alternative]);
        let grammar = raw.numbered(self.base.start())?;
        let hole = Hole::at(place.at, part);
        Some(Pattern::new(grammar.into(), place.input.clone(), vec![hole]))
    }
}

/// Child number so and so of the root.
fn child(tree: &Tree, number: usize) -> Option<Tree> {
    tree.children(0).nth(number).map(|at| tree.extract(at))
}

/// An alternative that derives this text.
fn spelled(text: &str) -> Alternative {
    let symbol = (!text.is_empty()).then(|| Symbol::Text(text.into()));
    symbol.into_iter().collect()
}
