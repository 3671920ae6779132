//! Builds in which one test runs with several inputs: the library that hands them out.

use std::fmt::Write;

/// The name of the library.
pub const LIBRARY: &str = "cargo_reduce_runs";

/// The environment variable that asks which of the runs pass.
pub const ASKED: &str = "CARGO_REDUCE_ASK_RUNS";

const RUNTIME: &str = include_str!("runtime/runs.rs");

/// The runs that pass, as a process has printed them that was asked for them.
///
/// ```
/// use cargo_reduce::probe::runs::passing;
///
/// assert_eq!(passing("cargo-reduce-run 1 true\nx\ncargo-reduce-run 2 false\n"), [1]);
/// ```
#[must_use]
pub fn passing(printed: &str) -> Vec<usize> {
    { printed.lines() }
        .filter_map(|line| {
            line.strip_prefix("cargo-reduce-run ")?
                .strip_suffix(" true")
        })
        .filter_map(|run| run.parse().ok())
        .collect()
}

/// The source of the library for these inputs: for each of them what it is in each run, as Rust source.
///
/// ```
/// use cargo_reduce::probe::runs::library;
///
/// let text = library(&[vec!["\"a\"".to_owned(), "\"\"".to_owned(), "\"a\"".to_owned()]]);
/// assert!(text.ends_with(
///     "#[macro_export] macro_rules! input_0 { () => { match $crate::run() { 1 => \"\", _ => \"a\", } } }\n"
/// ));
/// ```
#[must_use]
pub fn library(inputs: &[Vec<String>]) -> String {
    let mut text = RUNTIME.to_owned();
    for (input, values) in inputs.iter().enumerate() {
        let Some(failing) = values.first() else {
            continue;
        };
        let _ = write!(
            text,
            "#[macro_export] macro_rules! input_{input} {{ () => {{ match $crate::run() {{ "
        );
        for (run, value) in values.iter().enumerate() {
            if value != failing {
                let _ = write!(text, "{run} => {value}, ");
            }
        }
        let _ = writeln!(text, "_ => {failing}, }} }} }}");
    }
    text
}
