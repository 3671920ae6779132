//! `--code`: the smallest package that still fails in the same way.

use std::fs;
use std::path::PathBuf;

use super::finished::Finished;
use super::project::Project;

/// The text of a file of the package that was left.
fn left(finished: &Finished, file: &str) -> String {
    let summary = finished.summary();
    let folder = PathBuf::from(summary["artifacts"]["package"].as_str().unwrap());
    fs::read_to_string(folder.join(file)).unwrap()
}

/// A text without white space.
fn dense(text: &str) -> String {
    text.split_whitespace().collect()
}

#[test]
fn a_reduction_does_not_slip_to_an_equal_failure() {
    let project = Project::fixture("two-unwraps");
    let finished = project.reduce(["--code", "area"]).run();
    finished.code(0).fails_with("panic", "`None` value");
    assert_eq!(finished.summary()["confirmed"], true, "{finished}");
    // The `unwrap` of `get`, not that of `read`, which fails with the same message.
    let text = left(&finished, "src/lib.rs");
    assert!(!text.contains("split_once"), "{text}");
    assert!(!text.contains("keys_are_trimmed"), "{text}");
    assert!(text.len() < 500, "{text}");
    // Most of it was decided without compiling.
    finished
        .says("Switched ")
        .says(" candidates in one process: ");
    let file = finished.events("file").next().unwrap();
    assert_eq!(file["path"], "src/lib.rs");
    assert_eq!(file["bytes_after"], text.len());
}

#[test]
fn what_an_assertion_compares_stays() {
    let project = Project::fixture("markup");
    let finished = project.reduce(["--code", "quotes_outside"]).run();
    finished.code(0).fails_with("panic", "a quote is open");
    let text = left(&finished, "src/lib.rs");
    assert!(dense(&text).contains("tag||!quote"), "{text}");
    assert!(text.len() < 400, "{text}");
    assert!(
        left(&finished, "report.md").contains("happens"),
        "{finished}"
    );
}

#[test]
fn behaviour_that_another_test_wants_survives() {
    let project = Project::fixture("markup");
    let args = [
        "--code",
        "quotes_outside",
        "--also-pass",
        "tags_are_removed",
    ];
    let finished = project.reduce(args).run();
    finished.code(0);
    let text = left(&finished, "src/lib.rs");
    let text = dense(&text);
    assert!(text.contains("tag||!quote"), "{text}");
    // The test that has to pass is as it was, and so is what it needs.
    let kept = "assert_eq!(remove_markup(\"a<b>c</b>\"),\"ac\")";
    assert!(text.contains(kept), "{text}");
    assert!(text.contains("push("), "{text}");
}

#[test]
fn a_test_that_does_not_pass_cannot_be_kept_passing() {
    let project = Project::fixture("markup");
    let args = ["--code", "quotes_outside", "--also-pass", "no_such_test"];
    let finished = project.reduce(args).run();
    finished.code(1);
    assert!(
        finished
            .stderr
            .contains("no test that matches `no_such_test` passes"),
        "{finished}"
    );
}

#[test]
fn libraries_become_modules_of_one_file() {
    let project = Project::fixture("path-dep").package("app");
    let finished = project.reduce(["--code", "--diff-from-original"]).run();
    finished.code(0);
    let file = finished.events("file").next().unwrap();
    let path = file["path"].as_str().unwrap();
    assert_eq!(finished.events("file").count(), 1, "{finished}");
    let text = left(&finished, path);
    assert!(!text.contains("fn main"), "{text}");
    let diff = finished.events("source-diff").next().unwrap();
    assert!(
        diff["text"].as_str().unwrap().starts_with("--- a/"),
        "{finished}"
    );
    assert!(
        !left(&finished, "Cargo.toml").contains("path ="),
        "{finished}"
    );
}

#[test]
fn the_passes_are_listed() {
    let finished = Project::empty()
        .reduce(["--list-passes"])
        .for_people()
        .run();
    finished.code(0);
    assert!(finished.stdout.contains("statements: "), "{finished}");
    assert!(finished.stdout.contains(" -> "), "{finished}");
}

#[test]
fn the_literals_that_are_left_are_minimal() {
    let project = Project::fixture("squares");
    let finished = project.reduce(["--code", "squares_are_compared"]).run();
    finished
        .code(0)
        .fails_with("panic", "multiply with overflow");
    assert_eq!(finished.summary()["confirmed"], true, "{finished}");
    // The smallest number whose square is too large.
    let text = left(&finished, "src/lib.rs");
    assert!(text.contains("46341"), "{text}");
}
