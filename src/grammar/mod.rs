//! Grammars: nonterminals and their alternatives, written and read in several notations.
//!
//! * [`Grammar`] and [`GrammarBuilder`]: the model, with character classes as first-class symbols
//!   and with lists (`x*`, `x+`) that are flat in derivation trees.

mod build;
mod builtins;
mod choice;
mod class;
mod cost;
mod earley;
mod error;
mod generate;
mod mistaken;
mod model;
mod notation;
mod rules;

pub use crate::reduce::tree::{Edit, NodeKind, Nonterminal, Tree, TreeBuilder};
pub use build::GrammarBuilder;
#[cfg(any(test, feature = "bench"))]
pub use builtins::builtin;
pub use builtins::{BUILTINS, Builtin, best_builtin_for};
pub use class::CharClass;
pub use earley::{Parser, SyntaxError};
pub use error::GrammarError;
pub use generate::{Generator, Limits, count, enumerate};
pub(crate) use model::reachable;
pub use model::{Alternative, Form, Grammar, Rule, Symbol};
pub use notation::Notation;
