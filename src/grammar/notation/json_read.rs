//! Reads the JSON form of the Fuzzing Book: an object of `"<name>": [alternative, …]`.
//!
//! An alternative is a text in which `<names>` are nonterminals, a pair of such a text and an object
//! of options, or an array of symbols (the canonical form), in which exactly the names of rules are
//! nonterminals. The option `class` makes an alternative a character class (our own extension, for
//! classes too large to be spelled out); the others are not needed here and skipped.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

use super::ebnf_lexer::parse_class;
use super::place::{Named, placed};
use crate::grammar::model::without_brackets;
use crate::grammar::{Alternative, Grammar, GrammarBuilder, GrammarError, Symbol};

impl Grammar {
    /// Reads a grammar in the JSON form of the Fuzzing Book. It starts at `<start>`, else at its first
    /// rule.
    ///
    /// # Errors
    /// When the text is no JSON, is not of this form, or the grammar is wrong.
    pub fn parse_json(text: &str) -> Result<Grammar, GrammarError> {
        let Entries(entries) = serde_json::from_str(text)
            .map_err(|error| GrammarError::Json { message: error.to_string() })?;
        grammar_of(&entries).map_err(|error| placed(error, text, |named| place_of(text, named)))
    }
}

/// The grammar of an object's entries.
fn grammar_of(entries: &[(String, Value)]) -> Result<Grammar, GrammarError> {
    let mut builder = GrammarBuilder::new();
    let mut names = Vec::with_capacity(entries.len());
    for (key, _) in entries {
        names.push(bare_name(key)?);
    }
    let ids: Vec<_> = names.iter().map(|name| builder.nonterminal(name)).collect();
    for ((name, id), (_, value)) in names.iter().zip(&ids).zip(entries) {
        let alternatives = read_alternatives(name, value, &names, &mut builder)?;
        builder.define(*id, alternatives)?;
    }
    let start = names.iter().position(|&name| name == "start").unwrap_or(0);
    builder.finish(*ids.get(start).ok_or(GrammarError::Empty)?)
}

/// Where a name is used or, as the last of several keys, defined; none if it is written with escapes.
fn place_of(text: &str, named: Named<'_>) -> Option<usize> {
    match named {
        // What is not defined is no key.
        Named::Used(name) => text.find(&format!("<{name}>")),
        Named::Defined(rule) => {
            let key = format!("\"<{rule}>\"");
            let keys = text.match_indices(&key).map(|(at, _)| at);
            keys.filter(|at| text[at + key.len()..].trim_start().starts_with(':')).last()
        }
    }
}

/// A JSON object in the order it is written, duplicates included.
struct Entries(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = Entries;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object of rules")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }

        deserializer.deserialize_map(InOrder)
    }
}

fn bare_name(key: &str) -> Result<&str, GrammarError> {
    without_brackets(key)
        .filter(|name| !name.is_empty())
        .ok_or_else(|| malformed(key, "the name must be written <name>"))
}

fn malformed(rule: &str, message: impl Into<String>) -> GrammarError {
    GrammarError::Malformed { rule: rule.to_owned(), message: message.into() }
}

fn read_alternatives(
    rule: &str,
    value: &Value,
    names: &[&str],
    builder: &mut GrammarBuilder,
) -> Result<Vec<Alternative>, GrammarError> {
    let alternatives = value.as_array();
    let alternatives =
        alternatives.ok_or_else(|| malformed(rule, "expected an array of alternatives"))?;
    alternatives
        .iter()
        .map(|alternative| read_alternative(rule, alternative, names, builder))
        .collect()
}

fn read_alternative(
    rule: &str,
    value: &Value,
    names: &[&str],
    builder: &mut GrammarBuilder,
) -> Result<Alternative, GrammarError> {
    match value {
        Value::String(text) => Ok(split(text, builder)),
        Value::Array(parts) => match parts.as_slice() {
            [Value::String(text), Value::Object(options)] => match options.get("class") {
                None => Ok(split(text, builder)),
                Some(class) => read_class(rule, class),
            },
            parts => parts
                .iter()
                .map(|part| read_token(rule, part, names, builder))
                .filter_map(Result::transpose)
                .collect(),
        },
        _ => Err(malformed(rule, "an alternative must be a string or an array")),
    }
}

fn read_class(rule: &str, class: &Value) -> Result<Alternative, GrammarError> {
    let text =
        class.as_str().ok_or_else(|| malformed(rule, "the option \"class\" must be a string"))?;
    let class = parse_class(text).map_err(|message| malformed(rule, message))?;
    Ok(vec![Symbol::Class(Arc::new(class))])
}

fn read_token(
    rule: &str,
    token: &Value,
    names: &[&str],
    builder: &mut GrammarBuilder,
) -> Result<Option<Symbol>, GrammarError> {
    let token = token.as_str().ok_or_else(|| malformed(rule, "a symbol must be a string"))?;
    Ok(match without_brackets(token).filter(|name| names.contains(name)) {
        Some(name) => Some(Symbol::Nonterminal(builder.nonterminal(name))),
        None => (!token.is_empty()).then(|| Symbol::Text(token.into())),
    })
}

/// Splits an alternative at its nonterminals.
fn split(text: &str, builder: &mut GrammarBuilder) -> Alternative {
    split_names(text)
        .map(|part| match part {
            Part::Text(text) => Symbol::Text(text.into()),
            Part::Name(name) => Symbol::Nonterminal(builder.nonterminal(&name)),
        })
        .collect()
}

/// A part of an alternative in the JSON form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part<'a> {
    /// Literal text.
    Text(Cow<'a, str>),
    /// The name of a nonterminal, without angle brackets.
    Name(Cow<'a, str>),
}

impl Part<'_> {
    /// As it stands in an alternative.
    pub(super) fn written(&self) -> String {
        match self {
            Part::Text(text) => text.to_string(),
            Part::Name(name) => format!("<{name}>"),
        }
    }
}

/// Finds the `<names>` in `text`: angle brackets around anything but brackets and spaces.
pub(super) fn split_names(text: &str) -> impl Iterator<Item = Part<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (start, end) = first_name(rest).unwrap_or((rest.len(), rest.len()));
        let (part, length) = match start {
            0 => (Part::Name(rest[1..end - 1].into()), end),
            _ => (Part::Text(rest[..start].into()), start),
        };
        rest = &rest[length..];
        Some(part)
    })
}

fn first_name(text: &str) -> Option<(usize, usize)> {
    let mut start = None;
    for (at, c) in text.char_indices() {
        match (c, start) {
            ('<', _) => start = Some(at),
            ('>', Some(start)) if at > start + 1 => return Some((start, at + 1)),
            (' ' | '>', _) => start = None,
            _ => {}
        }
    }
    None
}
