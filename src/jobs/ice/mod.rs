//! `--ice`: reduces a source, or a package, on which the compiler crashes.

mod case;
mod config;
mod crash_job;
mod crate_files;
mod expansion;
mod file;
mod flags;
mod package;
mod result;
mod search;
mod story;

pub use config::{ElsewhereConfig, IceConfig, IceJob};
use crash_job::CrashJob;
pub use package::{PackageConfig, TIMES_ONE, WHOLE_BUILD};
pub use story::run;
