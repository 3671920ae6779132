//! `--ice` without a file: the crate of the package that crashes the compiler.

mod calls;
mod find;
mod inline;
mod minimal;

pub use calls::{PackageConfig, TIMES_ONE, WHOLE_BUILD};
pub use find::{PackageCase, find};
pub use inline::inlined;
pub use minimal::keep_package;
