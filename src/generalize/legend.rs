//! How a pattern is shown: a text with placeholders, and what they stand for.

use std::collections::{BTreeSet, HashMap};
use std::fmt;

use super::pattern::Pattern;
use crate::grammar::{NodeKind, Nonterminal};

/// So many equal placeholders in a row are shown as one with their number.
const RUN: usize = 3;

/// A part of a pattern as it is shown.
#[derive(Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    /// A placeholder, how often it stands there in a row, and its number if the same text is needed in
    /// several places.
    Hole(Nonterminal, usize, Option<usize>),
}

impl Pattern {
    /// The parts of the text, in order.
    fn parts(&self) -> Vec<Part> {
        let covarying: Vec<usize> =
            (0..self.holes().len()).filter(|&hole| self.holes()[hole].is_covarying()).collect();
        let places: HashMap<usize, usize> = self.places().into_iter().collect();
        let tree = self.concrete();
        let mut parts = Vec::new();
        let mut at = 0;
        while at < tree.len() {
            if let Some(hole) = places.get(&at) {
                let number = covarying.binary_search(hole).ok();
                push_hole(&mut parts, self.holes()[*hole].symbol, number);
                at = tree.subtree(at).end;
                continue;
            }
            if tree.kind(at) == NodeKind::Terminal {
                match parts.last_mut() {
                    Some(Part::Text(text)) => text.push_str(tree.text_of(at)),
                    _ => parts.push(Part::Text(tree.text_of(at).to_owned())),
                }
            }
            at += 1;
        }
        parts
    }

    /// The rules of the placeholders, and of what they are made of, as EBNF; empty if there are none.
    pub fn legend(&self) -> String {
        let symbols: BTreeSet<Nonterminal> = self.holes().iter().map(|hole| hole.symbol).collect();
        let symbols: Vec<Nonterminal> = symbols.into_iter().collect();
        self.grammar_used().rules_to_ebnf(&symbols)
    }
}

fn push_hole(parts: &mut Vec<Part>, symbol: Nonterminal, number: Option<usize>) {
    match parts.last_mut() {
        Some(Part::Hole(last, times, None)) if *last == symbol && number.is_none() => *times += 1,
        _ => parts.push(Part::Hole(symbol, 1, number)),
    }
}

/// The text with its placeholders: `<a>` for a hole, `<a>{4}` for four in a row, `<a:1>` where the same
/// text is needed in several places.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in self.parts() {
            match part {
                Part::Text(text) => f.write_str(&text)?,
                Part::Hole(symbol, _, Some(number)) => {
                    write!(f, "<{}:{}>", self.grammar_used().rule(symbol).name, number + 1)?;
                }
                Part::Hole(symbol, times, None) if times >= RUN => {
                    write!(f, "{}{{{times}}}", self.grammar_used().shown(symbol))?;
                }
                Part::Hole(symbol, times, None) => {
                    f.write_str(&self.grammar_used().shown(symbol).repeat(times))?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::pattern::Hole;
    use super::*;
    use crate::grammar::{Grammar, Parser};

    fn shown(text: &str, open: &[usize]) -> (String, String) {
        let grammar =
            Grammar::parse_ebnf("s ::= digit+ (tail | '-')?; tail ::= [a-z]; digit ::= [0-9]")
                .unwrap();
        let tree = Parser::new(&grammar).parse(text).unwrap();
        let hole = |&at: &usize| Hole::at(at, tree.symbol(at).unwrap());
        let pattern = Pattern::new(grammar.into(), tree.clone(), open.iter().map(hole).collect());
        (pattern.to_string(), pattern.legend())
    }

    #[test]
    fn rows_of_equal_placeholders_are_counted() {
        // s, digit+, then digits of two nodes each.
        assert_eq!(shown("1234", &[2, 4]).0, "<digit><digit>34");
        let (text, legend) = shown("1234", &[2, 4, 6]);
        assert_eq!(text, "<digit>{3}4");
        assert_eq!(legend, "digit ::= [0-9]\n");
        assert_eq!(shown("12", &[1]).0, "<digit+>");
    }

    #[test]
    fn the_legend_says_what_helpers_stand_for_and_what_they_need() {
        let (text, legend) = shown("1a", &[1, 4]);
        assert_eq!(text, "<digit+><s-1?>");
        assert_eq!(legend, "s-1? ::= (tail | \"-\")?\ndigit ::= [0-9]\ntail ::= [a-z]\n");
        assert_eq!(shown("1", &[]).1, "");
    }
}
