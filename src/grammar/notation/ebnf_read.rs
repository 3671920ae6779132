//! Reads EBNF and BNF as people write it.
//!
//! Rules are `name ::= …` (also `:=` and `=`), names may stand in angle brackets, rules may end in
//! `;`. On the right: alternatives with `|`, groups, `* + ?` and `{2,5}` after anything, quoted
//! texts with Rust's escapes, `#x41`, character classes `[a-z#x20\n]` and `[^…]`, one class minus
//! another, `ε` or nothing for the empty text. Comments are `/* */`, `(* *)`, `//` and `#`. The first
//! rule is the start symbol.

use std::sync::Arc;

use super::ebnf_lexer::{Placed, Token, tokens};
use super::place::{Named, line_and_column, placed};
use crate::grammar::{Alternative, CharClass, Form, Grammar, GrammarBuilder, GrammarError, Symbol};
use crate::reduce::tree::Nonterminal;

/// Deeper groups are refused, so that a hostile file cannot exhaust the stack.
const DEEPEST_GROUP: usize = 200;

/// More repetitions are refused, since each is written out.
const MOST_REPEATS: u32 = 1000;

impl Grammar {
    /// Reads a grammar in EBNF or BNF; it starts at its first rule.
    ///
    /// # Errors
    /// When the notation is wrong (with line, column and rule), or the grammar is.
    pub fn parse_ebnf(text: &str) -> Result<Grammar, GrammarError> {
        let tokens = tokens(text).map_err(|(at, message)| syntax_error(text, at, None, message))?;
        let mut builder = GrammarBuilder::new();
        // Nonterminals are numbered in the order of their definition.
        for pair in tokens.windows(2) {
            if let [(_, Token::Name(name)), (_, Token::Defines)] = pair {
                builder.nonterminal(name);
            }
        }
        let mut reader = Reader { text, tokens, next: 0, rule: String::new(), depth: 0, builder };
        let mut start = None;
        while reader.next < reader.tokens.len() {
            let defined = reader.rule()?;
            start.get_or_insert(defined);
        }
        let grammar = reader.builder.finish(start.ok_or(GrammarError::Empty)?);
        grammar.map_err(|error| placed(error, text, |named| place_of(&reader.tokens, named)))
    }
}

/// Where a name is used or defined.
fn place_of(tokens: &[Placed], named: Named<'_>) -> Option<usize> {
    let (Named::Used(name) | Named::Defined(name)) = named;
    let mut places = tokens.iter().enumerate();
    let found = places.find(|(number, (_, token))| {
        let next = tokens.get(number + 1).map(|(_, token)| token);
        let is_definition = next == Some(&Token::Defines);
        matches!(token, Token::Name(other) if other == name)
            && is_definition == matches!(named, Named::Defined(_))
    });
    found.map(|(_, (at, _))| *at)
}

fn syntax_error(text: &str, at: usize, rule: Option<&str>, message: String) -> GrammarError {
    let (line, column) = line_and_column(text, at);
    GrammarError::Syntax { line, column, rule: rule.map(str::to_owned), message }
}

struct Reader<'a> {
    text: &'a str,
    tokens: Vec<Placed>,
    next: usize,
    /// The rule that is being read.
    rule: String,
    depth: usize,
    builder: GrammarBuilder,
}

