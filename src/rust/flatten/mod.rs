//! All files of a subject in one: modules with their text inside, libraries as modules of the test's
//! crate.
//!
//! One file is what a reader wants, and one crate is compiled once for each candidate instead of once
//! for each library. Where this changes the meaning (editions, features, names that clash) the compiler
//! or the test says so, and the files stay as they are.

mod attributes;
mod conditions;
mod exported;
mod flat;
mod names;
mod old_root;
mod pieces;
mod whole;

pub use flat::CrateRoot;
pub use whole::flatten;

#[cfg(test)]
mod tests;
