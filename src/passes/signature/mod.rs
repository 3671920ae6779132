//! Passes over what functions and types take and give.

pub mod arguments;
pub mod bounds;
pub mod concrete_types;
pub mod generic_args;
pub mod generics;
pub mod lifetimes;
pub mod parameters;
pub mod qualifiers;
pub mod return_types;
pub mod tuple_elements;
pub mod tuples;
pub mod types;
pub mod where_clauses;
