//! What `--ice` was asked.

use super::package::PackageConfig;
use crate::app::files::FilesConfig;
use crate::oracle::ice::{Demand, Errors};

/// What to reduce, and with which compiler.
#[derive(Debug, Clone)]
pub struct IceConfig {
    /// The files (the first is the root of the crate), and limits.
    pub files: FilesConfig,
    /// Arguments for rustc.
    pub rustc_args: Vec<String>,
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
