//! Oracles: from a candidate to an outcome.
//!
//! * [`signature`]: what identifies "the same failure";

pub mod signature;
