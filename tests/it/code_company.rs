//! `--code`: what the result has besides its sources.

use std::fs;
use std::path::Path;

use super::finished::Finished;
use super::project::Project;
use super::texts::{holds, lacks};

/// The names of all files below a folder, but for what was built there.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    let mut names: Vec<String> = entries
        .filter(|entry| entry.file_name() != "target")
        .flat_map(|entry| {
            if entry.file_type().unwrap().is_dir() {
                names(&entry.path())
            } else {
                vec![entry.file_name().into_string().unwrap()]
            }
        })
        .collect();
    names.sort();
    names
}

/// What plain `cargo test` says of the whole package that was left.
fn plain(finished: &Finished) -> String {
    let output = finished.plain_test();
    assert_eq!(output.status.code(), Some(101));
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn build_scripts_macros_and_data_come_along() {
    let project = Project::fixture("company");
    let finished = project.code(["--max-candidates", "1", "all_in_the_basket"]).run();
    finished.code(0).fails_with("panic", "no such word").confirmed();
    let said = plain(&finished);
    holds(&said, ["no such word: quince"]);
    lacks(&said, ["warning"]);
}

#[test]
fn a_lint_that_is_denied_does_not_keep_the_result_from_building() {
    let finished = Project::fixture("company").code(["stones_are_counted"]).run();
    finished.code(0).fails_with("panic", "subtract with overflow");
    let said = plain(&finished);
    holds(&said, ["subtract with overflow"]);
    lacks(&said, ["warning"]);
}

#[test]
fn a_test_that_runs_a_program_is_not_reduced() {
    let finished = Project::fixture("company").code(["the_program_knows"]).run();
    finished.code(1);
    let told = "runs the program `company` as another process";
    assert!(finished.stderr.contains(told), "{finished}");
}

#[test]
fn a_foreign_package_of_an_earlier_edition_becomes_a_module() {
    let project = Project::fixture("vendored");
    let finished = project
        .code(["--reduce-package", "counting", "unknown_words"])
        .args(["--max-candidates", "1"])
        .run();
    finished.code(0).fails_with("panic", "subtract with overflow").confirmed();
    // Its lints are denied only after it was adopted, so it was built again.
    assert_eq!(finished.events("file").count(), 1, "{finished}");
    // Where its macros look for the file that it includes.
    let result = finished.package();
    assert!(result.join("src/words.txt").exists(), "{finished}");
    let expected =
        ["Cargo.lock", "Cargo.toml", "report.html", "report.md", "words.rs", "words.txt"];
    assert_eq!(names(&result), expected);
    let manifest = fs::read_to_string(result.join("Cargo.toml")).unwrap();
    holds(&manifest, ["edition = \"2018\"", "spoken-derive"]);
    assert!(plain(&finished).contains("subtract with overflow"));
}

#[test]
fn an_optional_dependency_that_nobody_asks_for_stays_out() {
    let project = Project::fixture("vendored");
    let finished = project
        .code(["--reduce-package", "counting", "unknown_words"])
        .args(["--max-candidates", "0"])
        .run();
    finished.code(0);
    let result = finished.package();
    let text = fs::read_to_string(result.join("tests/words.rs")).unwrap();
    let manifest = fs::read_to_string(result.join("Cargo.toml")).unwrap();
    holds(&text, ["shouting::shout"]);
    lacks(&manifest, ["shouting"]);
}

#[test]
fn a_foreign_package_with_its_layout_leaves_what_only_its_registry_needs() {
    let project = Project::fixture("vendored");
    let finished = project
        .code(["--reduce-package", "counting", "--keep-layout", "unknown_words"])
        .args(["--max-candidates", "1"])
        .run();
    finished.code(0);
    let result = finished.package();
    let expected = [
        "Cargo.lock",
        "Cargo.toml",
        "Cargo.toml",
        "lib.rs",
        "lib.rs",
        "macros.rs",
        "report.html",
        "report.md",
        "words.rs",
        "words.txt",
    ];
    assert_eq!(names(&result), expected);
    let manifest = result.join("cargo-reduce-adopted/counting-1.0.0/Cargo.toml");
    let manifest = fs::read_to_string(manifest).unwrap();
    assert!(!manifest.contains("missing_docs") && !manifest.contains("license"), "{manifest}");
}
