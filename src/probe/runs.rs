//! Builds in which one test runs with several inputs: the library that hands them out.

use std::collections::BTreeSet;
use std::fmt::Write;

/// The name of the library.
pub const LIBRARY: &str = "cargo_reduce_runs";

/// The environment variable that asks which of the runs pass.
pub const ASKED: &str = "__CARGO_REDUCE_ASK_RUNS";

/// The environment variable that says which run it is, where the test is run alone.
pub const CHOSEN: &str = "__CARGO_REDUCE_RUN";

/// The environment variable that leaves out all runs that have to fail.
pub const ONLY_PASSING: &str = "__CARGO_REDUCE_ONLY_PASSING";

/// The lines between which runs have to pass before one ends the process.
const PASSING_BEGINS: &str = "cargo-reduce-passing-begins";
const PASSING_ENDS: &str = "cargo-reduce-passing-ends";

/// Whether a process that has ended itself did so in a run that had to pass, by what it has printed.
pub fn ends_before_failing(printed: &str) -> bool {
    let has = |line: &str| printed.lines().any(|it| it == line);
    has(PASSING_BEGINS) && !has(PASSING_ENDS)
}

const RUNTIME: &str = concat!(
    include_str!("runtime/runs.rs"),
    "\nmod report {\n",
    include_str!("runtime/report.rs"),
    "}\n",
);

/// The environment variable that asks a test which marks it comes to.
pub const TRAIL: &str = "__CARGO_REDUCE_TRAIL";

/// The marks to which a test has come.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trail {
    /// The number of the innermost one around the place of the failure.
    pub level: Option<usize>,
    /// The functions, by number.
    pub entered: BTreeSet<usize>,
    /// How often it has come to one of them, as far as that is known.
    pub entries: Option<usize>,
}

impl Trail {
    /// What a test has printed that was asked for it.
    pub fn read(printed: &str) -> Self {
        let mut trail = Trail::default();
        for line in printed.lines() {
            if let Some(level) = line.strip_prefix("cargo-reduce-reached ") {
                let level = level.parse().ok();
                trail.level = trail.level.into_iter().chain(level).min();
            } else if let Some(function) = line.strip_prefix("cargo-reduce-entered ") {
                trail.entered.extend(function.parse::<usize>());
            } else if let Some(entries) = line.strip_prefix("cargo-reduce-entries ") {
                trail.entries = entries.parse().ok();
            }
        }
        trail
    }
}

/// A run that passes, as it has to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndedRun {
    /// Its number.
    pub run: usize,
    /// The number of the innermost mark to which it has come, if it has come to one.
    pub level: Option<usize>,
}

/// A run that fails, as it has to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FailedRun {
    /// Its number.
    pub run: usize,
    /// What stands for its message.
    pub message: usize,
}

/// The runs that end as they have to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EndedRuns {
    /// Those that have to pass.
    pub passing: Vec<EndedRun>,
    /// Those that have to fail.
    pub failing: Vec<FailedRun>,
}

impl EndedRuns {
    /// As a process has printed them that was asked for them.
    pub fn read(printed: &str) -> Self {
        let passing = printed.lines().filter_map(|line| {
            let mut words = line.strip_prefix("cargo-reduce-run ")?.split(' ');
            let run = words.next()?.parse().ok()?;
            (words.next() == Some("true")).then_some(())?;
            let level = words.next()?.parse().ok();
            Some(EndedRun { run, level: level.filter(|level| *level != usize::MAX) })
        });
        let failing = printed.lines().filter_map(|line| {
            let (run, message) = line.strip_prefix("cargo-reduce-fails ")?.split_once(' ')?;
            Some(FailedRun { run: run.parse().ok()?, message: message.parse().ok()? })
        });
        EndedRuns { passing: passing.collect(), failing: failing.collect() }
    }
}

/// The source of the library for these inputs: for each of them what it is in each run, as Rust source.
pub fn library(inputs: &[Vec<String>]) -> String {
    let mut text = RUNTIME.to_owned();
    for (input, values) in inputs.iter().enumerate() {
        let values = of_one_type(values);
        let Some(failing) = values.first() else { continue };
        let _ = write!(
            text,
            "#[macro_export] macro_rules! input_{input} {{ () => {{ match ::{LIBRARY}::run() {{ "
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

/// The same values: slices and bytes of different lengths have one type, references to arrays have not.
pub fn of_one_type(values: &[String]) -> Vec<String> {
    let all_begin = |starts: &[&str]| {
        values.iter().all(|value| starts.iter().any(|start| value.starts_with(start)))
    };
    let (before, behind) = if all_begin(&["&["]) {
        ("", "[..]")
    } else if all_begin(&["b\"", "br\"", "br#"]) && !are_as_long(values) {
        ("&", "[..]")
    } else {
        ("", "")
    };
    values.iter().map(|value| format!("{before}{value}{behind}")).collect()
}

/// Whether byte strings are of one length.
fn are_as_long(values: &[String]) -> bool {
    let mut lengths = values.iter().map(|value| length(value));
    let first = lengths.next();
    lengths.all(|length| Some(length) == first)
}

/// The number of bytes in a byte string, quotes included; a raw one has them as they are.
fn length(literal: &str) -> usize {
    if let Some(raw) = literal.strip_prefix("br") {
        return raw.trim_matches('#').len();
    }
    let mut count = 0;
    let mut rest = literal.strip_prefix('b').unwrap_or(literal).chars();
    while let Some(next) = rest.next() {
        count += 1;
        if next == '\\' && rest.next() == Some('x') {
            rest.nth(1);
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn byte_strings_of_different_lengths_have_one_type() {
        let values = ["b\"a\"", "b\"\\x1b\""].map(str::to_owned);
        assert_eq!(of_one_type(&values), values);
        assert!(are_as_long(&["b\"\\n\\\\\"", "br#\"ab\"#", "b\"\\\"\\x41\""].map(str::to_owned)));
        let values = ["b\"a\"", "br\"\""].map(str::to_owned);
        assert_eq!(of_one_type(&values), ["&b\"a\"[..]", "&br\"\"[..]"]);
    }

    #[test]
    fn the_library_knows_what_differs_from_the_failing_run() {
        let values = ["\"a\"", "\"\"", "\"a\""].map(str::to_owned);
        assert!(library(&[values.to_vec()]).ends_with(
            "#[macro_export] macro_rules! input_0 { () => { match ::cargo_reduce_runs::run() { 1 => \"\", _ => \"a\", } } }\n"
        ));
    }

    #[test]
    fn a_trail_has_the_innermost_mark_and_all_functions() {
        let printed = "cargo-reduce-entered 4\nx\ncargo-reduce-reached 2\ncargo-reduce-reached 1\n";
        let trail = Trail::read(printed);
        assert_eq!((trail.level, trail.entered.len()), (Some(1), 1));
        assert_eq!(Trail::read(""), Trail::default());
    }

    #[test]
    fn lines_say_which_runs_end_as_they_have_to() {
        let nowhere = usize::MAX;
        let printed = format!(
            "cargo-reduce-run 1 true 2\nx\ncargo-reduce-run 2 false 0\ncargo-reduce-run 3 true {nowhere}\n\
             cargo-reduce-fails 4 77\n"
        );
        let EndedRuns { passing, failing } = EndedRuns::read(&printed);
        let levels: Vec<_> = passing.iter().map(|ended| (ended.run, ended.level)).collect();
        assert_eq!(levels, [(1, Some(2)), (3, None)]);
        assert_eq!(failing, [FailedRun { run: 4, message: 77 }]);
    }
}
