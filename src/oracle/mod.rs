//! Oracles: from a candidate to an outcome.
//!
//! * [`signature`]: what identifies "the same failure";
//! * [`libtest`]: what one run of a test binary says.

pub mod libtest;
pub mod signature;
