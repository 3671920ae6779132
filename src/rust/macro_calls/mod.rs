//! What calls of `macro_rules!` macros stand for, as text.
//!
//! A macro hides code from all other passes: its body is no tree, and what a call makes of it is seen
//! nowhere. Where a call is expanded, all of them can go on. Names are not renamed (hygiene): whether the
//! text still means the same is for the oracle to say.

mod calls;
mod transcribe;

pub(crate) use calls::{Calls, Made, definitions};
pub use calls::{MacroCalls, expanded};

#[cfg(test)]
mod tests;
