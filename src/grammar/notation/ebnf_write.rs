//! Writes EBNF.

use std::fmt::Write;

use super::names;
use super::written::RightSides;
use crate::grammar::model::nonterminals_of;
use crate::grammar::{Alternative, CharClass, Form, Grammar, Symbol};
use crate::reduce::tree::Nonterminal;

impl Grammar {
    /// Writes the grammar as EBNF that [`Grammar::parse_ebnf`] reads, the start symbol first, lists
    /// and groups as such. The text ends with a line feed.
    pub fn to_ebnf(&self) -> String {
        let names = names::distinct(self, |c| !matches!(c, '<' | '>' | '"' | '\n'), '-', &[]);
        let writer = Writer { grammar: self, names, classes: false };
        let start = self.start();
        let first = std::iter::once(start);
        let others = self.nonterminals().filter(|&nonterminal| nonterminal != start);
        let named = |&nonterminal: &Nonterminal| {
            nonterminal == start || self.rule(nonterminal).form == Form::Named
        };
        let lines = first.chain(others).filter(named).map(|nonterminal| writer.rule(nonterminal));
        lines.collect()
    }

    /// The rules of `symbols`, also of those that have no name of their own, and of the named ones that
    /// they are made of, the nearest first; for people.
    pub fn rules_to_ebnf(&self, symbols: &[Nonterminal]) -> String {
        let names = names::distinct(self, |c| !matches!(c, '<' | '>' | '"' | '\n'), '-', &[]);
        let writer = Writer { grammar: self, names, classes: true };
        let mut text = String::new();
        for &symbol in symbols {
            let rule = self.rule(symbol);
            if rule.form == Form::Named {
                text.push_str(&writer.rule(symbol));
                continue;
            }
            let meaning = writer.reference(symbol);
            if meaning != rule.name {
                let _ = writeln!(text, "{} ::= {meaning}", rule.name);
            }
        }
        for nonterminal in self.below(symbols) {
            if !symbols.contains(&nonterminal) && self.rule(nonterminal).form == Form::Named {
                text.push_str(&writer.rule(nonterminal));
            }
        }
        text
    }

    /// What `symbols` are made of, the nearest first.
    fn below(&self, symbols: &[Nonterminal]) -> Vec<Nonterminal> {
        let mut found = symbols.to_vec();
        let mut next = 0;
        while let Some(&symbol) = found.get(next) {
            next += 1;
            for part in nonterminals_of(&self.rule(symbol).alternatives) {
                if !found.contains(&part) {
                    found.push(part);
                }
            }
        }
        found
    }
}

struct Writer<'a> {
    grammar: &'a Grammar,
    names: Vec<String>,
    /// Whether a choice of single characters is written as a class.
    classes: bool,
}

impl Writer<'_> {
    fn rule(&self, nonterminal: Nonterminal) -> String {
        let rule = &self.grammar.rule(nonterminal).alternatives;
        let class = self.classes.then(|| as_class(rule)).flatten();
        let alternatives = class.map_or_else(|| self.alternatives(rule), |class| class.to_string());
        format!("{} ::= {alternatives}\n", self.name(nonterminal))
    }

    fn name(&self, nonterminal: Nonterminal) -> String {
        let name = &self.names[nonterminal.index()];
        let mut chars = name.chars();
        let plain = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
            && chars.all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
        if plain { name.clone() } else { format!("<{name}>") }
    }

    fn quantified(&self, body: &[Alternative], mark: char) -> String {
        match body {
            [alternative] if alternative.len() == 1 => {
                format!("{}{mark}", self.symbol(&alternative[0]))
            }
            _ => format!("({}){mark}", self.alternatives(body)),
        }
    }
}

impl RightSides for Writer<'_> {
    const BETWEEN: &'static str = " ";

    fn class(&self, class: &CharClass) -> String {
        class.to_string()
    }

    fn reference(&self, nonterminal: Nonterminal) -> String {
        let rule = self.grammar.rule(nonterminal);
        let alternatives = rule.alternatives.as_slice();
        match rule.form {
            Form::Named => self.name(nonterminal),
            _ if nonterminal == self.grammar.start() => self.name(nonterminal),
            Form::Group => format!("({})", self.alternatives(alternatives)),
            Form::Optional => self.quantified(&alternatives[1..], '?'),
            Form::Star => self.quantified(&[vec![element(alternatives)]], '*'),
            Form::Plus => self.quantified(&[vec![element(alternatives)]], '+'),
        }
    }
}

/// The class of the characters that are the alternatives, if they are at least three.
fn as_class(alternatives: &[Alternative]) -> Option<CharClass> {
    const FEWEST: usize = 3;
    let single = |alternative: &Alternative| match &alternative[..] {
        [Symbol::Text(text)] => {
            let mut chars = text.chars();
            chars.next().filter(|_| chars.next().is_none())
        }
        _ => None,
    };
    let chars: Option<Vec<char>> = alternatives.iter().map(single).collect();
    let chars = chars.filter(|chars| chars.len() >= FEWEST)?;
    Some(CharClass::new(chars.into_iter().map(|c| (c, c))))
}

/// The element of a list: the last symbol of its second alternative.
fn element(alternatives: &[Alternative]) -> Symbol {
    alternatives[1][1].clone()
}
