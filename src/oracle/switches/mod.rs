//! Reducing code at run time: one build with switches, then as many candidates as one likes.
//!
//! 1. [`build`]: the sources get a switch at each place; what the compiler rejects is taken back.
//! 2. A traced run ([`tiers`]) tells which places never run: they all go at once.
//! 3. [`search`]: delta debugging over the switches of the others, in the process of the test where
//!    that is possible, outer places first.
//! 4. [`check_edits`]: the chosen switches are written out as edits, as far as the compiler takes them.
//!
//! A build of the same kind tells what calls always yield ([`observed_values`]).

mod build;
mod candidate;
mod check_edits;
mod job;
mod observed_values;
mod search;
mod suspects;
mod switch;
mod switch_matcher;
mod taken_back;
mod tiers;

pub use build::Build as SwitchBuild;
pub use job::{SwitchJob, SwitchMode, Switched, Values};
pub use observed_values::observed_values;
pub use switch::{build_switches, switch, traces};
pub use taken_back::TakenBack;

#[cfg(test)]
mod tests;
