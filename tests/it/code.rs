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
