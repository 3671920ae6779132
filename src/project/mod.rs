//! Cargo's side of things: what is in the workspace, how its tests are built, where their binaries
//! are, and the scratch copy in which all changes happen.

mod adopt;
mod binary_diff;
mod build;
mod config_env;
mod dependencies;
mod enclosure;
mod error;
mod files;
mod harness;
mod metadata;
mod newer;
mod options;
mod other_version;
mod prime;
mod record;
mod revision;
mod rustc;
mod scratch;
mod snapshot;
mod spec;

pub use binary_diff::binary_diff;
pub use build::{Built, CargoTest, Diagnostic, DiagnosticSpan, TestBinary, read_diagnostics};
pub use dependencies::{Dependencies, Dependency};
pub use enclosure::{Enclosure, shut_in};
use error::Result;
pub use error::{ProjectError, cargo_program};
pub use harness::{finds_tests, has_own_harness};
pub use metadata::{ManifestTable, TestTarget, Workspace};
pub use options::{CargoOptions, TargetChoice, TargetKind};
pub use other_version::{OtherVersion, Which};
pub use record::{CargoCall, CompilerCall, RecordedBuild, become_compiler};
pub use revision::check_out;
pub use rustc::{CrateKind, Invocation};
pub use scratch::Scratch;
pub use snapshot::Snapshot;
pub use spec::{name_in_spec, spec_at};
