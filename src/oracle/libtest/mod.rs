//! What one run of a test binary says.
//!
//! libtest speaks JSON on nightly only, so its text is read, together with what the panic hook, the
//! runtime and the kernel leave behind. [`interpret`] turns one run of one test into a [`Verdict`].
//! The messages understood are those of Rust 1.60 and newer.

mod backtrace;
mod list;
mod panics;
mod reason;
mod verdict;
#[cfg(test)]
mod verdict_tests;

pub use backtrace::{Callers, at_call, innermost_call, telling_calls};
pub use list::{ended, parse_list};
pub use panics::panics_in;
pub use reason::{STACK_OVERFLOW, STACK_SIZE};
pub use verdict::{Verdict, interpret};
