//! The jobs, each in a folder: the story of one reads from the top of its `story` to the end.

pub mod code;
pub mod generalize;
pub mod ice;
pub mod inputs;
#[cfg(test)]
mod readers_tests;
pub mod script;
mod tried_alone;
