//! The grammars of texts: given by the user, or the most specific built-in one.

use std::fs;

use crate::app::config::{GrammarSource, PatternConfig, TextConfig};
use crate::app::failure::{Failure, Result};
use crate::app::session::Session;
use crate::generalize::Formula;
use crate::grammar::{BUILTINS, Builtin, Grammar, Parser, SyntaxError, best_builtin_for};
use crate::reduce::inputs::{Inputs, NodeId};

/// A part that a built-in grammar does not parse is small if the text is so many times as long.
const MOST_OF_TEXT: usize = 10;
/// How much of a text is shown beside an error.
const SHOWN_CHARS: usize = 40;

impl TextConfig {
    /// The grammar that the user gave.
    ///
    /// # Errors
    /// When its file cannot be read or holds no grammar.
    pub fn read_grammar(&self) -> Result<Option<NamedGrammar>> {
        self.grammar.as_ref().map(NamedGrammar::read).transpose()
    }
}

/// A grammar, and what it is called.
#[derive(Debug, Clone)]
pub struct NamedGrammar {
    /// The built-in's name, or the file.
    pub name: String,
    /// The grammar.
    pub grammar: Grammar,
    /// The part of the text that it would not parse without a rule of its own.
    pub error: Option<String>,
}

impl NamedGrammar {
    /// Reads the user's grammar.
    ///
    /// # Errors
    /// When the file cannot be read or holds no grammar.
    pub fn read(source: &GrammarSource) -> Result<Self> {
        match source {
            GrammarSource::Builtin(builtin) => Ok(NamedGrammar::of_builtin(builtin)),
            GrammarSource::File(path, notation) => {
                let text = fs::read_to_string(path).map_err(|error| {
                    Failure::error(format!("cannot read the grammar `{path}`: {error}"))
                })?;
                let grammar = notation.read(&text).map_err(|error| {
                    Failure::error(format!("the grammar `{path}` is wrong: {error}"))
                })?;
                let name = path.file_name().unwrap_or(path.as_str()).to_owned();
                Ok(NamedGrammar { name, grammar, error: None })
            }
        }
    }

    /// Tells which rules are of no use: mostly a name that was misspelled elsewhere.
    pub fn tell_unreachable(&self, session: &Session) {
        for rule in self.grammar.unreachable() {
            session.warn(format!("rule <{rule}> of the grammar `{}` is never used", self.name));
        }
    }

    /// The grammar of its texts that fulfil the formula, if there is one.
    ///
    /// # Errors
    /// When it is no formula of this grammar, or no text fulfils it.
    pub fn of_formula(&self, wanted: &PatternConfig) -> Result<Option<Grammar>> {
        let Some(text) = &wanted.formula else { return Ok(None) };
        let wrong = |error: &dyn std::fmt::Display| {
            Failure::error(format!("--pattern `{text}`: {error}"))
                .hint("put patterns in quotes: --pattern '\"((<expr>))\" & !\"<factor>/0\"'")
        };
        let formula = Formula::read(text, &self.grammar).map_err(|error| wrong(&error))?;
        formula.grammar(&self.grammar).map(Some).map_err(|error| wrong(&error))
    }

    fn of_builtin(builtin: &Builtin) -> Self {
        NamedGrammar { name: builtin.name.to_owned(), grammar: builtin.grammar(), error: None }
    }

    /// The most specific built-in grammar that parses `text`.
    pub fn of_text(text: &str) -> Self {
        let (builtin, grammar) = best_builtin_for(text);
        NamedGrammar { name: builtin.name.to_owned(), grammar, error: None }
    }

    /// The same as [`NamedGrammar::of_text`]; where that is the one which takes any text, the most specific one that parses all but
    /// a small part.
    fn of_text_or_most(text: &str) -> Self {
        let best = NamedGrammar::of_text(text);
        if BUILTINS.last().is_none_or(|any| any.name != best.name) {
            return best;
        }
        let specific = BUILTINS.iter().filter(|it| it.is_specific && it.name != best.name);
        let mut but_for =
            specific.filter_map(|it| NamedGrammar::of_builtin(it).but_for_a_part(text));
        let is_small = |it: &NamedGrammar| {
            it.error.as_ref().is_some_and(|error| error.len() * MOST_OF_TEXT <= text.len())
        };
        but_for.find(is_small).unwrap_or(best)
    }

    /// The same with a rule for the part of `text` that it does not parse, if there is one such part.
    fn but_for_a_part(&self, text: &str) -> Option<Self> {
        let (grammar, part) = self.grammar.but_for_a_part(text)?;
        Some(NamedGrammar { grammar, error: Some(text[part].to_owned()), ..self.clone() })
    }
}

/// The texts among inputs that have a grammar.
#[derive(Debug, Clone, Default)]
pub struct Texts {
    texts: Vec<(NodeId, NamedGrammar)>,
    /// Whether the user has chosen the grammar.
    is_given: bool,
}

