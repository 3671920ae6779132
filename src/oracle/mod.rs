//! Oracles: from a candidate to an outcome.
//!
//! * [`signature`]: what identifies "the same failure";
//! * [`libtest`]: what one run of a test binary says;
//! * [`flaky`]: how often to run what fails only sometimes;
//! * [`ice`]: crashes of the compiler;
//! * [`pool`]: candidates run side by side;
//! * [`script`]: a command of the user;
//! * [`store`]: outcomes that need not be asked for again.

pub mod flaky;
pub mod ice;
pub mod libtest;
pub mod pool;
pub mod script;
pub mod signature;
pub mod store;
