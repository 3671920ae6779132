//! The parser as its users see it.

use std::collections::BTreeSet;
use std::fmt;

use super::chart::{Chart, recognize};
use super::compiled::{Compiled, Next};
use super::extract::extract;
use crate::grammar::notation::{line_and_column, quote};
use crate::grammar::{Form, Grammar, Symbol};
use crate::reduce::tree::{Nonterminal, Rules, Tree};

/// A grammar prepared for parsing.
#[derive(Debug, Clone)]
pub struct Parser<'g> {
    grammar: &'g Grammar,
    compiled: Compiled,
}

/// A text that is not in the language.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct SyntaxError {
    /// Where it goes wrong, in bytes from the start.
    pub offset: usize,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What could have stood there: quoted texts, character classes, nonterminals.
    pub expected: Vec<String>,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let expected = self.expected.join(" or ");
        write!(f, "line {}, column {}: expected {expected}", self.line, self.column)
    }
}

impl<'g> Parser<'g> {
    /// Prepares `grammar`.
    pub fn new(grammar: &'g Grammar) -> Self {
        Parser { grammar, compiled: Compiled::new(grammar) }
    }

    /// The derivation tree of `text`. Where there are several, the preference is fixed: of two
    /// alternatives the first, of two ways to split one that whose later symbols take less, except
    /// that an element of a list takes as much as it can.
    ///
    /// # Errors
    /// When `text` is not in the language, or has four gigabytes.
    pub fn parse(&self, text: &str) -> Result<Tree, SyntaxError> {
        if u32::try_from(text.len()).is_err() {
            return Err(place(text, 0, vec!["a text of less than 4 GiB".to_owned()]));
        }
        if text.is_empty() && self.compiled.nullable[self.grammar.start().index()] {
            return Ok(self.grammar.smallest(self.grammar.start()).clone());
        }
        let chart = recognize(&self.compiled, text);
        extract(self.grammar, &self.compiled, &chart, text)
            .ok_or_else(|| place(text, chart.furthest, self.expected(&chart)))
    }

    /// Whether `text` is in the language.
    pub fn accepts(&self, text: &str) -> bool {
        self.parse(text).is_ok()
    }

    /// What could have stood at the furthest place.
    fn expected(&self, chart: &Chart) -> Vec<String> {
        let mut expected = BTreeSet::new();
        for item in &chart.set(chart.furthest).items {
            let goes_on = item.dot != self.compiled.production(item.dot).first_dot;
            let is_first = item.dot == self.compiled.goal;
            if !goes_on && !is_first {
                continue;
            }
            match self.compiled.next(item.dot) {
                Next::End if item.dot == self.compiled.goal + 1 => {
                    expected.insert("the end of the text".to_owned());
                }
                Next::End => {}
                Next::Text(text) => drop(expected.insert(quote(text))),
                Next::Class(class) => drop(expected.insert(class.to_string())),
                Next::Nonterminal(symbol) => self.describe(*symbol, &mut expected),
            }
        }
        expected.into_iter().collect()
    }

    /// Adds the name of `symbol`, or what it starts with if it is not a rule that someone named.
    fn describe(&self, symbol: Nonterminal, expected: &mut BTreeSet<String>) {
        let mut pending = vec![symbol];
        let mut seen = BTreeSet::new();
        while let Some(symbol) = pending.pop() {
            let rule = self.grammar.rule(symbol);
            if !seen.insert(symbol) {
                continue;
            }
            if rule.form == Form::Named {
                expected.insert(self.grammar.shown(symbol));
                continue;
            }
            for alternative in &rule.alternatives {
                for first in alternative {
                    match first {
                        Symbol::Text(text) => drop(expected.insert(quote(text))),
                        Symbol::Class(class) => drop(expected.insert(class.to_string())),
                        Symbol::Nonterminal(next) => pending.push(*next),
                    }
                    if !matches!(first, Symbol::Nonterminal(n) if self.compiled.nullable[n.index()])
                    {
                        break;
                    }
                }
            }
        }
    }
}

fn place(text: &str, offset: usize, expected: Vec<String>) -> SyntaxError {
    let (line, column) = line_and_column(text, offset);
    SyntaxError { offset, line, column, expected }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_example_of_parser_holds() -> Result<(), Box<dyn std::error::Error>> {
        use crate::grammar::{Grammar, Parser};
        let grammar = Grammar::parse_ebnf(r#"sum ::= sum "+" [0-9] | [0-9]"#)?;
        let parser = Parser::new(&grammar);
        assert_eq!(parser.parse("1+2+3")?.text(), "1+2+3");
        let error = parser.parse("1+x").unwrap_err();
        assert_eq!(error.to_string(), "line 1, column 3: expected [0-9]");
        Ok(())
    }
}
