//! What the user keeps.
//!
//! * [`CrashReport`]: a compiler crash as a commented source and as an issue;
//! * [`names`]: names of files and functions made from names of tests.

mod ice;
pub mod names;

pub use ice::CrashReport;
