//! Writes pest grammars.
//!
//! pest is a PEG: alternatives are tried in order and none is tried again, so longer ones go first,
//! and direct left recursion `a = a x | y` becomes `a = y x*`.

use std::collections::HashSet;

use super::WriteError;
use super::names;
use super::written::RightSides;
use super::written::quote;
use crate::grammar::{Alternative, CharClass, Form, Grammar, Symbol};
use crate::reduce::tree::Nonterminal;

/// Names that pest keeps for itself.
const RESERVED: &[&str] = &["ANY", "SOI", "EOI", "PUSH", "PEEK", "POP", "WHITESPACE", "COMMENT"];

impl Grammar {
    /// Writes the grammar for pest. The start symbol comes first and takes the whole input; a rule
    /// whose alternatives share a beginning may need a look, since a PEG does not go back.
    ///
    /// # Errors
    /// When a rule is left-recursive through other rules.
    pub fn to_pest(&self) -> Result<String, WriteError> {
        self.check_left_recursion()?;
        let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let names = names::distinct(self, allowed, '_', RESERVED);
        let writer = Writer { grammar: self, names };
        let start = self.start();
        let mut text = format!("whole_input = {{ SOI ~ {} ~ EOI }}\n", writer.name(start));
        for nonterminal in self.nonterminals() {
            if nonterminal == start || self.rule(nonterminal).form == Form::Named {
                text += &writer.rule(nonterminal);
            }
        }
        Ok(text)
    }

    /// Finds a rule that is left-recursive through others.
    fn check_left_recursion(&self) -> Result<(), WriteError> {
        let nullable = |symbol: &Symbol| match symbol {
            Symbol::Nonterminal(n) => self.smallest[n.index()].text().is_empty(),
            Symbol::Text(_) | Symbol::Class(_) => false,
        };
        let mut left: Vec<HashSet<Nonterminal>> = Vec::with_capacity(self.rules().len());
        for (rule, this) in self.rules().iter().zip(self.nonterminals()) {
            let mut firsts = HashSet::new();
            for alternative in &rule.alternatives {
                for (place, symbol) in alternative.iter().enumerate() {
                    match symbol {
                        Symbol::Nonterminal(n) if *n == this && place == 0 => {}
                        Symbol::Nonterminal(n) => drop(firsts.insert(*n)),
                        Symbol::Text(_) | Symbol::Class(_) => {}
                    }
                    if !nullable(symbol) {
                        break;
                    }
                }
            }
            left.push(firsts);
        }
        for this in self.nonterminals() {
            let mut pending: Vec<_> = left[this.index()].iter().copied().collect();
            let mut seen = HashSet::new();
            while let Some(next) = pending.pop() {
                if next == this {
                    return Err(WriteError::LeftRecursion { rule: self.rule(this).name.clone() });
                }
                if seen.insert(next) {
                    pending.extend(&left[next.index()]);
                }
            }
        }
        Ok(())
    }
}

struct Writer<'a> {
    grammar: &'a Grammar,
    names: Vec<String>,
}

impl Writer<'_> {
    fn name(&self, nonterminal: Nonterminal) -> String {
        let name = &self.names[nonterminal.index()];
        // pest names start with a letter or an underscore.
        if name.starts_with(|c: char| c.is_ascii_digit()) {
            format!("r_{name}")
        } else {
            name.clone()
        }
    }

    fn rule(&self, nonterminal: Nonterminal) -> String {
        let rule = self.grammar.rule(nonterminal);
        let recursive = |alternative: &&Alternative| {
            alternative.first() == Some(&Symbol::Nonterminal(nonterminal))
        };
        let (again, base): (Vec<_>, Vec<_>) = rule.alternatives.iter().partition(recursive);
        let base = self.longest_first(base);
        // `a = a` says nothing.
        let again: Vec<Alternative> =
            again.iter().map(|rest| rest[1..].to_vec()).filter(|rest| !rest.is_empty()).collect();
        let body = if again.is_empty() {
            base
        } else {
            format!("({base}) ~ ({})*", self.longest_first(&again))
        };
        format!("{} = {{ {body} }}\n", self.name(nonterminal))
    }

    /// Longer alternatives first, the empty one last.
    fn longest_first<'a>(&self, all: impl IntoIterator<Item = &'a Alternative>) -> String {
        let mut sorted: Vec<&Alternative> = all.into_iter().collect();
        sorted.sort_by_key(|alternative| std::cmp::Reverse(weight(alternative)));
        self.alternatives(sorted)
    }
}

impl RightSides for Writer<'_> {
    const BETWEEN: &'static str = " ~ ";

    fn class(&self, class: &CharClass) -> String {
        ranges(class)
    }

    fn reference(&self, nonterminal: Nonterminal) -> String {
        let rule = self.grammar.rule(nonterminal);
        let alternatives = rule.alternatives.as_slice();
        let element = || self.symbol(&alternatives[1][1]);
        match rule.form {
            Form::Named => self.name(nonterminal),
            _ if nonterminal == self.grammar.start() => self.name(nonterminal),
            Form::Group => format!("({})", self.longest_first(alternatives)),
            Form::Optional => format!("({})?", self.longest_first(&alternatives[1..])),
            Form::Star => format!("{}*", element()),
            Form::Plus => format!("{}+", element()),
        }
    }
}

/// How much an alternative asks for: its symbols, literal text by its length.
fn weight(alternative: &Alternative) -> usize {
    alternative
        .iter()
        .map(|symbol| if let Symbol::Text(text) = symbol { text.len() } else { 1 })
        .sum()
}

fn ranges(class: &CharClass) -> String {
    if *class == CharClass::any() {
        return "ANY".to_owned();
    }
    let ranges: Vec<String> = class
        .ranges()
        .iter()
        .map(|&(low, high)| match high as u32 - low as u32 {
            0 => quote(&low.to_string()),
            _ => format!("{}..{}", pest_char(low), pest_char(high)),
        })
        .collect();
    format!("({})", ranges.join(" | "))
}

fn pest_char(c: char) -> String {
    match c {
        '\'' | '\\' => format!("'\\{c}'"),
        c if c.is_ascii_graphic() || c == ' ' => format!("'{c}'"),
        c => format!("'\\u{{{:02x}}}'", c as u32),
    }
}
