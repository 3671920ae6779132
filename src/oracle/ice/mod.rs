//! The oracle of compiler crashes: one run of rustc for each candidate.

mod crash;
mod header;
mod oracle;
mod rustc;

pub use crash::{Crash, CrashKind, Verdict, interpret};
pub use header::header_flags;
pub use oracle::{Compiled, Errors, IceOracle, OtherCrash};
pub use rustc::{Rustc, RustcError};
