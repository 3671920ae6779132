//! Passes over expressions.

pub mod literals;
pub mod operands;
pub mod pairs;
pub mod repeats;
pub mod replace_exprs;
