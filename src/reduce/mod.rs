//! The engine: what a candidate is, who judges it, and the algorithms that search for a smaller one.
//!
//! Nothing here knows a file, a process, a clock or Rust source.

mod closures;
pub mod dd;
pub mod inputs;
mod oracle;
mod outcome;
mod patches;
mod problem;
mod ranges;
pub mod rate;
mod take_back;
pub mod tree;

pub use closures::keep_closures;
pub use oracle::{Acceptance, Answer, FromFn, Oracle, OracleError, Until};
pub use outcome::Outcome;
pub use patches::{Approach, apply_patches};
pub(crate) use problem::digest;
pub use problem::{Candidate, Counts, KnownOutcomes, Memory, Problem, Result, Stop};
pub use ranges::{RangeExt, keep_outermost, touched};
pub use take_back::until_it_compiles;
