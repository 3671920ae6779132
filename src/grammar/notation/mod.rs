//! The notations in which grammars are read and written.
//!
//! | notation | read | written |
//! |---|---|---|
//! | the JSON form of the Fuzzing Book | yes | yes |
//! | EBNF and BNF as people write it | yes | yes |
//! | pest | | yes, left recursion taken out |
//! | regular expression (a proptest strategy) | | yes, where the language is regular |

mod choose;
mod ebnf_lexer;
mod ebnf_read;
mod ebnf_write;
mod json_read;
mod json_write;
mod names;
mod pest;
mod place;
mod regular;
mod written;

pub use choose::Notation;
pub(super) use place::line_and_column;
pub use written::WriteError;
pub(super) use written::quote;

#[cfg(test)]
mod tests;
