//! The passes, one a file, and their order in `registry`.

mod characters;
mod counted;
mod elements;
mod equal;
mod indents;
mod indices;
mod lengths;
mod offsets;
mod pairs;
mod places;
mod prefixed;
mod registry;
mod scalars;
mod sort;
mod structure;
mod texts;
mod trivial;

pub(super) use elements::{elements_of, sequences};
pub(super) use registry::{PASSES, Pass, TEXT_PASSES};
