//! Macros of the crate's own.
//!
//! Tests made by a `macro_rules!` of the crate's own: the call is expanded, and the test that comes out
//! is written out as a plain one.
//! Only the macros that make items are expanded; what is called inside the test stays as it is, so that
//! the literals of the call stand in the plain test as the user wrote them.

mod expander;
mod fragments;
mod made;
mod matching;
mod rules;
mod transcribe;

pub use made::MacroTest;
pub(crate) use matching::{Bindings, Fragment, matches};
pub(crate) use rules::{Arm, arms, repetition};
pub(crate) use transcribe::Transcript;

#[cfg(test)]
mod tests;
