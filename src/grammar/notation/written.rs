//! How the right sides of rules are written, and what can go wrong.

use crate::grammar::{Alternative, CharClass, Symbol};
use crate::reduce::tree::Nonterminal;

/// Writes right sides of rules in a notation.
pub(super) trait RightSides {
    /// What stands between the symbols of a sequence.
    const BETWEEN: &'static str;

    fn class(&self, class: &CharClass) -> String;

    /// The name of a rule, or what a helper stands for.
    fn reference(&self, nonterminal: Nonterminal) -> String;

    fn alternatives<'a>(&self, all: impl IntoIterator<Item = &'a Alternative>) -> String {
        let written: Vec<String> = all.into_iter().map(|one| self.sequence(one)).collect();
        written.join(" | ")
    }

    fn sequence(&self, alternative: &Alternative) -> String {
        if alternative.is_empty() {
            return "\"\"".to_owned();
        }
        let written: Vec<String> = alternative.iter().map(|it| self.symbol(it)).collect();
        written.join(Self::BETWEEN)
    }

    fn symbol(&self, symbol: &Symbol) -> String {
        match symbol {
            Symbol::Text(text) => quote(text),
            Symbol::Class(class) => self.class(class),
            Symbol::Nonterminal(nonterminal) => self.reference(*nonterminal),
        }
    }
}

/// A text in quotes, with the escapes that the reader knows.
pub(in crate::grammar) fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c if c.is_control() => quoted.extend(c.escape_unicode()),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Why a grammar cannot be written in a notation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// The notation knows no left recursion, and this one is not direct.
    #[error("rule <{rule}> is left-recursive through other rules, which this notation cannot say")]
    LeftRecursion {
        /// The rule.
        rule: String,
    },
    /// The language is not seen to be regular.
    #[error("rule <{rule}> nests in itself: the language is not regular")]
    NotRegular {
        /// The rule.
        rule: String,
    },
    /// The expression would be enormous.
    #[error("the regular expression would be too long")]
    TooLong,
}
