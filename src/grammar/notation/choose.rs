//! Which notation a file is in.

use super::WriteError;
use crate::grammar::{Grammar, GrammarError};

/// A notation for grammars.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notation {
    /// The JSON form of the Fuzzing Book.
    Json,
    /// EBNF or BNF.
    Ebnf,
    /// pest; it can only be written.
    Pest,
}

impl Notation {
    /// The notation of files that end in `.extension`.
    pub fn of_extension(extension: &str) -> Option<Notation> {
        match extension.to_ascii_lowercase().as_str() {
            "json" => Some(Notation::Json),
            "ebnf" | "bnf" => Some(Notation::Ebnf),
            "pest" => Some(Notation::Pest),
            _ => None,
        }
    }

    /// Reads a grammar.
    ///
    /// # Errors
    /// When the notation or the grammar is wrong; for pest always.
    pub fn read(self, text: &str) -> Result<Grammar, GrammarError> {
        match self {
            Notation::Json => Grammar::parse_json(text),
            Notation::Ebnf => Grammar::parse_ebnf(text),
            Notation::Pest => Err(GrammarError::WriteOnly { notation: "pest" }),
        }
    }

    /// Writes a grammar.
    ///
    /// # Errors
    /// When the notation cannot say it.
    pub fn write(self, grammar: &Grammar) -> Result<String, WriteError> {
        match self {
            Notation::Json => Ok(grammar.to_json()),
            Notation::Ebnf => Ok(grammar.to_ebnf()),
            Notation::Pest => grammar.to_pest(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_be_read_again() {
        let grammar = crate::grammar::builtin("json").unwrap();
        for extension in ["json", "EBNF", "bnf"] {
            let notation = Notation::of_extension(extension).unwrap();
            let again = notation.read(&notation.write(&grammar).unwrap()).unwrap();
            assert!(crate::grammar::Parser::new(&again).accepts("{\"a\": [1, null]}"));
        }
        let pest = Notation::of_extension("pest").unwrap();
        let written = pest.write(&grammar).unwrap();
        assert_eq!(
            pest.read(&written).unwrap_err().to_string(),
            "pest grammars can only be written, not read"
        );
        assert_eq!(Notation::of_extension("txt"), None);
    }
}
