//! What the user keeps.
//!
//! * [`names`]: names of files and functions made from names of tests.

pub mod names;
