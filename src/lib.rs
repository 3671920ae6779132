//! `cargo reduce` takes a failure and hands back the smallest subject that still fails in the same
//! way, with proof.
//!
//! The house has a pure core and an imperative shell; see `ARCHITECTURE.md` for the map.
//!
//! * [`disk`]: files written whole or not at all.
//! * [`exec`]: child processes. Limits, groups, deadlines, confinement.
//! * [`oracle`]: from a candidate to an outcome. Signatures, libtest output.
//! * [`passes`]: reductions of Rust source, and the schedule that runs them.
//! * [`api`]: the library in-process: [`minimize`], [`maximize`], [`isolate`], [`dd()`].
//! * [`grammar`]: grammars, their notations, parsing, generation.
//! * [`probe`]: compile once, choose candidates at run time.
//! * [`reduce`]: the engine. Outcomes, oracles, the problem, delta debugging, inputs.
//! * [`report`]: what the user sees. Events as text and as JSON.
//! * [`source`]: Rust source as a subject: spans, edits, tests, inputs, literals.

pub mod api;
pub mod disk;
pub mod exec;
pub mod grammar;
pub mod oracle;
pub mod passes;
pub mod probe;
pub mod reduce;
pub mod report;
pub mod source;

pub use api::{
    Fixed, Isolated, dd, isolate, isolate_args, maximize, maximize_args, minimize, minimize_args,
};
pub use reduce::Outcome;
pub use reduce::dd::{DdError, Mode};
