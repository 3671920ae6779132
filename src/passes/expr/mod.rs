//! Passes over expressions.

pub mod literals;
pub mod operands;
pub mod pairs;
pub mod replace_exprs;
