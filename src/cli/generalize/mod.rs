//! The story of `--generalize`: from a failing text to the pattern of the texts that fail.
//!
//! * [`args`]: the options. * [`grammars`]: the grammars of texts.
//! * [`trees`]: reducing texts on their derivation trees, also without `--generalize`.
//! * [`patterns`]: the search for patterns. * [`story`]: the job.

pub mod args;
mod emit;
pub mod grammars;
mod instances;
pub mod patterns;
mod story;
pub mod trees;

pub use story::run;