impl Reader<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next).map(|(_, token)| token)
    }

    fn take_mark(&mut self, mark: char) -> bool {
        let taken = self.peek() == Some(&Token::Mark(mark));
        self.next += usize::from(taken);
        taken
    }

    fn error(&self, message: impl Into<String>) -> GrammarError {
        let at = self.tokens.get(self.next).map_or(self.text.len(), |(at, _)| *at);
        let rule = (!self.rule.is_empty()).then_some(self.rule.as_str());
        syntax_error(self.text, at, rule, message.into())
    }

    fn rule(&mut self) -> Result<Nonterminal, GrammarError> {
        let Some(Token::Name(name)) = self.peek().cloned() else {
            return Err(self.error("expected the name of a rule"));
        };
        let before = self.next;
        self.rule.clone_from(&name);
        self.next += 1;
        if self.peek() != Some(&Token::Defines) {
            return Err(self.error("expected ::="));
        }
        self.next += 1;
        let alternatives = self.alternatives()?;
        while self.take_mark(';') {}
        let rule = self.builder.nonterminal(&name);
        if self.builder.define(rule, alternatives).is_err() {
            self.next = before;
            return Err(self.error("this rule is defined twice"));
        }
        Ok(rule)
    }

    fn alternatives(&mut self) -> Result<Vec<Alternative>, GrammarError> {
        let mut alternatives = vec![self.sequence()?];
        while self.take_mark('|') {
            alternatives.push(self.sequence()?);
        }
        Ok(alternatives)
    }

    fn sequence(&mut self) -> Result<Alternative, GrammarError> {
        let mut sequence = Alternative::new();
        while let Some(body) = self.atom()? {
            let body = self.minus(body)?;
            self.quantified(body, &mut sequence)?;
        }
        Ok(sequence)
    }

    /// The next atom as a group of alternatives; `None` at the end of the sequence.
    fn atom(&mut self) -> Result<Option<Vec<Alternative>>, GrammarError> {
        let atom = match self.peek() {
            Some(Token::Name(_)) if self.starts_rule() => return Ok(None),
            Some(Token::Name(name)) => {
                let name = name.clone();
                vec![vec![Symbol::Nonterminal(self.builder.nonterminal(&name))]]
            }
            Some(Token::Text(text)) if text.is_empty() => vec![Vec::new()],
            Some(Token::Text(text)) => vec![vec![Symbol::Text(text.as_str().into())]],
            Some(Token::Class(class)) => vec![vec![Symbol::Class(Arc::new(class.clone()))]],
            Some(Token::Mark('(')) => return self.group().map(Some),
            Some(Token::Mark('|' | ')' | ';')) | None => return Ok(None),
            Some(_) => return Err(self.error("expected a symbol")),
        };
        self.next += 1;
        Ok(Some(atom))
    }

    fn starts_rule(&self) -> bool {
        matches!(self.tokens.get(self.next + 1), Some((_, Token::Defines)))
    }

    fn group(&mut self) -> Result<Vec<Alternative>, GrammarError> {
        self.next += 1;
        self.depth += 1;
        if self.depth > DEEPEST_GROUP {
            return Err(self.error("groups are nested too deeply"));
        }
        let alternatives = self.alternatives()?;
        self.depth -= 1;
        if !self.take_mark(')') {
            return Err(self.error("expected )"));
        }
        Ok(alternatives)
    }

    /// `class - class`, as in the W3C notation.
    fn minus(&mut self, body: Vec<Alternative>) -> Result<Vec<Alternative>, GrammarError> {
        if !self.take_mark('-') {
            return Ok(body);
        }
        let right = self.atom()?;
        let right = right.as_deref().and_then(as_class);
        match (as_class(&body), right) {
            (Some(left), Some(right)) => {
                Ok(vec![vec![Symbol::Class(Arc::new(left.minus(&right)))]])
            }
            _ => Err(self.error("only a character class can be taken from a character class")),
        }
    }

    fn quantified(
        &mut self,
        mut body: Vec<Alternative>,
        sequence: &mut Alternative,
    ) -> Result<(), GrammarError> {
        loop {
            let form = match self.peek() {
                Some(Token::Mark('?')) => Form::Optional,
                Some(Token::Mark('*')) => Form::Star,
                Some(Token::Mark('+')) => Form::Plus,
                Some(&Token::Repeat(low, high)) => {
                    if low.max(high.unwrap_or(0)) > MOST_REPEATS {
                        return Err(self.error("too many repetitions"));
                    }
                    body = self.repeated(body, low, high);
                    self.next += 1;
                    continue;
                }
                _ if body.len() == 1 => {
                    sequence.append(&mut body[0]);
                    return Ok(());
                }
                _ => {
                    let group = self.builder.helper(&self.rule, Form::Group, body);
                    sequence.push(Symbol::Nonterminal(group));
                    return Ok(());
                }
            };
            let helper = self.builder.helper(&self.rule, form, body);
            body = vec![vec![Symbol::Nonterminal(helper)]];
            self.next += 1;
        }
    }

    /// `x{2,4}` is `x x (x x?)?`, `x{2,}` is `x x x*`.
    fn repeated(
        &mut self,
        body: Vec<Alternative>,
        low: u32,
        high: Option<u32>,
    ) -> Vec<Alternative> {
        let one = match <[Alternative; 1]>::try_from(body) {
            Ok([only]) => only,
            Err(body) => {
                vec![Symbol::Nonterminal(self.builder.helper(&self.rule, Form::Group, body))]
            }
        };
        let mut tail = Alternative::new();
        match high {
            None => {
                let rest = self.builder.helper(&self.rule, Form::Star, vec![one.clone()]);
                tail.push(Symbol::Nonterminal(rest));
            }
            Some(high) => {
                for _ in low..high {
                    let more = one.iter().cloned().chain(tail).collect();
                    let rest = self.builder.helper(&self.rule, Form::Optional, vec![more]);
                    tail = vec![Symbol::Nonterminal(rest)];
                }
            }
        }
        let mut repeated: Alternative = Vec::new();
        (0..low).for_each(|_| repeated.extend(one.iter().cloned()));
        repeated.append(&mut tail);
        vec![repeated]
    }
}

/// The alternatives as one class, if each is a single character or class.
fn as_class(alternatives: &[Alternative]) -> Option<CharClass> {
    let mut class = CharClass::default();
    for alternative in alternatives {
        class = class.union(&match alternative.as_slice() {
            [Symbol::Class(part)] => (**part).clone(),
            [Symbol::Text(text)] if text.chars().count() == 1 => CharClass::of(text),
            _ => return None,
        });
    }
    Some(class)
}
