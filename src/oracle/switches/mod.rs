//! Reducing code at run time: one build with switches, then as many candidates as one likes.
//!
//! 1. [`build`]: the sources get a switch at each place; what the compiler rejects is taken back.
//! 2. A traced run ([`tiers`]) tells which places never run: they all go at once.
//! 3. [`search`]: delta debugging over the switches of the others, in the process of the test where
//!    that is possible, outer places first.
//! 4. [`settle`]: the chosen switches are written out as edits, as far as the compiler takes them.
//!
//! A build of the same kind tells what calls always yield ([`told`]).

mod build;
mod candidate;
mod job;
mod judge;
mod mapping;
mod search;
mod settle;
mod tiers;
mod told;

pub use job::{Levers, RunTier, SwitchJob, Switched, switch, traces};
pub use told::tell_values;

#[cfg(test)]
mod tests;
