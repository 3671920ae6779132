//! The oracle of compiler crashes: one run of rustc for each candidate.

mod compilation;
mod crash;
mod crash_matcher;
mod header;
mod oracle;
mod rustc;

pub use compilation::{Compilation, Compiled};
pub use crash::{Crash, CrashKind, Verdict, interpret};
pub use crash_matcher::{CrashMatcher, Demand, Elsewhere, Errors};
pub use header::header_flags;
pub use oracle::IceOracle;
pub use rustc::{Rustc, RustcError};
