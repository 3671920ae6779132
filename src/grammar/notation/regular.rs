//! Writes regular languages as regular expressions, which proptest takes as strategies.
//!
//! A nonterminal may repeat itself at one end of its own alternatives (`a ::= a x | y` is `y x*`),
//! nothing else may recurse.

use super::WriteError;
use crate::grammar::{Alternative, CharClass, Grammar, Symbol};
use crate::reduce::tree::Nonterminal;

/// Longer expressions are of no use to anyone.
const LONGEST: usize = 1 << 16;

impl Grammar {
    /// Writes the language as a regular expression that matches exactly it (without anchors). As a
    /// `&str` it is a proptest strategy.
    ///
    /// # Errors
    /// When a rule nests in itself, or the expression would be enormous.
    pub fn to_regex(&self) -> Result<String, WriteError> {
        let mut writer =
            Writer { grammar: self, known: vec![None; self.rules().len()], active: Vec::new() };
        writer.nonterminal(self.start()).map(|regex| regex.text)
    }
}

/// How tightly an expression binds, which decides where groups are needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Alternatives,
    Sequence,
    Atom,
}

#[derive(Debug, Clone)]
struct Regex {
    text: String,
    binding: Binding,
}

impl Regex {
    fn atom(text: String) -> Self {
        Regex { text, binding: Binding::Atom }
    }

    fn at_least(&self, binding: Binding) -> String {
        if self.binding >= binding { self.text.clone() } else { format!("(?:{})", self.text) }
    }
}

struct Writer<'a> {
    grammar: &'a Grammar,
    known: Vec<Option<Regex>>,
    active: Vec<Nonterminal>,
}

impl Writer<'_> {
    fn nonterminal(&mut self, nonterminal: Nonterminal) -> Result<Regex, WriteError> {
        if let Some(known) = &self.known[nonterminal.index()] {
            return Ok(known.clone());
        }
        if self.active.contains(&nonterminal) {
            return Err(self.not_regular(nonterminal));
        }
        self.active.push(nonterminal);
        let regex = self.rule(nonterminal)?;
        self.active.pop();
        if regex.text.len() > LONGEST {
            return Err(WriteError::TooLong);
        }
        self.known[nonterminal.index()] = Some(regex.clone());
        Ok(regex)
    }

    fn not_regular(&self, nonterminal: Nonterminal) -> WriteError {
        WriteError::NotRegular { rule: self.grammar.rule(nonterminal).name.clone() }
    }

    fn rule(&mut self, nonterminal: Nonterminal) -> Result<Regex, WriteError> {
        let this = Symbol::Nonterminal(nonterminal);
        let (mut base, mut before, mut after) = (Vec::new(), Vec::new(), Vec::new());
        for alternative in &self.grammar.rule(nonterminal).alternatives {
            match alternative.as_slice() {
                [only] if *only == this => {}
                [first, rest @ ..] if *first == this => after.push(rest.to_vec()),
                [rest @ .., last] if *last == this => before.push(rest.to_vec()),
                rest => base.push(rest.to_vec()),
            }
        }
        if !before.is_empty() && !after.is_empty() {
            return Err(self.not_regular(nonterminal));
        }
        let base = self.alternatives(&base)?;
        if before.is_empty() && after.is_empty() {
            return Ok(base);
        }
        let (rest, is_before) = if after.is_empty() { (before, true) } else { (after, false) };
        let repeated = format!("{}*", self.alternatives(&rest)?.at_least(Binding::Atom));
        let base = base.at_least(Binding::Sequence);
        let text = if is_before { repeated + &base } else { base + &repeated };
        Ok(Regex { text, binding: Binding::Sequence })
    }

    fn alternatives(&mut self, alternatives: &[Alternative]) -> Result<Regex, WriteError> {
        let mut single = CharClass::default();
        let mut written: Vec<Regex> = Vec::new();
        for alternative in alternatives {
            match alternative.as_slice() {
                [Symbol::Class(class)] => single = single.union(class),
                [Symbol::Text(text)] if text.chars().count() == 1 => {
                    single = single.union(&CharClass::of(text));
                }
                alternative => written.push(self.sequence(alternative)?),
            }
        }
        if !single.is_empty() {
            written.push(Regex::atom(class_regex(&single)));
        }
        let mut seen = std::collections::HashSet::new();
        written.retain(|regex| seen.insert(regex.text.clone()));
        if written.len() == 1 {
            return Ok(written.remove(0));
        }
        let parts: Vec<String> =
            written.iter().map(|regex| regex.at_least(Binding::Sequence)).collect();
        Ok(Regex { text: parts.join("|"), binding: Binding::Alternatives })
    }

    fn sequence(&mut self, symbols: &[Symbol]) -> Result<Regex, WriteError> {
        let mut parts = Vec::with_capacity(symbols.len());
        for symbol in symbols {
            parts.push(match symbol {
                Symbol::Text(text) => Regex { text: escape(text), binding: Binding::Sequence },
                Symbol::Class(class) => Regex::atom(class_regex(class)),
                Symbol::Nonterminal(nonterminal) => self.nonterminal(*nonterminal)?,
            });
        }
        if parts.len() == 1 {
            return Ok(parts.remove(0));
        }
        let text = parts.iter().map(|part| part.at_least(Binding::Sequence)).collect();
        Ok(Regex { text, binding: Binding::Sequence })
    }
}

fn class_regex(class: &CharClass) -> String {
    if class.count() == 1 {
        return class.chars().map(|c| escape(&c.to_string())).collect();
    }
    let mut text = String::from("[");
    for &(low, high) in class.ranges() {
        text += &escape(&low.to_string());
        if high as u32 > low as u32 + 1 {
            text.push('-');
        }
        if high > low {
            text += &escape(&high.to_string());
        }
    }
    text + "]"
}

/// Punctuation gets a backslash, what cannot be seen its number.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            c if c.is_alphanumeric() || c == ' ' => escaped.push(c),
            '<' | '>' | '_' | '"' | '\'' | '/' | ',' | ':' | ';' | '=' | '!' | '%' | '@' | '`' => {
                escaped.push(c);
            }
            c if c.is_ascii_graphic() => escaped.extend(['\\', c]),
            c => escaped.extend(['\\', 'x'].into_iter().chain(c.escape_unicode().skip(2))),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_example_of_to_regex_holds() -> Result<(), Box<dyn std::error::Error>> {
        use crate::grammar::Grammar;
        let grammar = Grammar::parse_ebnf(r#"s ::= "-" n; n ::= d | d n; d ::= [0-9]"#)?;
        assert_eq!(grammar.to_regex()?, r"\-[0-9]*[0-9]");
        Ok(())
    }
}
