//! `cargo reduce` takes a failure and hands back the smallest subject that still fails in the same
//! way, with proof. This is its library, for those who have a closure to call and no cargo.
//!
//! | one argument | several | what comes back |
//! |---|---|---|
//! | [`minimize`] | [`minimize_args`] | the smallest argument that still panics with the same message |
//! | [`maximize`] | [`maximize_args`] | the largest part of the argument that does not panic |
//! | [`isolate`] | [`isolate_args`] | both at once, and the small difference between them |
//! | [`dd()`] | | any of these, by a closure that answers with an [`Outcome`] |
//! | [`reduce_source`] | | the smallest Rust source, by such a closure, too |
//!
//! A call *fails* if it panics with the message of the first call, which is made on the unchanged
//! arguments; it *passes* if it returns, whatever it returns; every other panic is unresolved, so that
//! the search cannot slip into another failure. Panics are caught, so the program must be built to
//! unwind (`panic = "abort"` ends it at the first call), and nothing is printed for them; what other
//! threads print when they panic is not touched. The closure should do the same on every call.
//!
//! ```
//! // The smallest list that is not sorted, of those that are part of this one.
//! let smallest = cargo_reduce::minimize(&[3, 1, 4, 1, 5, 9], |list: &[i32]| assert!(list.is_sorted()))?;
//! assert_eq!(smallest, [3, 1]);
//! # Ok::<(), cargo_reduce::DdError>(())
//! ```
//!
//! All else is private to the binary, which is [`cli::main`]; `ARCHITECTURE.md` has the map of it.

mod api;
mod app;
pub mod cli;
mod compile;
mod disk;
mod emit;
mod exec;
mod generalize;
mod grammar;
mod jobs;
mod oracle;
mod passes;
mod probe;
mod project;
mod reduce;
mod report;
mod rust;
mod schedule;
mod source;

pub use api::{
    Args, Argument, Fixed, Isolated, Sequence, dd, isolate, isolate_args, maximize, maximize_args,
    minimize, minimize_args, reduce_source,
};
pub use reduce::dd::{DdError, Kept, Mode};
pub use reduce::{Outcome, Stop};

/// What the benches measure of the inside.
#[cfg(feature = "bench")]
#[doc(hidden)]
pub mod internals {
    pub use crate::compile::{Checker, CompileCounts, Compiler, Crates, Shortcuts, SubjectCrate};
    pub use crate::exec::{Access, Interrupt, Job, Limits, Mode, Policy, Sandbox, run_tool};
    pub use crate::generalize::{Options, ddset};
    pub use crate::grammar::{Parser, builtin};
    pub use crate::oracle::code::{CodeMatcher, CodeOracle, TestName, TestRun, Together};
    pub use crate::oracle::failure_matcher::InputMatcher;
    pub use crate::oracle::in_process::InProcessOracle;
    pub use crate::oracle::libtest::Verdict;
    pub use crate::oracle::pool::Pool;
    pub use crate::oracle::probed_test::ProbedTest;
    pub use crate::oracle::runner::TestRunner;
    pub use crate::oracle::scratch_restorer::ScratchRestorer;
    pub use crate::oracle::signature::{FailureKind, Location, Match, Signature};
    pub use crate::oracle::switches::{
        SwitchJob, SwitchMode, Switched, TakenBack, Values, build_switches, switch,
    };
    pub use crate::passes::all as all_passes;
    pub use crate::probe::RUNTIME;
    pub use crate::probe::wire::Wire;
    pub use crate::project::{
        CargoOptions, CargoTest, CrateKind, Invocation, TargetChoice, TargetKind, TestBinary,
    };
    pub use crate::reduce::inputs::{Body, Inputs, Node, NodeId, Value};
    pub use crate::reduce::{Memory, Oracle, Problem};
    pub use crate::rust::{
        CrateRoot, Sameness, SourceFile, Sources, StandIn, Tree, flatten, make_edits,
    };
    pub use crate::schedule::{Settings, reduce_checked};
}

/// The examples of the guide, run as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/src/library.md")]
pub struct GuideExamples;
