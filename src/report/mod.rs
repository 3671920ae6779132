//! What the user sees.
//!
//! The commands tell what happens as [`Event`]s, and never print; a [`Reporter`] shows them: as
//! lines of JSON for programs ([`Json`]), as text for people ([`Text`]), or, for the pages of a build server, as annotations
//! ([`Github`]) and test reports ([`Junit`]). Results go to standard output, everything else to standard error.

mod diff;
mod event;
mod gathered;
#[cfg(test)]
mod gathered_tests;
mod github;
mod json;
mod junit;
mod lines;
mod page;
mod phrases;
mod progress;
mod reporter;
mod snippet;
mod summary;
#[cfg(test)]
pub(crate) mod testing;
mod text;
mod visible;
mod work;
mod wrap;

pub use diff::{removal_diff, unified_diff};
pub use event::{
    Artifacts, Contrast, DebugTarget, Difference, Event, Input, NextCommand, NextStep, Part,
    Pattern, ReducedFile, ReducedInput, Status, Step, Summary, Without,
};
pub use github::Github;
pub use json::Json;
pub use junit::Junit;
pub use page::Page;
pub use phrases::counted;
pub use progress::{LastLine, Progress};
pub use reporter::{Detail, Reporter, Silent};
pub use summary::seen_from;
pub use text::{Text, Verbosity};
