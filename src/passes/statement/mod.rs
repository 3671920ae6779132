//! Passes over statements, blocks and variables.

pub mod arms;
pub mod blocks;
pub mod bodies;
pub mod conditions;
pub mod constructors;
pub mod exits;
pub mod locals;
pub mod no_effects;
pub mod patterns;
pub mod statements;
pub mod variables;
