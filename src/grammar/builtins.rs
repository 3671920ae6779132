//! The grammars that come with the tool: data files, one a grammar.

use super::{Grammar, Parser};

/// A grammar that comes with the tool.
#[derive(Debug, Clone, Copy)]
pub struct Builtin {
    /// What it is called by.
    pub name: &'static str,
    /// Whether it is tried on a text that comes without a grammar; others take almost any text.
    pub is_specific: bool,
    ebnf: &'static str,
}

macro_rules! builtins {
    ($(($name:literal, $is_specific:literal)),* $(,)?) => {
        &[$(Builtin {
            name: $name,
            is_specific: $is_specific,
            ebnf: include_str!(concat!("builtin/", $name, ".ebnf")),
        }),*]
    };
}

/// All of them, the most specific first.
pub const BUILTINS: &[Builtin] = builtins![
    ("integer", true),
    ("decimal", true),
    ("ipv4", true),
    ("semver", true),
    ("date-time", true),
    ("ipv6", true),
    ("identifier", true),
    ("email", true),
    ("url", true),
    ("json", true),
    ("arithmetic", true),
    ("s-expression", true),
    ("sql", true),
    ("toml", true),
    ("csv", true),
    ("ini", false),
    ("html", true),
    ("regex", false),
    ("markdown", false),
    ("rust", false),
    ("text", true),
];

impl Builtin {
    /// The grammar.
    ///
    /// # Panics
    /// Never: a test reads each of them.
    pub fn grammar(&self) -> Grammar {
        match Grammar::parse_ebnf(self.ebnf) {
            Ok(grammar) => grammar,
            Err(error) => unreachable!("built-in grammar {}: {error}", self.name),
        }
    }
}

/// The built-in grammar called `name`.
#[cfg(any(test, feature = "bench"))]
pub fn builtin(name: &str) -> Option<Grammar> {
    let found = BUILTINS.iter().find(|builtin| builtin.name == name)?;
    Some(found.grammar())
}

/// The most specific built-in grammar that parses `text`; `text`, which parses everything, is last.
///
/// # Panics
/// Never, for the same reason.
pub fn best_builtin_for(text: &str) -> (&'static Builtin, Grammar) {
    let candidates = BUILTINS.iter().filter(|builtin| builtin.is_specific);
    let found = candidates
        .map(|builtin| (builtin, builtin.grammar()))
        .find(|(_, grammar)| Parser::new(grammar).accepts(text));
    found.unwrap_or_else(|| unreachable!("the grammar `text` parses every text"))
}

#[cfg(test)]
mod tests;
