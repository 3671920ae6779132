//! Passes over single tokens and comments.

pub mod comments;
pub mod unused_tokens;
