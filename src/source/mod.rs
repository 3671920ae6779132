//! Rust source as a subject: text in, edits out.
//!
//! Everything is an edit on the *original* text by byte span, so that formatting outside the edited
//! places stays as its author left it. Nothing here reads a file: readers come in as closures.

mod assertion;
mod assertions;
mod attributes;
mod branches;
mod calls_around;
mod condition;
mod conditions;
mod debug_output;
mod doctest;
mod edits;
mod error;
mod expected;
mod exprs;
mod format_string;
mod idents;
mod inputs;
mod item;
mod item_texts;
mod krate;
mod literal;
mod load;
mod locate;
pub(crate) mod macro_rules;
mod methods;
mod module_files;
mod named;
mod nameless;
mod parse;
mod patterns;
mod piece;
mod place;
mod position;
mod printed;
mod proptest;
mod put_together;
mod reached;
mod recorded;
mod regression;
mod removal;
pub mod scan;
mod siblings;
mod sides;
mod strength;
mod tables;
mod text_form;
mod tokens;
mod uses;
mod write_back;
mod written;

pub use assertion::{Asserted, ExpectedOperand, asserted_at};
pub use assertions::{TestCode, asserts, expecting_nothing, prints};
pub use attributes::is_only_of_crate;
pub use condition::{ASSERTION, AssertedCondition};
pub use debug_output::DebugValue;
pub use doctest::{DocTest, DocTestError, DocTestFile, DocTestName};
pub use edits::{Edits, edits_of};
pub use error::SourceError;
pub use expected::ExpectedValue;
pub(crate) use expected::{is_test, is_written_out};
pub(crate) use exprs::{bound_idents, child_patterns, child_types, is_assignment, own_exprs};
pub use format_string::{FormatText, format_texts, with_format_texts};
pub(crate) use idents::mentioned;
pub(crate) use inputs::split_cases;
pub use inputs::{
    ByteReader, Compared, ConstShape, Failing, FoundInputs, Origin, Owner, OwnerKind, RowShape,
    ValueType,
};
pub(crate) use item::{attributes_of, item_name};
pub use item_texts::is_item;
pub(crate) use item_texts::item_texts;
pub use krate::{Crate, CrateFile};
pub use literal::{INTEGERS, grouped, write_literal};
pub use locate::{Harness, Located, NotLocated, beside, test_path};
pub use macro_rules::MacroTest;
pub(crate) use module_files::{ModuleFiles, tidy};
pub(crate) use nameless::{Tokens, nameless_parameters};
pub(crate) use parse::{LiveSpans, STACK_BYTES, is_file, look_at, prelude_len, too_deep};
pub(crate) use patterns::{typed, variable};
pub use piece::Cut;
pub use place::{FileIndex, FileUse, SeqForm, Tier, ValueKind, ValuePlace};
pub use position::{LineColumn, LineIndex};
pub(crate) use printed::printed;
pub use proptest::PlainTest;
#[cfg(test)]
pub use proptest::failing_values;
pub use reached::{BehindError, Failed, Reached};
pub use recorded::written_like;
pub(crate) use regression::relative;
pub use regression::{
    DOES_NOT_PANIC, Instances, InstancesTest, NewFile, NoInstancesTest, Regression, none_panics,
    reduced_name,
};
pub(crate) use strength::{Strength, strength};
pub use tables::{Table, tables_around, tables_in};
pub use text_form::TextForm;
pub(crate) use tokens::{
    Arguments, arguments, at_commas, compared, each_token, ends_in, flat, is_assertion, is_char,
    is_constant_name, last_name, last_word, types_in, without_debug,
};
pub use uses::FileRange;
pub(crate) use write_back::FileInputs;
pub use write_back::WriteBack;

#[cfg(test)]
pub(crate) mod tests;
