//! A grammar prepared for the recognizer.

use std::collections::HashSet;
use std::sync::Arc;

use crate::grammar::model::alone_in;
use crate::grammar::{CharClass, Grammar, Rule, Symbol};
use crate::reduce::tree::Nonterminal;

/// A symbol after a dot.
#[derive(Debug, Clone)]
pub(super) enum Next {
    /// The end of the alternative.
    End,
    Text(Arc<str>),
    Class(Arc<CharClass>),
    Nonterminal(Nonterminal),
}

/// A place in an alternative: a dot before one of its symbols or at its end.
pub(super) type Dot = u32;

/// An alternative of a rule.
#[derive(Debug, Clone)]
pub(super) struct Production {
    pub(super) rule: Nonterminal,
    pub(super) alternative: u32,
    /// The dot before its first symbol.
    pub(super) first_dot: Dot,
    /// The characters it can start with, apart from what follows if it derives the empty text.
    first: CharClass,
    nullable: bool,
}

/// The tables of the recognizer.
#[derive(Debug, Clone)]
pub(super) struct Compiled {
    /// The dot before the start symbol, in a production that no rule has.
    pub(super) goal: Dot,
    productions: Vec<Production>,
    /// What comes after each dot.
    next: Vec<Next>,
    /// The production of each dot.
    production_of: Vec<u32>,
    pub(super) nullable: Vec<bool>,
    is_list: Vec<bool>,
    /// For each nonterminal those that it derives alone, with nothing beside them.
    alone: Vec<HashSet<Nonterminal>>,
    /// For each nonterminal the productions that can start with an ASCII character, then those for
    /// the end of the text, then all.
    predicted: Vec<Vec<Box<[u32]>>>,
}

const ASCII: usize = 128;
const AT_END: usize = ASCII;
const ALL: usize = ASCII + 1;

impl Compiled {
    pub(super) fn new(grammar: &Grammar) -> Self {
        let nullable = nullable(grammar);
        let firsts = firsts(grammar, &nullable);
        let mut compiled = Compiled {
            goal: 0,
            productions: Vec::new(),
            next: Vec::new(),
            production_of: Vec::new(),
            is_list: grammar.rules().iter().map(Rule::is_list).collect(),
            predicted: Vec::with_capacity(grammar.rules().len()),
            alone: derived_alone(grammar, &nullable),
            nullable,
        };
        for rule in grammar.nonterminals() {
            let from = compiled.productions.len();
            for (alternative, symbols) in grammar.rule(rule).alternatives.iter().enumerate() {
                compiled.add(rule, alternative, symbols, &firsts);
            }
            compiled.index_predictions(from);
        }
        let goal = Nonterminal(count(grammar.rules().len()));
        compiled.goal = count(compiled.next.len());
        compiled.is_list.push(false);
        compiled.alone.push(HashSet::new());
        compiled.add(goal, 0, &[Symbol::Nonterminal(grammar.start())], &firsts);
        compiled
    }

    fn add(
        &mut self,
        rule: Nonterminal,
        alternative: usize,
        symbols: &[Symbol],
        firsts: &[CharClass],
    ) {
        let (first, nullable) = first_of(symbols, firsts, &self.nullable);
        let production = count(self.productions.len());
        let first_dot = count(self.next.len());
        let alternative = count(alternative);
        self.productions.push(Production { rule, alternative, first_dot, first, nullable });
        self.next.extend(symbols.iter().map(|symbol| match symbol {
            Symbol::Text(text) => Next::Text(text.clone()),
            Symbol::Class(class) => Next::Class(class.clone()),
            Symbol::Nonterminal(nonterminal) => Next::Nonterminal(*nonterminal),
        }));
        self.next.push(Next::End);
        self.production_of.resize(self.next.len(), production);
    }

    /// Sorts the productions from `from` on, all of one rule, by the characters they can start with.
    fn index_predictions(&mut self, from: usize) {
        let range = count(from)..count(self.productions.len());
        // An alternative that is empty as written is never predicted: its rule is nullable, which is
        // dealt with where the rule is predicted.
        let written = range.filter(|&p| {
            !matches!(self.next[self.productions[p as usize].first_dot as usize], Next::End)
        });
        let written: Vec<u32> = written.collect();
        let that = |holds: &dyn Fn(&Production) -> bool| -> Box<[u32]> {
            written.iter().copied().filter(|&p| holds(&self.productions[p as usize])).collect()
        };
        let mut tables: Vec<Box<[u32]>> = (0..ASCII)
            .filter_map(|code| u8::try_from(code).ok())
            .map(|code| that(&|production| production.may_start(Some(char::from(code)))))
            .collect();
        tables.push(that(&|production| production.may_start(None)));
        tables.push(that(&|_| true));
        self.predicted.push(tables);
    }

