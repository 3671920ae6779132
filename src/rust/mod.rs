//! One text of Rust as those see it who change it: files (`subject`), their trees and what is asked of them
//! (`index`, `names`, `bindings`, `scopes`, `places`), edits that remember where each piece comes from (`reduction`,
//! `origin`), macros, and all files as one (`flatten`).

pub mod alternatives;
pub mod anchor;
mod apart;
pub mod around;
mod asked_functions;
pub mod bindings;
pub mod callable;
pub mod case_arguments;
pub mod cases;
pub mod check;
pub mod conditions;
mod deciding;
pub mod definitions;
pub mod edits;
pub mod expansion;
mod file_places;
pub mod flatten;
mod free_functions;
pub mod graph;
mod helper_arms;
pub mod hidden;
mod ignored;
pub mod import_parts;
pub mod index;
pub mod lint_levels;
mod literals_of;
mod lookups;
pub mod macro_calls;
mod modern;
pub mod named;
mod named_values;
pub mod names;
mod nearest_assertions;
pub mod operands;
pub mod origin;
pub mod other_tests;
mod own_items;
mod passing_parts;
pub mod patchwork;
pub mod places;
pub mod pretty;
pub mod reduction;
mod repeated_calls;
mod rows;
pub mod runs;
pub mod scopes;
pub mod subject;
pub mod switches;
#[cfg(test)]
pub mod testing;
pub mod tree;
mod value_checks;

pub use crate::source::{is_only_of_crate, scan};
pub use anchor::failing_at;
pub use apart::apart;
pub use around::{function_around, statement_around};
pub use asked_functions::AskedFunctions;
pub use callable::to_open;
pub use cases::plain_case;
pub use check::{Check, CompileError, FixedRange, ObservedValue, PassStats, Stays, Unused};
pub use conditions::Conditions;
pub use deciding::{
    Deciding, Failing, Steps, calls_of, changes_step, deciding, defined_functions, loses_call,
};
pub use edits::make_edits;
pub use expansion::{has_own_macros, without_prelude};
pub use file_places::place_of_file;
pub use flatten::{CrateRoot, flatten};
pub use free_functions::stand_together;
pub use helper_arms::{FreeArms, lacks_only_arms};
pub use hidden::hidden;
pub use ignored::ignoring_function;
pub use lint_levels::without_lint_levels;
pub use literals_of::{InputLiterals, adds_literals, takes_needed_sign};
pub use macro_calls::{MacroCalls, expanded};
pub use modern::modern;
pub use named::{
    Assertions, TestRows, asserting_macros, assertions_before, dense_text, function_of,
    functions_in, functions_of, helpers_of_tests, is_in_test_or_helper, rows_of_tests,
    words_of_functions,
};
pub use named_values::{inlines, named_values};
pub use nearest_assertions::{State, function_text, with_nearest_assertions};
pub use origin::{OriginalPlace, OriginalRange, Piece};
pub use other_tests::{without_other_tests, without_tests_of_macros};
pub use own_items::with_own_items;
pub use passing_parts::{
    AddedTest, FailingAlone, Part, failing_alone, passing_parts, says_what_is_right,
    with_tests_behind,
};
pub use pretty::{laid_out, pretty, pretty_and_tight};
pub use reduction::{Change, Reduction, apply};
pub use rows::Rows;
pub use subject::{Sameness, SourceFile, Sources, count_tokens};
pub use tree::{NotTokens, StandIn, Tree};
pub use value_checks::{ValueCheck, changes_check, value_checks};
