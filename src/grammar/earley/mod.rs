//! Earley parsing, for any context-free grammar, in linear time for the usual ones.
//!
//! * The recognizer fills one set of items for each place of the text: J. Earley, "An Efficient
//!   Context-Free Parsing Algorithm" (1970); nullable rules as in Aycock & Horspool, "Practical Earley
//!   Parsing" (2002); right recursion as in J. Leo, "A General Context-Free Parsing Algorithm Running
//!   in Linear Time on Every LR(k) Grammar Without Using Lookahead" (1991). Alternatives that cannot
//!   start with the next character are not predicted.
//! * The tree is then read off the sets. Where the grammar is ambiguous the preference is fixed: of
//!   several alternatives the first; of several ways to split one, later symbols take as little as
//!   possible; but an element of a list (`x*`, `x+`) takes as much as possible. Where Leo's shortcut
//!   left a derivation out of the sets, the one that it kept is taken.

mod chart;
mod compiled;
mod extract;
mod parser;

#[cfg(test)]
mod tests;

pub use parser::{Parser, SyntaxError};
