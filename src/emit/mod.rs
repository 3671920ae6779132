//! What the user keeps.
//!
//! * [`CrashReport`]: a compiler crash as a commented source and as an issue;
//! * [`flat_manifest`]: the manifest of several packages made one;
//! * [`left`]: what is left of a source, and why;
//! * [`local_paths`]: local packages that a manifest depends on, and lints that are allowed;
//! * [`manifest`]: manifests of reduced packages;
//! * [`MinimalPackage`]: the manifest of a package with nothing but a reduced crate;
//! * [`names`]: names of files and functions made from names of tests.
//! * [`cfg_build_script`]: a build script that only sets conditions.

pub mod cfg_build_script;
mod flat_features;
pub mod flat_manifest;
mod ice;
mod inherited;
pub mod left;
pub mod local_paths;
pub mod manifest;
pub mod names;
mod package;
mod tables;

pub use ice::CrashReport;
pub use package::{MinimalDependency, MinimalPackage, MinimalTarget};
