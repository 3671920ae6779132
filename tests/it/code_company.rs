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
#[ignore = "takes long: `just slow`"]
fn build_scripts_macros_and_data_come_along() {
    let project = Project::fixture("company");
    let finished = project.code(["--max-candidates", "1", "all_in_the_basket"]).run();
    finished.code(0).fails_with("panic", "no such word").confirmed();
    let said = plain(&finished);
    holds(&said, ["no such word: quince"]);
    lacks(&said, ["warning"]);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn a_lint_that_is_denied_does_not_keep_the_result_from_building() {
    let finished =
        Project::fixture("company").code(["stones_are_counted", "--max-candidates", "60"]).run();
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
#[ignore = "takes long: `just slow`"]
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
        "Cargo.lock", "Cargo.toml", "Cargo.toml", "lib.rs", "lib.rs", "macros.rs", "report.html",
        "report.md", "words.rs", "words.txt",
    ];
    assert_eq!(names(&result), expected);
    let manifest = result.join("cargo-reduce-adopted/counting-1.0.0/Cargo.toml");
    let manifest = fs::read_to_string(manifest).unwrap();
    assert!(!manifest.contains("missing_docs") && !manifest.contains("license"), "{manifest}");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn a_local_package_that_is_patched_in_is_reduced_and_comes_along() {
    let project = Project::fixture("path-dep").package("app");
    let patch = |path: &str| {
        let manifest = project.root().join("Cargo.toml");
        let head = fs::read_to_string(&manifest).unwrap();
        let head = head.split("[dependencies]").next().unwrap();
        let text = format!(
            "{head}[dependencies]\nfixture-shared = \"0.1\"\n\n[patch.crates-io]\n\
             fixture-shared = {{ path = \"{path}\" }}\n"
        );
        fs::write(&manifest, text).unwrap();
    };
    let files = |args: [&str; 3]| {
        let finished = project.code(args).run();
        finished.code(0).confirmed();
        let of = |event: serde_json::Value| event["path"].as_str().unwrap().to_owned();
        (finished.events("file").map(of).collect::<Vec<_>>(), finished)
    };
    patch("../shared");
    let (paths, finished) = files(["--max-candidates", "1", "--keep-layout"]);
    let adopted = "cargo-reduce-adopted/fixture-shared-0.1.0";
    assert!(paths.contains(&format!("{adopted}/src/lib.rs")), "{paths:?}");
    holds(&finished.left("Cargo.toml"), [&*format!("path = \"{adopted}\"")]);
    // The same in a folder of the package, of which it is no member, but the root of a workspace of its own.
    let (from, to) = (project.root().join("../shared/src"), project.root().join("inside/src"));
    fs::create_dir_all(&to).unwrap();
    fs::copy(from.join("lib.rs"), to.join("lib.rs")).unwrap();
    let manifest = fs::read_to_string(from.with_file_name("Cargo.toml")).unwrap();
    let manifest = manifest.replace("edition = \"2021\"", "edition.workspace = true");
    let workspace = "\n[workspace.package]\nedition = \"2021\"\n";
    fs::write(to.with_file_name("Cargo.toml"), manifest + workspace).unwrap();
    patch("inside");
    let (paths, _) = files(["--max-candidates", "1", "--keep-layout"]);
    assert!(paths.iter().any(|path| path == "inside/src/lib.rs"), "{paths:?}");
    let (paths, finished) = files(["--max-candidates", "1", "picks_the_newest"]);
    assert_eq!(paths.len(), 1, "{finished}");
    lacks(&finished.left("Cargo.toml"), ["inside"]);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn a_step_that_only_an_assertion_has_looked_at_leaves_no_doubt() {
    let finished = Project::fixture("shelf").reduce(["--code", "a_book_is_taken"]).run();
    finished.code(0).fails_with("panic", "left == right");
    holds(&finished.left("src/lib.rs"), ["let _: Vec<u32> = shelf.books().collect();"]);
    assert!(finished.summary()["doubt"].is_null(), "{finished}");
}

#[test]
fn a_condition_is_about_the_values_that_it_is_asserted_of() {
    let finished = Project::fixture("shelf").reduce(["--code", "a_shelf_has_a_week"]).run();
    finished.code(0).fails_with("panic", "assertion failed: shelf.has_week()").says("`shelf`");
    let left = finished.left("src/lib.rs");
    holds(&left, ["for day in 1..7", "shelf.put_week();", "assert!(shelf.has_week()"]);
    lacks(&left, ["cargo_reduce"]);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn the_text_of_an_error_is_made_of_what_went_wrong() {
    let finished = Project::fixture("shelf").reduce(["--code", "three_books_have_room"]).run();
    finished.code(0).fails_with("panic", "the shelf is full");
    lacks(&finished.left("src/lib.rs"), ["write_str"]);
}
