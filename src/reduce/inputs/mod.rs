//! The inputs of a test as a candidate, and the passes that reduce them.
//!
//! The inputs are a forest of values ([`Inputs`]) with a persistent (shared) structure. A candidate
//! differs from the original only in which elements of its sequences are kept and in the values of
//! its leaves; that is what goes over the wire to a running test.
//!
//! [`reduce_inputs`] runs a fixed list of passes, big steps first, until none of them finds anything:
//!
//! 1. whole inputs to nothing, elements of sequences, parts of texts (blocks, lines, units of
//!    brackets, quotes and tags, words, characters);
//! 2. values towards what a person would have written: numbers towards 0, letters to `a`;
//! 3. joint steps, which leave local minima: equal values changed together, an element removed while
//!    the numbers that counted it are lowered, a length or flag lowered with the data behind it.
//!
//! Before all, the few smallest lengths of sequences are tried one by one, for failures that are not
//! monotone in the length.
//!
//! Each pass is one file: a function that proposes candidates to the problem, and its tests.

mod chunks;
mod contrast;
mod forest;
mod isolate;
#[cfg(test)]
mod jobs;
mod lower;
mod mask;
mod neighbours;
mod numbers;
mod order;
mod passes;
mod reduce;
mod search;
mod tables;
#[cfg(test)]
pub(crate) mod testing;
mod text;
mod together;
mod value;

pub use contrast::{Holders, reduce_in_contrast};
pub use forest::{Body, Inputs, Node, NodeId};
pub use isolate::{IsolatedInput, OneElement, isolate_input};
pub use mask::{mask, unmask};
pub use neighbours::{Neighbour, between, differing, neighbours, other_rows, with_texts};
pub use reduce::{Minimality, reduce_inputs, shorten_texts};
pub use tables::tables;
pub use together::{Amended, OfData, PartOfText, WhatGoes, lacking, reduce_together};
pub use value::{Float, Int, Value};
