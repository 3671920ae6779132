//! Candidates of a source: compiled by rustc itself with the command line that cargo would use, and
//! run.
//!
//! * [`compile`]: what a compilation gives, and who can do it;
//! * [`crates`]: the crates of a subject and how each is called;
//! * [`compile_dir`]: a folder in which one candidate at a time is compiled;
//! * [`pace`]: when it pays that rustc keeps what it found out;
//! * [`compiler`]: all compile folders together;
//! * [`checker`]: what the compiler says against a candidate;
//! * [`missing`]: what an error says is not there any more;
//! * [`along`]: tests that have to pass along;
//! * [`joined`]: candidates as modules of one crate;
//! * [`bodies`]: candidates that differ only inside of functions, in one compilation;
//! * [`alike`]: which of them are compiled together;
//! * [`together`]: several candidates in one compilation;
//! * [`place`]: whether a failure stands at its original place;
//! * [`other`]: the build with another version of a package;
//! * [`test_name`]: what the test is called in a candidate;
//! * [`oracle`]: from a candidate to an outcome.

mod bodies;
mod body_variants;
mod checker;
mod code_matcher;
mod companion_tests;
mod compile;
mod compile_dir;
mod compiler;
mod crates;
mod joined;
mod missing;
mod oracle;
mod other;
mod pace;
mod test_name;
mod together;

pub use checker::{Checker, TellValues};
pub use code_matcher::CodeMatcher;
pub use companion_tests::passing;
pub use compile::{Compile, Compiled, Depth};
pub use compile_dir::CompileCounts;
pub use compiler::Compiler;
pub use crates::{Crates, Shortcuts, SubjectCrate, use_library};
pub use oracle::{CodeOracle, TestRun};
pub use other::OtherBuild;
pub use test_name::TestName;
pub use together::Together;
