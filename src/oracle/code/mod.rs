//! Candidates of a source: compiled by rustc itself with the command line that cargo would use, and
//! run.
//!
//! * [`compile`]: what a compilation gives, and who can do it;
//! * [`crates`]: the crates of a subject and how each is called;
//! * [`lane`]: a folder in which one candidate at a time is compiled;
//! * [`pace`]: when it pays that rustc keeps what it found out;
//! * [`compiler`]: all lanes together;
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

mod alike;
mod along;
mod bodies;
mod checker;
mod compile;
mod compiler;
mod crates;
mod joined;
mod lane;
mod missing;
mod oracle;
mod other;
mod pace;
mod place;
mod test_name;
mod together;

pub use along::passing;
pub use checker::{Checker, TellValues};
pub use compile::{Compile, Compiled, Depth};
pub use compiler::Compiler;
pub use crates::{Crates, Shortcuts, SubjectCrate, use_library};
pub use lane::LaneCounts;
pub use oracle::{CodeOracle, TestRun};
pub use other::OtherBuild;
pub use place::Place;
pub use test_name::TestName;
pub use together::Together;
