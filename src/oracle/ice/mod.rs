//! The oracle of compiler crashes: one run of rustc for each candidate.

mod crash;
mod oracle;
mod rustc;

pub use crash::{Crash, CrashKind, Verdict, interpret};
pub use oracle::{Errors, IceOracle, OtherCrash};
pub use rustc::{Rustc, RustcError};
