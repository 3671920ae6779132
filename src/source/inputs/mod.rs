//! The inputs of a test: which literals and sequences it reaches, where they stand, what they are.

mod asserts;
mod boundary;
mod built;
mod cases;
mod chain;
mod data;
mod file;
mod found;
mod keep;
mod labels;
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
mod shown;
mod statements;
mod steering;
mod tested;
mod tokens;
mod twins;
mod types;
mod visit;
mod walk;

pub(crate) use cases::{case_argument, split_cases};
pub(crate) use data::{calls_nothing, is_constructor, is_data, only_converts};
pub use found::{Compared, ConstShape, FoundInputs, Owner, OwnerKind, TextLiteral};
pub use rows::RowShape;
pub(crate) use scope::root;
pub use shown::{ByteReader, ListKind, Origin, ValueType};
pub use twins::Failing;
