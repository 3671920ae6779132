//! What a grammar is.

use std::collections::HashMap;
use std::sync::Arc;

use super::CharClass;
use crate::reduce::tree::{Nonterminal, Tree};

/// A symbol on the right-hand side of a rule.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Symbol {
    /// This very text; never empty.
    Text(Arc<str>),
    /// One character of a class.
    Class(Arc<CharClass>),
    /// What a nonterminal derives.
    Nonterminal(Nonterminal),
}

/// One way to expand a nonterminal; empty if it derives the empty text.
pub type Alternative = Vec<Symbol>;

/// Where a rule comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// It was written down by its name.
    Named,
    /// A group in parentheses.
    Group,
    /// `x?`: the alternatives are empty and `x`.
    Optional,
    /// `x*`: the alternatives are empty and the list itself followed by `x`.
    Star,
    /// `x+`: the alternatives are `x` and the list itself followed by `x`.
    Plus,
}

/// A nonterminal and its alternatives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// The name of the nonterminal, without angle brackets.
    pub name: String,
    /// The ways to expand it.
    pub alternatives: Vec<Alternative>,
    /// Where it comes from.
    pub form: Form,
}

impl Rule {
    /// Whether it is a list, whose tree nodes have the elements as children.
    pub fn is_list(&self) -> bool {
        matches!(self.form, Form::Star | Form::Plus)
    }
}

/// A context-free grammar: each nonterminal is defined, and derives a finite text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grammar {
    pub(super) rules: Vec<Rule>,
    pub(super) by_name: HashMap<String, Nonterminal>,
    pub(super) start: Nonterminal,
    pub(super) smallest: Vec<Tree>,
    /// The alternatives of each rule, those with the smallest trees first.
    pub(super) simplest_first: Vec<Vec<u32>>,
}

impl Grammar {
    /// The start symbol.
    pub fn start(&self) -> Nonterminal {
        self.start
    }

    /// All rules; that of nonterminal `n` is at `n.index()`.
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The rule of `nonterminal`.
    pub fn rule(&self, nonterminal: Nonterminal) -> &Rule {
        &self.rules[nonterminal.index()]
    }

    /// All nonterminals, in the order of their definition.
    pub fn nonterminals(&self) -> impl Iterator<Item = Nonterminal> + use<> {
        (0..u32::try_from(self.rules.len()).unwrap_or(u32::MAX)).map(Nonterminal)
    }

    /// The nonterminal called `name` (with or without angle brackets).
    #[cfg(test)]
    pub fn nonterminal(&self, name: &str) -> Option<Nonterminal> {
        self.by_name.get(without_brackets(name).unwrap_or(name)).copied()
    }

    /// How `nonterminal` is shown: `<like-this>`.
    pub fn shown(&self, nonterminal: Nonterminal) -> String {
        format!("<{}>", self.rule(nonterminal).name)
    }

    /// The same rules, read from another start symbol.
    pub fn starting_at(&self, start: Nonterminal) -> Grammar {
        Grammar { start, ..self.clone() }
    }

    /// The nonterminals that can occur in a derivation from `from`, itself included.
    pub fn reachable_from(&self, from: Nonterminal) -> Vec<bool> {
        reachable(from, self.rules.len(), |rule| &self.rule(rule).alternatives)
    }

    /// The names of the rules that no derivation from the start symbol uses: no error, but worth a
    /// warning.
    pub fn unreachable(&self) -> Vec<&str> {
        let reached = self.reachable_from(self.start);
        let unused = self.rules.iter().zip(reached).filter(|(_, reached)| !reached);
        unused.map(|(rule, _)| rule.name.as_str()).collect()
    }
}

/// Which of so many rules can occur in a derivation from `from`, itself included.
pub(crate) fn reachable<'r>(
    from: Nonterminal,
    rules: usize,
    alternatives: impl Fn(Nonterminal) -> &'r [Alternative],
) -> Vec<bool> {
    let mut reached = vec![false; rules];
    let mut pending = vec![from];
    while let Some(next) = pending.pop() {
        if !std::mem::replace(&mut reached[next.index()], true) {
            pending.extend(nonterminals_of(alternatives(next)));
        }
    }
    reached
}

/// The nonterminals that the alternatives of a rule mention.
pub(in crate::grammar) fn nonterminals_of(
    alternatives: &[Alternative],
) -> impl Iterator<Item = Nonterminal> + '_ {
    alternatives.iter().flatten().filter_map(|symbol| match symbol {
        Symbol::Nonterminal(nonterminal) => Some(*nonterminal),
        Symbol::Text(_) | Symbol::Class(_) => None,
    })
}

/// The nonterminals of an alternative beside which all others may be `empty`, each with its place.
pub(in crate::grammar) fn alone_in(
    symbols: &[Symbol],
    empty: impl Fn(Nonterminal) -> bool,
) -> impl Iterator<Item = (usize, Nonterminal)> {
    let is_empty = move |symbol: &Symbol| matches!(symbol, Symbol::Nonterminal(n) if empty(*n));
    symbols.iter().enumerate().filter_map(move |(place, symbol)| {
        let mut others = symbols[..place].iter().chain(&symbols[place + 1..]);
        match symbol {
            Symbol::Nonterminal(n) if others.all(&is_empty) => Some((place, *n)),
            _ => None,
        }
    })
}

/// The name in `<name>`.
pub(super) fn without_brackets(name: &str) -> Option<&str> {
    name.strip_prefix('<')?.strip_suffix('>')
}
