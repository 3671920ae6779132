//! What `--ice` was asked.

use super::package::PackageConfig;
use crate::app::files::FilesJob;
use crate::oracle::ice::{Demand, Errors};

/// What is asked of a job on a crash besides what every job is asked: there, the arguments for the test binary are those for
/// rustc.
#[derive(Debug, Clone)]
pub struct IceConfig {
    /// What stands after `+` for rustup.
    pub toolchain: Option<String>,
    /// What to make of errors besides the crash.
    pub errors: Errors,
    /// How often a candidate is compiled until it crashes.
    pub runs: u32,
    /// Other toolchains that have a say.
    pub elsewhere: Vec<ElsewhereConfig>,
    /// The package, when no file was given.
    pub package: Option<PackageConfig>,
    /// Whether the issue report is printed.
    pub markdown: bool,
}

/// What another toolchain has to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ElsewhereConfig {
    /// Its name, without `+`.
    pub toolchain: String,
    /// What it has to do.
    pub demand: Demand,
}

/// A job with a compiler that crashes.
pub type IceJob<'r> = FilesJob<'r, IceConfig>;
