//! How much is tried for a pattern.

use crate::grammar::Limits;
use crate::reduce::rate::tries_to_see;

/// Settings of [`ddset()`](super::ddset()).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The number of instances of a node that must fail before it is abstract.
    pub tries: usize,
    /// How large generated parts grow.
    pub limits: Limits,
    /// Whether places that need the same text are looked for.
    pub covarying: bool,
    /// Whether it is tried to add elements to lists.
    pub gaps: bool,
    /// Whether a node of which most instances fail is left open for those alone.
    pub narrowing: bool,
}

impl Default for Options {
    /// As many tries as it takes so that, at 95 % confidence, at least 99 % of all instances fail.
    fn default() -> Self {
        let tries = tries_to_see(0.01, 0.05) as usize;
        Options { tries, limits: Limits::default(), covarying: true, gaps: true, narrowing: true }
    }
}
