//! What the user keeps.
//!
//! * [`CrashReport`]: a compiler crash as a commented source and as an issue;
//! * [`manifest`]: manifests of reduced packages;
//! * [`names`]: names of files and functions made from names of tests.

mod ice;
pub mod manifest;
pub mod names;

pub use ice::CrashReport;