    /// The productions of `rule` to predict before `next` (`None` at the end of the text).
    pub(super) fn predict(
        &self,
        rule: Nonterminal,
        next: Option<char>,
    ) -> impl Iterator<Item = &Production> {
        let tables = &self.predicted[rule.index()];
        let (table, check) = match next {
            None => (&tables[AT_END], None),
            Some(c) if c.is_ascii() => (&tables[c as usize], None),
            Some(c) => (&tables[ALL], Some(c)),
        };
        let productions = table.iter().map(|&p| &self.productions[p as usize]);
        productions.filter(move |production| check.is_none() || production.may_start(check))
    }

    pub(super) fn production(&self, dot: Dot) -> &Production {
        &self.productions[self.production_of[dot as usize] as usize]
    }

    pub(super) fn next(&self, dot: Dot) -> &Next {
        &self.next[dot as usize]
    }

    /// Whether the symbol after `dot` is the last of its alternative.
    pub(super) fn is_last(&self, dot: Dot) -> bool {
        matches!(self.next[dot as usize + 1], Next::End)
    }

    /// Whether `one` and `other` derive each other with nothing beside them, so that a tree could go
    /// round in a circle.
    pub(super) fn is_circle(&self, one: Nonterminal, other: Nonterminal) -> bool {
        self.alone[other.index()].contains(&one)
            && (one == other || self.alone[one.index()].contains(&other))
    }

    pub(super) fn is_list(&self, nonterminal: Nonterminal) -> bool {
        self.is_list[nonterminal.index()]
    }
}

impl Production {
    fn may_start(&self, next: Option<char>) -> bool {
        self.nullable || next.is_some_and(|c| self.first.contains(c))
    }
}

/// Which nonterminals derive the empty text.
fn nullable(grammar: &Grammar) -> Vec<bool> {
    let mut nullable = vec![false; grammar.rules().len()];
    loop {
        let mut changed = false;
        for (index, rule) in grammar.rules().iter().enumerate() {
            let empty =
                |symbol: &Symbol| matches!(symbol, Symbol::Nonterminal(n) if nullable[n.index()]);
            if !nullable[index] && rule.alternatives.iter().any(|symbols| symbols.iter().all(empty))
            {
                (nullable[index], changed) = (true, true);
            }
        }
        if !changed {
            return nullable;
        }
    }
}

/// The nonterminals that each one derives with nothing beside them, directly or not.
fn derived_alone(grammar: &Grammar, nullable: &[bool]) -> Vec<HashSet<Nonterminal>> {
    let direct = |rule: &Rule| {
        let alternatives = rule.alternatives.iter();
        let alone = alternatives.flat_map(|it| alone_in(it, |n| nullable[n.index()]));
        alone.map(|(_, symbol)| symbol).collect()
    };
    let direct: Vec<Vec<Nonterminal>> = grammar.rules().iter().map(direct).collect();
    let closure = |from: &Vec<Nonterminal>| {
        let (mut reached, mut pending) = (HashSet::new(), from.clone());
        while let Some(next) = pending.pop() {
            if reached.insert(next) {
                pending.extend(&direct[next.index()]);
            }
        }
        reached
    };
    direct.iter().map(closure).collect()
}

/// The characters that each nonterminal can start with.
fn firsts(grammar: &Grammar, nullable: &[bool]) -> Vec<CharClass> {
    let mut firsts = vec![CharClass::default(); grammar.rules().len()];
    loop {
        let mut changed = false;
        for (index, rule) in grammar.rules().iter().enumerate() {
            for symbols in &rule.alternatives {
                let joined = firsts[index].union(&first_of(symbols, &firsts, nullable).0);
                if joined != firsts[index] {
                    (firsts[index], changed) = (joined, true);
                }
            }
        }
        if !changed {
            return firsts;
        }
    }
}

/// What a sequence can start with, and whether it derives the empty text.
fn first_of(symbols: &[Symbol], firsts: &[CharClass], nullable: &[bool]) -> (CharClass, bool) {
    let mut first = CharClass::default();
    for symbol in symbols {
        match symbol {
            Symbol::Text(text) => {
                let start = text.chars().next().map(|c| (c, c));
                return (first.union(&CharClass::new(start)), false);
            }
            Symbol::Class(class) => return (first.union(class), false),
            Symbol::Nonterminal(n) => first = first.union(&firsts[n.index()]),
        }
        if !matches!(symbol, Symbol::Nonterminal(n) if nullable[n.index()]) {
            return (first, false);
        }
    }
    (first, true)
}

/// Grammars have far fewer than four thousand million dots.
fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
