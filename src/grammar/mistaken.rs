//! Texts that are in the language of a grammar but for one part.
//!
//! `{"a": 1, "b" 2}` is JSON but for `"b" 2`: with a rule for this very part, which may stand wherever something with a name
//! may, the grammar parses the text, and tells what all the rest of it is.

use std::ops::Range;

use super::{Form, Grammar, GrammarBuilder, Nonterminal, Parser, Symbol};

/// What the rule for the part is called.
const NAME: &str = "error";
/// So many words and signs before and behind the place where parsing stops may belong to the part.
const REACH: usize = 12;
/// Texts longer than this are left alone: each try parses all of it.
const LONGEST: usize = 8 << 10;

impl Grammar {
    /// The grammar with a rule for the part of `text` that keeps this one from parsing it, and the part: the shortest that does,
    /// near the place where parsing stops. None if it parses the text, or no part does.
    pub fn but_for_a_part(&self, text: &str) -> Option<(Grammar, Range<usize>)> {
        let stopped = Parser::new(self).parse(text).err()?.offset;
        let words = words(text);
        if text.len() > LONGEST || words.is_empty() {
            return None;
        }
        let at = words.partition_point(|word| word.end <= stopped).min(words.len() - 1);
        let first = at.saturating_sub(REACH);
        let last = (at + REACH).min(words.len() - 1);
        let starts = first..=at;
        let mut parts: Vec<Range<usize>> = starts
            .flat_map(|start| (start..=last).map(move |end| start..end))
            .map(|part| words[part.start].start..words[part.end].end)
            .collect();
        parts.sort_by_key(|part| (part.len(), part.start));
        parts.into_iter().find_map(|part| {
            let (grammar, error) = self.with_part(&text[part.clone()])?;
            let tree = Parser::new(&grammar).parse(text).ok()?;
            // Other places where the same characters stand are no errors.
            let uses = (0..tree.len()).filter(|at| tree.symbol(*at) == Some(error)).count();
            (uses == 1).then_some((grammar, part))
        })
    }

    /// The grammar in which this part may stand for anything that has a name, and the nonterminal of the part.
    fn with_part(&self, part: &str) -> Option<(Grammar, Nonterminal)> {
        let mut builder = GrammarBuilder::new();
        for rule in &self.rules {
            builder.nonterminal(&rule.name);
        }
        let numbered = (2..).map(|number| format!("{NAME}-{number}"));
        let mut names = std::iter::once(NAME.to_owned()).chain(numbered);
        let name = names.find(|name| !self.by_name.contains_key(name))?;
        let error = builder.nonterminal(&name);
        builder.define(error, vec![vec![Symbol::Text(part.into())]]).ok()?;
        for (symbol, rule) in self.nonterminals().zip(&self.rules) {
            let mut alternatives = rule.alternatives.clone();
            if rule.form == Form::Named {
                alternatives.push(vec![Symbol::Nonterminal(error)]);
            }
            builder.define_as(symbol, alternatives, rule.form).ok()?;
        }
        Some((builder.finish(self.start).ok()?, error))
    }
}

/// Words and signs.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut was_word = false;
    for (at, it) in text.char_indices() {
        let is_word = it.is_alphanumeric();
        match words.last_mut() {
            Some(last) if was_word && is_word => last.end = at + it.len_utf8(),
            _ => words.push(at..at + it.len_utf8()),
        }
        was_word = is_word;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::super::builtin;
    use super::*;

    fn part<'t>(grammar: &str, text: &'t str) -> Option<&'t str> {
        let (grammar, part) = builtin(grammar).unwrap().but_for_a_part(text)?;
        assert!(Parser::new(&grammar).parse(text).is_ok());
        Some(&text[part])
    }

    #[test]
    fn the_shortest_part_is_found_near_the_place_where_parsing_stops() {
        assert_eq!(part("json", r#"{"a": [1, 2], "b" 2, "c": {}}"#), Some(r#""b" 2"#));
        assert!(part("json", "[1, 2, , 3]").is_some_and(|part| part.len() <= 3));
        let toml = "[package]\nname = \"a\"\nversion == 2\n[lib]\n";
        assert!(part("toml", toml).is_some_and(|part| part.contains('=')));
    }

    #[test]
    fn a_text_of_the_language_has_none_and_another_language_is_not_tried_for_ever() {
        assert_eq!(part("json", "[1]"), None);
        assert_eq!(part("json", &"all of this is prose. ".repeat(20)), None);
    }
}
