//! What is wrong with a grammar.

/// What is wrong with a grammar.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GrammarError {
    /// There is no rule at all.
    #[error("the grammar has no rules")]
    Empty,
    /// A nonterminal is used that has no rule.
    #[error("rule <{rule}> uses <{name}>, which is not defined")]
    Undefined {
        /// The rule that uses it.
        rule: String,
        /// What is not defined.
        name: String,
    },
    /// Two rules have the same name.
    #[error("rule <{rule}> is defined twice")]
    Duplicate {
        /// The name.
        rule: String,
    },
    /// A nonterminal derives no finite text.
    #[error("rule <{rule}> has no finite expansion")]
    NoFiniteExpansion {
        /// Its name.
        rule: String,
    },
    /// Even the smallest text of a nonterminal is enormous.
    #[error("the smallest expansion of rule <{rule}> is too large")]
    TooLarge {
        /// Its name.
        rule: String,
    },
    /// The start symbol has no rule.
    #[error("the start symbol <{name}> is not defined")]
    NoStart {
        /// Its name.
        name: String,
    },
    /// The notation is wrong at some place.
    #[error("line {line}, column {column}{}: {message}", in_rule(rule.as_deref()))]
    Syntax {
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// The rule around it, if there is one yet.
        rule: Option<String>,
        /// What is wrong.
        message: String,
    },
    /// One of the others, at the place of the rule or of its use.
    #[error("line {line}, column {column}: {error}")]
    Placed {
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// What is wrong there.
        error: Box<GrammarError>,
    },
    /// The JSON form is well-formed, but a rule of it makes no sense.
    #[error("rule <{rule}>: {message}")]
    Malformed {
        /// The rule.
        rule: String,
        /// What is wrong.
        message: String,
    },
    /// The notation is one that is only written.
    #[error("{notation} grammars can only be written, not read")]
    WriteOnly {
        /// Its name.
        notation: &'static str,
    },
    /// The text is no JSON.
    #[error("not a JSON grammar: {message}")]
    Json {
        /// What the JSON parser says, with line and column.
        message: String,
    },
}

fn in_rule(rule: Option<&str>) -> String {
    rule.map_or_else(String::new, |rule| format!(", in rule <{rule}>"))
}
