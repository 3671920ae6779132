//! The oracle of compiler crashes: one run of rustc for each candidate.

mod compilation;
mod crash;
mod header;
mod oracle;
mod rule;
mod rustc;

pub use compilation::{Compilation, Compiled};
pub use crash::{Crash, CrashKind, Verdict, interpret};
pub use header::header_flags;
pub use oracle::IceOracle;
pub use rule::{Demand, Elsewhere, Errors, Rule};
pub use rustc::{Rustc, RustcError};
