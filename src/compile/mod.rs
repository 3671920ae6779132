//! The compiler as a tool: candidates of a source are compiled by rustc itself with the command line that cargo would
//! use.
//!
//! * [`compiled`]: what a compilation gives;
//! * [`crates`]: the crates of a subject and how each is called;
//! * [`compile_dir`]: a folder in which one candidate at a time is compiled;
//! * [`pace`]: when it pays that rustc keeps what it found out;
//! * [`compiler`]: all compile folders together;
//! * [`checker`]: what the compiler says against a candidate;
//! * [`missing`]: what an error says is not there any more;
//! * [`joined`]: candidates as modules of one crate.

mod checker;
mod compile_dir;
mod compiled;
mod compiler;
mod crates;
pub mod joined;
mod libraries;
mod missing;
mod pace;

pub use checker::{Checker, TellValues, ignored_values};
pub use compile_dir::{CompileCounts, IncrementalCache};
pub use compiled::{Compiled, Depth};
pub use compiler::Compiler;
pub use crates::{Crates, Shortcuts, SubjectCrate, use_library};
pub use libraries::Libraries;
pub use pace::Pace;
