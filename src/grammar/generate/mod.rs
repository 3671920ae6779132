//! Random and exhaustive generation of derivation trees.
//!
//! * [`Generator`]: random expansion that always ends, by the cost-bounded scheme of the Fuzzing
//!   Book's grammar fuzzer.
//! * [`enumerate`] and [`count`]: all texts of a small language.

mod counted;
mod random;

pub use counted::{count, enumerate};
pub use random::{Generator, Limits};
