//! Oracles: from a candidate to an outcome.
//!
//! * [`signature`]: what identifies "the same failure";
//! * [`libtest`], [`runner`]: what one run of a test says, and how one test is run;
//! * [`baseline`], [`failure_matcher`]: the failure we started from, and whether a run shows it again;
//! * [`in_process`], [`lanes`], [`process`]: the tiers of the probe build;
//! * [`flaky`], [`repeated`]: how often to run what fails only sometimes;
//! * [`scratch_restorer`]: candidates that destroy what they run in;
//! * [`code`]: candidates of a source, compiled by rustc;
//! * [`ice`]: crashes of the compiler;
//! * [`switches`]: places of a source that are switched off at run time;
//! * [`pool`], [`pooled`]: candidates run side by side;
//! * [`script`]: a command of the user;
//! * [`store`], [`stored`]: outcomes that need not be asked for again.

pub mod baseline;
pub mod code;
pub mod doubt;
pub mod failure_matcher;
pub mod flaky;
pub mod ice;
pub mod in_process;
pub mod lanes;
pub mod libtest;
pub mod passes_with;
pub mod pool;
pub mod pooled;
pub mod probed_test;
pub mod process;
pub mod repeated;
pub mod runner;
pub mod scratch_restorer;
pub mod script;
pub mod signature;
pub mod store;
pub mod stored;
pub mod switches;
