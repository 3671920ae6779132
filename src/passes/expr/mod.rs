//! Passes over expressions.

pub mod literals;
pub mod operands;
pub mod replace_exprs;
