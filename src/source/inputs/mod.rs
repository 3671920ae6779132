//! The inputs of a test: which literals and sequences it reaches, where they stand, what they are.

mod asserts;
mod boundary;
mod built;
mod cases;
mod chain;
mod file;
mod found;
mod keep;
mod lazy;
mod macros;
mod names;
mod observed;
mod opened;
mod origin;
mod reach;
mod read;
mod rows;
mod scope;
mod statements;
mod steering;
mod tested;
mod tokens;
mod twins;
mod types;
mod walk;

pub(crate) use asserts::{calls_nothing, is_constructor, is_data, only_converts};
pub(crate) use cases::{case_argument, split_cases};
pub use found::{ConstShape, FoundInputs, Owner, OwnerKind};
pub(crate) use names::bound;
pub use observed::{ListKind, ValueType};
pub use opened::TextLiteral;
pub use origin::Origin;
pub use rows::RowShape;
pub(crate) use statements::is_assignment;
pub use twins::Failing;
