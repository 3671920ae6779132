//! From a failing text to the set of texts that fail.
//!
//! * [`ddset()`] makes a [`Pattern`]: a derivation tree some nodes of which are left abstract, such that
//!   (nearly) all instances fail. [`Rate`] says how nearly.
//! * [`fuzz`] runs instances of a pattern, [`narrow`] takes back what a counterexample refutes.
//! * `evocative_subtree` finds the part of a pattern whose presence causes the failure, [`causes()`] those
//!   of other failing texts, too, `evocative_grammar` is the grammar of the texts that contain one of
//!   them, in any context.
//! * [`Formula`]: `and`, `or` and `not` of such parts, as grammars.

mod algebra;
mod ask;
mod blame;
mod blank;
mod causes;
mod copy;
mod covary;
mod ddset;
mod evocative;
mod fuzz;
mod gaps;
mod legend;
mod narrowing;
mod options;
mod pattern;
mod rate;
mod raw;
mod search;
mod trial;

#[cfg(test)]
mod conformance_tests;
#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod precision_tests;

pub use algebra::Formula;
pub use ask::Ask;
pub use causes::causes;
pub use ddset::{ddset, narrow};
pub use fuzz::{Fuzzed, fuzz};
pub use options::Options;
pub use pattern::Pattern;
pub use rate::Rate;