impl Texts {
    /// The texts that `config` wants to be reduced on their trees or generalized. Where the user's grammar parses none of
    /// them, each has the most specific built-in one that does, and the user is told.
    ///
    /// # Errors
    /// When the user's grammar parses none of them and is that of a formula, or a pattern is wanted and there is no text.
    pub fn wanted(
        session: &Session,
        config: &TextConfig,
        inputs: &Inputs,
        given: Option<&NamedGrammar>,
    ) -> Result<Self> {
        if config.strategy.on_trees().is_none() && config.pattern.is_none() {
            return Ok(Texts::default());
        }
        if config.pattern.is_some() && texts_of(inputs).next().is_none() {
            return Err(Failure::error(
                "nothing to generalize: no input of the test is text that can be changed at run time",
            )
            .hint("use `--list` to see the inputs, or leave out `--generalize` to only reduce them"));
        }
        let built_in = || {
            let all = texts_of(inputs);
            let texts = all.map(|(id, text)| (id, NamedGrammar::of_text_or_most(text)));
            let texts = Texts { texts: texts.collect(), is_given: false };
            texts.tell_errors(session, "");
            texts
        };
        let Some(given) = given else { return Ok(built_in()) };
        match (Texts::parsed_by(given, inputs), &config.pattern) {
            (Err(refused), Some(PatternConfig { formula: Some(_), .. })) => {
                Err(Failure::error(refused))
            }
            (Err(refused), _) => {
                if let Some(texts) = Texts::parsed_in_part_by(given, inputs) {
                    texts.tell_errors(session, &format!("{refused}; "));
                    return Ok(texts);
                }
                session.warn(format!(
                    "{refused}; the most specific built-in grammar that parses it is used instead"
                ));
                Ok(built_in())
            }
            (Ok(texts), _) => Ok(texts),
        }
    }

    /// Says which parts of texts are errors by their grammars.
    fn tell_errors(&self, session: &Session, why: &str) {
        for (_, named) in self.iter() {
            if let Some(error) = &named.error {
                session.warn(format!(
                    "{why}by the grammar `{}`, {error:?} in an input is an error, and all else is not",
                    named.name
                ));
            }
        }
    }

    /// The texts of `inputs` that the user's grammar parses but for a part, the longest if there are several.
    fn parsed_in_part_by(given: &NamedGrammar, inputs: &Inputs) -> Option<Self> {
        let (id, text) = texts_of(inputs).max_by_key(|(_, text)| text.len())?;
        let named = given.but_for_a_part(text)?;
        let is_part = named.error.as_ref().is_some_and(|error| error.len() * 2 <= text.len());
        is_part.then(|| Texts { texts: vec![(id, named)], is_given: true })
    }

    /// The texts of `inputs` that the user's grammar parses; if that parses none, why not.
    fn parsed_by(given: &NamedGrammar, inputs: &Inputs) -> Result<Self, String> {
        let mut texts = Vec::new();
        let mut refused = None;
        for (id, text) in texts_of(inputs) {
            match Parser::new(&given.grammar).parse(text) {
                Ok(_) => texts.push((id, given.clone())),
                Err(error) => {
                    refused.get_or_insert_with(|| does_not_parse(given, text, &error));
                }
            }
        }
        match refused {
            Some(why) if texts.is_empty() => Err(why),
            _ => Ok(Texts { texts, is_given: true }),
        }
    }

    /// The texts and their grammars.
    pub fn iter(&self) -> impl Iterator<Item = (NodeId, &NamedGrammar)> {
        self.texts.iter().map(|(id, grammar)| (*id, grammar))
    }

    /// The grammars to try on what is left of a text: the user's if it holds for this text, else the one
    /// that says most about the text, and the one that takes any.
    pub fn of_reduced(&self, id: NodeId, text: &str) -> Vec<NamedGrammar> {
        let known = self.iter().find(|(known, _)| *known == id);
        match known {
            Some((_, named)) if self.is_given => vec![named.clone()],
            Some((_, named)) => {
                let still = named.error.is_some() && Parser::new(&named.grammar).accepts(text);
                let best = if still { named.clone() } else { NamedGrammar::of_text(text) };
                let all = BUILTINS.last().map(NamedGrammar::of_builtin);
                // A blank text is in many languages and tells of none.
                let best = (!text.trim().is_empty()).then_some(best);
                let mut grammars: Vec<NamedGrammar> = best.into_iter().chain(all).collect();
                grammars.dedup_by(|one, other| one.name == other.name);
                grammars
            }
            None => Vec::new(),
        }
    }

    /// Whether a grammar is the built-in one that takes any text as words and white space, and not the
    /// user's choice.
    pub fn is_of_words_only(&self, named: &NamedGrammar) -> bool {
        !self.is_given && BUILTINS.last().is_some_and(|any| any.name == named.name)
    }

    /// Whether `id` is one of them.
    pub fn contains(&self, id: NodeId) -> bool {
        self.texts.iter().any(|(text, _)| *text == id)
    }

    /// Whether the texts that are left in `inputs` are still in the language of the user's grammar.
    pub fn parse_all(&self, inputs: &Inputs) -> bool {
        !self.is_given || self.have_trees(inputs)
    }

    /// Whether the texts that are left in `inputs` are in the languages of their grammars.
    pub fn have_trees(&self, inputs: &Inputs) -> bool {
        self.iter().all(|(id, named)| {
            let parses = |text| Parser::new(&named.grammar).accepts(text);
            inputs.value(id).is_none_or(|value| value.as_text().is_some_and(parses))
        })
    }
}

/// The texts among inputs, in the order of the source.
pub fn texts_of(inputs: &Inputs) -> impl Iterator<Item = (NodeId, &str)> {
    inputs.leaves().filter_map(|(id, value)| Some((id, value.as_text()?)))
}

fn does_not_parse(named: &NamedGrammar, text: &str, error: &SyntaxError) -> String {
    let rest: String = text[error.offset..].chars().take(SHOWN_CHARS).collect();
    let found =
        if rest.is_empty() { "the end of the text".to_owned() } else { format!("{rest:?}") };
    format!("the input does not parse as `{}`: {error}, found {found}", named.name)
}
