//! What a failing run of a test has reached, and what it expects of what comes behind.
//!
//! A test that fails before an assertion says nothing of what the assertion checks: with smaller inputs it may
//! be wrong. So a regression test ends with the statement that fails, and loses the assertions around and behind
//! it.

mod arrays;
mod comments;
mod cut;
mod marks;
mod outline;
mod sums;
mod turns;
mod unused;

pub use cut::Failed;
pub use marks::{BehindError, Reached};

#[cfg(test)]
mod tests;
