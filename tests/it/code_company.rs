//! `--code`: what the result has besides its sources.

use std::path::PathBuf;
use std::process::Command;

use super::finished::Finished;
use super::project::Project;

/// What plain `cargo test` says of the whole package that was left.
fn plain(finished: &Finished) -> String {
    let summary = finished.summary();
    let folder = PathBuf::from(summary["artifacts"]["package"].as_str().unwrap());
    let output = Command::new(env!("CARGO"))
        .args(["test", "--offline", "--no-fail-fast"])
        .current_dir(&folder)
        .env("CARGO_TARGET_DIR", folder.join("target/plain"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(101));
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn build_scripts_macros_and_data_come_along() {
    let project = Project::fixture("company");
    let args = ["--code", "--max-candidates", "1", "all_in_the_basket"];
    let finished = project.reduce(args).run();
    finished.code(0).fails_with("panic", "no such word");
    assert_eq!(finished.summary()["confirmed"], true, "{finished}");
    let said = plain(&finished);
    assert!(said.contains("no such word: quince"), "{said}");
    assert!(!said.contains("warning"), "{said}");
}

#[test]
fn a_lint_that_is_denied_does_not_keep_the_result_from_building() {
    let project = Project::fixture("company");
    let finished = project.reduce(["--code", "stones_are_counted"]).run();
    finished
        .code(0)
        .fails_with("panic", "subtract with overflow");
    let said = plain(&finished);
    assert!(said.contains("subtract with overflow"), "{said}");
    assert!(!said.contains("warning"), "{said}");
}

#[test]
fn a_test_that_runs_a_program_is_not_reduced() {
    let project = Project::fixture("company");
    let finished = project.reduce(["--code", "the_program_knows"]).run();
    finished.code(1);
    let told = "runs the program `company` in a process of its own";
    assert!(finished.stderr.contains(told), "{finished}");
}
