//! The probe build: compile once, try thousands of candidates.
//!
//! * [`rewrite`](rewrite()): which places can be switched, and the instrumented copy.

mod rewrite;

pub use rewrite::{Entry, Rewritten, blame, rewrite};
