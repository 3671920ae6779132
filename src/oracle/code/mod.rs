//! Candidates of a source, compiled and run.
//!
//! * [`companion_tests`]: tests that have to pass along;
//! * [`bodies`]: candidates that differ only inside of functions, in one compilation;
//! * [`body_variants`]: which of them are compiled together;
//! * [`together`]: several candidates in one compilation;
//! * [`code_matcher`]: whether a failure stands at its original place;
//! * [`fixed_parts`]: what candidates have to keep as it was written;
//! * [`other`]: the build with another version of a package;
//! * [`test_name`]: what the test is called in a candidate;
//! * [`test_run`]: one run of the test in a binary;
//! * [`oracle`]: from a candidate to an outcome.

mod bodies;
mod body_variants;
mod code_matcher;
mod companion_tests;
mod fixed_parts;
mod oracle;
mod other;
mod test_name;
mod test_run;
mod together;

pub use code_matcher::CodeMatcher;
pub use companion_tests::passing;
pub use fixed_parts::FixedParts;
pub use oracle::{CodeOracle, Detail, Observed};
pub use other::OtherBuild;
pub use test_name::TestName;
pub use test_run::TestRun;
pub use together::Together;

#[cfg(test)]
pub(super) mod tests;
