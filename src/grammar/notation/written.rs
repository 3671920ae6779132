//! What can go wrong when a grammar is written.

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
