//! The inputs of a test: which literals and sequences it reaches, where they stand, what they are.

mod asserts;
mod cases;
mod chain;
mod file;
mod found;
mod lazy;
mod macros;
mod reach;
mod read;
mod rows;
mod statements;
mod tokens;
mod twins;
mod types;
mod walk;

pub(crate) use asserts::{calls_nothing, is_constructor, only_converts};
pub(crate) use cases::{case_argument, split_cases};
pub use found::{ConstShape, Found, Owner, OwnerKind};
pub use rows::RowShape;
pub(crate) use statements::is_assignment;
