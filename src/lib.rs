//! `cargo reduce` takes a failure and hands back the smallest subject that still fails in the same
//! way, with proof.
//!
//! The house has a pure core and an imperative shell; see `ARCHITECTURE.md` for the map.
//!
//! * [`cli`]: the story of each job.
//! * [`report`]: what the user sees. Events as text and as JSON.
//! * [`emit`]: what the user keeps.
//! * [`probe`]: compile once, try thousands of candidates.
//! * [`oracle`]: from a candidate to an outcome. Signatures, libtest output.
//! * [`project`]: cargo's side: workspaces, builds, the scratch copy.
//! * [`disk`]: files written whole or not at all.
//! * [`exec`]: child processes. Limits, groups, deadlines, confinement.
//! * [`api`]: the library in-process: [`minimize`], [`maximize`], [`isolate`], [`dd()`].
//! * [`passes`]: reductions of Rust source, and the schedule that runs them.
//! * [`generalize`]: from a failing text to the pattern and the grammar of its failures.
//! * [`source`]: Rust source as a subject: spans, edits, tests, inputs, literals.
//! * [`grammar`]: grammars, their notations, parsing, generation.
//! * [`reduce`]: the engine. Outcomes, oracles, the problem, delta debugging, inputs.

pub mod api;
pub mod cli;
pub mod disk;
pub mod emit;
pub mod exec;
pub mod generalize;
pub mod grammar;
pub mod oracle;
pub mod passes;
pub mod probe;
pub mod project;
pub mod reduce;
pub mod report;
pub mod source;

pub use api::{
    Fixed, Isolated, dd, isolate, isolate_args, maximize, maximize_args, minimize, minimize_args,
};
pub use reduce::Outcome;
pub use reduce::dd::{DdError, Mode};

/// The examples of the README, run as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct ReadmeExamples;
