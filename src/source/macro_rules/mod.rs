//! Macros of the crate's own.
//!
//! Tests made by a `macro_rules!` of the crate's own: the call is expanded, and the test that comes out
//! is written out as a plain one.
//! What is called inside the test stays as it is, so that the literals of the call stand in the plain test as the user
//! wrote them; but for assertions of the crate's own to which all is given that they compare.

mod expander;
mod fragments;
mod made;
mod matching;
mod own_assertions;
mod paste;
mod rules;
mod snapshots;
mod transcribe;

pub use made::MacroTest;
pub(crate) use matching::Fragment;
pub use rules::Definition;
pub(crate) use rules::repetition;
pub(crate) use transcribe::Transcript;

#[cfg(test)]
mod tests;
