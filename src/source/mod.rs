//! Rust source as a subject: text in, edits out.
//!
//! Everything is an edit on the *original* text by byte span, so that formatting outside the edited
//! places stays as its author left it. Nothing here reads a file: readers come in as closures.

mod edits;
mod position;

pub use edits::{Edit, Edits};
pub use position::{LineColumn, LineIndex};
