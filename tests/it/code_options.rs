//! `--code`: options that say how the search goes.

use std::fs;
use std::time::{Duration, Instant};

use super::finished::Finished;
use super::project::Project;
use super::texts::{holds, lacks};

/// The one source that was left.
fn left(finished: &Finished) -> String {
    finished.confirmed();
    let file = finished.events("file").next().unwrap();
    assert_eq!(finished.events("file").count(), 1, "{finished}");
    finished.left(file["path"].as_str().unwrap())
}

#[test]
fn a_search_that_is_out_of_time_ends_with_a_confirmed_result() {
    let project = Project::fixture("release-notes");
    let args = ["--code", "--contrast=none", "keeps_every_version", "--max-time", "0.5"];
    let started = Instant::now();
    let finished = project.reduce(args).run();
    finished.code(0).fails_with("panic", "when slicing").confirmed();
    finished.says("the search stopped at its limit");
    let report = finished.summary()["artifacts"]["report"].clone();
    let report = fs::read_to_string(report.as_str().unwrap()).unwrap();
    holds(&report, ["was cut short", "Not tried, so"]);
    // Without the limit it takes a minute.
    assert!(started.elapsed() < Duration::from_secs(40), "{finished}");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn switches_can_be_searched_in_a_process_each() {
    let finished = Project::fixture("two-unwraps").code(["area", "--tier", "process"]).run();
    finished.code(0).fails_with("panic", "`None` value");
    finished.says(" candidates, each in its own process");
    assert!(!left(&finished).contains("split_once"), "{finished}");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn without_switches_every_candidate_is_compiled() {
    let finished = Project::fixture("two-unwraps").code(["area", "--tier", "rebuild"]).run();
    finished.code(0).fails_with("panic", "`None` value");
    assert!(!finished.stderr.contains("Removing code at "), "{finished}");
    assert!(!left(&finished).contains("split_once"), "{finished}");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn macros_and_included_files_are_cut_down() {
    let finished = Project::fixture("hidden").reduce(["--code", "--contrast=none"]).run();
    finished.code(0).fails_with("panic", "divide by zero");
    let text = left(&finished);
    for gone in ["include!", "remainder", "subtract", "mod "] {
        assert!(!text.contains(gone), "{text}");
    }
    // The test has left its module, and its new name is told.
    finished.says(" values_are_told -- --exact");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn with_its_layout_a_test_keeps_its_name() {
    let finished =
        Project::fixture("squares").code(["--keep-layout", "--max-candidates", "40"]).run();
    finished.code(0).fails_with("panic", "overflow");
    assert!(left(&finished).contains("mod tests"), "{finished}");
    finished.says(" tests::squares_are_compared -- --exact");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn the_code_of_a_flaky_test_is_run_several_times() {
    let project = Project::fixture("flaky");
    let args = ["--code", "--contrast=none", "finds_room", "--runs", "30"];
    // Each candidate is up to thirty runs: what comes first shows that they are counted together.
    let finished = project.reduce(args).args(["--max-candidates", "60"]).run();
    finished.code(0).fails_with("panic", "the table is full");
    assert!(!left(&finished).contains("barbara"), "{finished}");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn macros_can_be_expanded_first() {
    let finished = Project::fixture("hidden").code(["--expand"]).run();
    finished.code(0).fails_with("panic", "divide by zero");
    let text = left(&finished);
    lacks(&text, ["macro_rules"]);
    assert!(text.len() < 200, "{text}");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn of_what_a_macro_makes_for_several_types_only_what_is_needed_stays() {
    let project = Project::of_library(
        r"
        mod measures;
        pub use measures::*;
        #[cfg(test)]
        mod tests {
            use super::*;
            #[test]
            fn parts_are_no_more_than_the_whole() {
                for count in [1, 2, 0] {
                    assert!(Metre::of(7).parts(count) <= 7);
                }
            }
        }
        ",
    );
    let measures = r"
        macro_rules! measures {
            ($($name:ident: $number:ty),*) => { $(
                #[derive(Clone, Copy, Debug)]
                pub struct $name($number);
                impl $name {
                    pub fn of(number: $number) -> Self { $name(number) }
                    pub fn parts(self, count: $number) -> $number { self.0 / count }
                    pub fn doubled(self) -> $number { self.0 * 2 }
                }
            )* };
        }
        measures!(Metre: u8, Second: u16, Gram: u32);
    ";
    fs::write(project.root().join("src/measures.rs"), measures).unwrap();
    let finished = project.reduce(["--code", "parts_are_no_more_than_the_whole"]).run();
    finished.code(0).fails_with("panic", "divide by zero");
    let text = left(&finished);
    holds(&text, ["/ count", "Metre"]);
    lacks(&text, ["macro_rules", "Second", "Gram", "doubled"]);
}

#[test]
fn it_is_told_that_there_is_nothing_to_expand() {
    let project = Project::fixture("squares");
    let finished =
        project.code(["squares_are_compared", "--expand"]).args(["--max-candidates", "1"]).run();
    finished.code(0).says("nothing to expand");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn a_failure_in_the_standard_library_stays_where_it_comes_from() {
    let project = Project::fixture("outside");
    let finished = project.code(["jobs_are_taken"]).run();
    finished.code(0).fails_with("panic", "out of range");
    assert!(left(&finished).contains(".drain("), "{finished}");
    let finished = project.code(["jobs_are_added_up"]).run();
    finished.code(0).fails_with("panic", "add with overflow");
    assert!(left(&finished).contains(".sum()"), "{finished}");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn a_failure_for_the_caller_stays_at_the_call() {
    let finished = Project::fixture("outside").code(["jobs_have_costs"]).run();
    finished.code(0).fails_with("panic", "there is no job");
    let text = left(&finished);
    holds(&text, ["track_caller"]);
    assert_eq!(text.matches("cost(").count(), 2, "{text}");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn the_files_stay_apart_where_one_file_is_of_no_use() {
    let finished = Project::fixture("workspace").code(["in_its_folder"]).run();
    finished.code(0).fails_with("panic", "left: Some(\"app\")");
    finished.says("the files stay separate");
    finished.confirmed();
}
