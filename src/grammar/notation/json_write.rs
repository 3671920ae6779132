//! Writes the JSON form of the Fuzzing Book.

use serde_json::{Value, json};

use super::json_read::{Part, split_names};
use super::names;
use crate::grammar::{Alternative, CharClass, Grammar, Symbol};

/// Larger classes are written as an option instead of one alternative for each character.
const LARGEST_SPELLED_CLASS: u32 = 512;

impl Grammar {
    /// Writes the grammar in the JSON form of the Fuzzing Book.
    ///
    /// Lists and groups become rules, classes become one alternative for each character. The start
    /// symbol comes first and is called `<start>`. The text ends with a line feed.
    pub fn to_json(&self) -> String {
        let start = self.start();
        let starts = self.rule(start).name == "start";
        let reserved: &[&str] = if starts { &[] } else { &["start"] };
        let names = names::distinct(self, |c| !matches!(c, '<' | '>' | ' '), '-', reserved);
        let mut rules = Vec::with_capacity(self.rules().len() + 1);
        if !starts {
            rules.push(("start".to_owned(), vec![json!(format!("<{}>", names[start.index()]))]));
        }
        let mut writer = Writer { names: &names, extra: Vec::new() };
        for (name, rule) in names.iter().zip(self.rules()) {
            let alternatives = rule.alternatives.iter();
            let written = alternatives.flat_map(|alternative| writer.alternative(alternative));
            rules.push((name.clone(), written.collect()));
        }
        let extra = writer.extra.into_iter().map(|(name, values, _)| (name, values));
        rules.extend(extra);
        lay_out(&rules)
    }
}

struct Writer<'a> {
    names: &'a [String],
    /// Rules made for classes and brackets: name, alternatives, and what they are for.
    extra: Vec<(String, Vec<Value>, CharClass)>,
}

impl Writer<'_> {
    /// Writes one alternative; a class that stands alone is several.
    fn alternative(&mut self, alternative: &Alternative) -> Vec<Value> {
        if let [Symbol::Class(class)] = alternative.as_slice() {
            return spell_class(class);
        }
        let parts: Vec<Part<'_>> = alternative.iter().map(|symbol| self.part(symbol)).collect();
        let text: String = parts.iter().map(Part::written).collect();
        if split_names(&text).eq(joined(&parts)) {
            return vec![json!(text)];
        }
        // Some text looks like a name: spell its brackets by rules of their own.
        let owned: Vec<String> = parts.iter().map(|part| self.without_brackets(part)).collect();
        vec![json!(owned.concat())]
    }

    fn part<'s>(&mut self, symbol: &'s Symbol) -> Part<'s> {
        match symbol {
            Symbol::Text(text) => Part::Text(text.to_string().into()),
            Symbol::Nonterminal(nonterminal) => {
                Part::Name(self.names[nonterminal.index()].clone().into())
            }
            Symbol::Class(class) => Part::Name(self.rule_for(class, "class").into()),
        }
    }

    fn without_brackets(&mut self, part: &Part<'_>) -> String {
        let Part::Text(text) = part else { return part.written() };
        let mut spelled = String::with_capacity(text.len());
        for c in text.chars() {
            match c {
                '<' => spelled += &in_brackets(&self.rule_for(&CharClass::of("<"), "lt")),
                '>' => spelled += &in_brackets(&self.rule_for(&CharClass::of(">"), "gt")),
                c => spelled.push(c),
            }
        }
        spelled
    }

    /// The name of the rule for `class`, which is added if need be.
    fn rule_for(&mut self, class: &CharClass, wish: &str) -> String {
        if let Some((name, ..)) = self.extra.iter().find(|(_, _, known)| known == class) {
            return name.clone();
        }
        let taken = |name: &String| {
            self.names.contains(name) || self.extra.iter().any(|(other, ..)| other == name)
        };
        let numbered = (1..).map(|number| format!("{wish}-{number}"));
        let mut choices = std::iter::once(wish.to_owned()).chain(numbered);
        let name = choices.find(|name| !taken(name)).unwrap_or_default();
        self.extra.push((name.clone(), spell_class(class), class.clone()));
        name
    }
}

fn in_brackets(name: &str) -> String {
    format!("<{name}>")
}

/// The parts with neighbouring texts joined, as a reader sees them.
fn joined<'p>(parts: &[Part<'p>]) -> Vec<Part<'p>> {
    let mut joined: Vec<Part<'p>> = Vec::with_capacity(parts.len());
    for part in parts {
        match (joined.last_mut(), part) {
            (Some(Part::Text(before)), Part::Text(text)) => before.to_mut().push_str(text),
            _ => joined.push(part.clone()),
        }
    }
    joined
}

fn spell_class(class: &CharClass) -> Vec<Value> {
    if class.count() <= LARGEST_SPELLED_CLASS {
        return class.chars().map(|c| json!(c.to_string())).collect();
    }
    let example = class.simplest().map(String::from).unwrap_or_default();
    vec![json!([example, { "class": class.to_string() }])]
}

/// One rule a line.
fn lay_out(rules: &[(String, Vec<Value>)]) -> String {
    let lines: Vec<String> = rules
        .iter()
        .map(|(name, alternatives)| {
            format!("  {}: {}", json!(format!("<{name}>")), json!(alternatives))
        })
        .collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}
