//! The static passes: families of reductions of Rust source, and the schedule that runs them.
//!
//! A pass only *proposes* edits: a pure function from a parsed file to a list of [`Reduction`]s, each
//! an edit of the text (everything untouched stays as it was written). One engine judges them all. To
//! add a pass, write one file with its [`Pass`] and name it in the registry ([`all`]).

mod aliases;
mod anchor;
mod arguments;
mod arms;
mod attributes;
mod blocks;
mod bodies;
mod bounds;
mod brackets;
mod comments;
mod conditions;
mod definitions;
mod derives;
mod fields;
mod flatten;
mod functions;
mod generic_args;
mod generics;
mod globs;
mod graph;
mod items;
mod lifetimes;
mod lint_levels;
mod literals;
mod locals;
mod macro_rules;
mod members;
mod modules;
mod named;
mod newtypes;
mod operands;
mod origin;
mod orphans;
mod parameters;
mod pass;
mod patterns;
mod placeholders;
mod plain;
mod pretty;
mod qualifiers;
mod reduction;
mod repair;
mod return_types;
pub mod scan;
mod schedule;
mod stand_ins;
mod statements;
mod subject;
pub mod switches;
mod text;
mod tolerance;
mod tree;
mod types;
mod unused;
mod unused_tokens;
mod uses;
mod variants;
pub mod walk;
mod where_clauses;

pub use anchor::{Failing, failing_at};
pub use flatten::{CrateRoot, flatten};
pub use lint_levels::without_lint_levels;
pub use named::functions_named;
pub use origin::{OriginalPlace, Piece};
pub use pass::{Pass, Tier, all};
pub use plain::reduce_text;
pub use pretty::pretty;
pub use reduction::{Change, Reduction, apply};
pub use repair::{Check, Complaint};
pub use schedule::{ReduceError, Reduced, Settings, reduce, reduce_checked, reduce_source};
pub use subject::{Sameness, SourceFile, Sources, count_tokens};
pub use tree::{NotTokens, StandIn, Tree};
