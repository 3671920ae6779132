//! The instrumented copy: each input asks the runtime for the current candidate.
//!
//! Everything is an insertion or replacement on the original text that adds no line, so that places
//! map back. What the compiler does not accept is taken back node by node: [`blame`] tells which.

mod blame;
mod boundary;
mod constants;
mod copy;
mod entry;
mod fragments;
mod marks;
mod nodes;
mod rewritten;
mod rows;
#[cfg(test)]
mod tests;

pub use blame::blame;
pub(super) use copy::RUNTIME;
pub use entry::Entry;
pub use marks::reached_call;
pub use rewritten::{Rewritten, rewrite};
