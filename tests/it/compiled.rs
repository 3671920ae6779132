//! Tests that compile files: the file that is not what its test asks for is reduced.

use std::fs;

use super::finished::Finished;
use super::project::Project;
use super::texts::{holds, lacks};

fn reduced(test: &str) -> Finished {
    Project::fixture("compiled").reduce([test]).run()
}

/// What is left of the file, all blanks collapsed.
fn left(finished: &Finished) -> String {
    finished.code(0).confirmed();
    let file = finished.events("file").next().unwrap();
    let text = fs::read_to_string(file["path"].as_str().unwrap()).unwrap();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
#[ignore = "takes long: `just slow`"]
fn a_file_that_should_be_refused_keeps_what_the_expected_message_points_at() {
    let finished = reduced("wrong_programs_are_refused");
    let left = left(&finished);
    holds(&left, ["let all = room.longest() + shelf;"]);
    lacks(&left, ["println", "name"]);
    // The expected message quotes both.
    holds(&left, ["Metres", "Feet"]);
    let doubt = finished.summary()["doubt"].as_str().unwrap().to_owned();
    assert!(
        doubt.contains("`cargo test -p units --test ui wrong_programs_are_refused`"),
        "{doubt}"
    );
}

#[test]
#[ignore = "takes long: `just slow`"]
fn a_file_that_should_compile_keeps_its_error() {
    let finished = reduced("right_programs_are_accepted");
    let left = left(&finished);
    holds(&left, ["sum()"]);
    assert!(!left.contains("walls") && !left.contains("is_cut"), "{left}");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn a_file_that_should_run_keeps_its_panic() {
    let left = left(&reduced("right_programs_run"));
    holds(&left, ["the unit is missing"]);
    lacks(&left, ["for length"]);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn a_file_that_is_refused_otherwise_keeps_how() {
    let left = left(&reduced("errors_are_explained"));
    holds(&left, [" * Feet("]);
    lacks(&left, ["println"]);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn a_file_for_which_nothing_is_written_down_keeps_how_it_is_refused() {
    let project = Project::fixture("compiled");
    fs::remove_file(project.root().join("tests/other/product.stderr")).unwrap();
    let finished = project.reduce(["errors_are_explained"]).run();
    let left = left(&finished);
    holds(&left, [" * Feet("]);
    lacks(&left, ["println"]);
    let doubt = finished.summary()["doubt"].as_str().unwrap().to_owned();
    assert!(doubt.contains("nobody has said yet"), "{doubt}");
}

#[test]
fn where_nothing_says_what_is_wrong_a_command_is_shown() {
    let project = Project::fixture("compiled");
    fs::remove_file(project.root().join("tests/refused/mixed.stderr")).unwrap();
    let finished = project.reduce(["wrong_programs_are_refused"]).run();
    let hints = ["in a file `.stderr` beside it", "cargo reduce --oracle 'rustc --edition 2021"];
    finished.error("not-reproduced", "nothing says for which of its lines", hints);
    // The command does what is said of it.
    let hint = finished.stderr.lines().find(|line| line.contains("--oracle")).unwrap();
    let words = shell_words::split(hint.split_once("cargo reduce ").unwrap().1).unwrap();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let finished = project.reduce_with(&words).run();
    assert_eq!(left(&finished), "fn main() {}");
}
