//! The static passes: families of reductions of Rust source.
//!
//! A pass only *proposes* edits: a pure function from a parsed file to a list of
//! [`Reduction`](crate::rust::Reduction)s, each an edit of the text (everything untouched stays as it was written). One engine
//! judges them all. To add a pass, write one file with its [`Pass`] in the folder of what it touches, and name it in the
//! registry ([`all`]).

mod expr;
pub mod informed;
mod item;
pub mod pass;
mod path;
pub(crate) mod signature;
mod statement;
mod token;

pub use pass::{Effect, Pass, PassId, Tier, all};
