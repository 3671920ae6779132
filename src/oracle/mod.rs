//! Oracles: from a candidate to an outcome.
//!
//! * [`signature`]: what identifies "the same failure";
//! * [`libtest`]: what one run of a test binary says;
//! * [`flaky`]: how often to run what fails only sometimes;
//! * [`store`]: outcomes that need not be asked for again.

pub mod flaky;
pub mod libtest;
pub mod signature;
pub mod store;
