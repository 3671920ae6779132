//! The real binary, run on copies of the projects in `fixtures/`.
//!
//! Every run checks that the user's files are byte for byte what they were before.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(clippy::missing_panics_doc, reason = "helpers of tests panic when an expectation fails")]

mod boundary;
mod choices;
mod ci;
mod code;
mod code_bugs;
mod code_company;
mod code_contrast;
mod code_options;
mod compiled;
#[path = "../fixtures/copy.rs"]
mod copy;
mod debugger;
mod derived;
mod docs;
mod errors;
mod finished;
mod fixed_point;
mod generalize;
mod hostile;
mod ice;
mod ice_package;
mod inputs;
mod kept;
mod kills;
mod leftovers;
mod opened;
mod output;
mod passes_with;
mod places;
mod project;
mod sandbox;
mod script;
mod signatures;
mod snapshots;
mod texts;
mod usage;
mod ways;
mod world;
