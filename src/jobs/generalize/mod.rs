//! The story of `--generalize`: from a failing text to the pattern of the texts that fail.
//!
//! * [`grammars`]: the grammars of texts. * [`text_pattern`]: what is found of one.
//! * [`trees`]: reducing texts on their derivation trees, also without `--generalize`.
//! * [`patterns`]: the search for patterns. * [`story`]: the job.

mod emit;
pub mod grammars;
mod instances;
pub mod patterns;
mod story;
pub mod text_pattern;
pub mod trees;

pub use story::run;
