//! `--ice`: reduces a source, or a package, on which the compiler crashes.

mod case;
mod config;
mod file;
mod flags;
mod package;
mod result;
mod search;
mod story;

pub use config::{ElsewhereConfig, IceConfig};
pub use package::PackageConfig;
pub use story::run;
