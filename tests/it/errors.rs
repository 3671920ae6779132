//! What prevents a reduction gets one clear message, a hint, and exit code 1; wrong usage gets 2.

use super::project::Project;

#[test]
fn no_such_test_names_the_nearest_ones() {
    let finished = Project::fixture("passing").reduce(["count_vowels"]).run();
    finished.error("error", "no test matches `count_vowels`", ["counts_vowels"]);
}

#[test]
fn a_test_that_passes() {
    let finished = Project::fixture("passing").reduce(["counts_vowels"]).run();
    finished.error("not-failing", "`counts_vowels` passes", []);
}

#[test]
fn a_test_without_inputs() {
    let finished = Project::fixture("passing").reduce(["fails_without_inputs"]).run();
    finished.error("error", "nothing to reduce in `fails_without_inputs`", []);
}

#[test]
fn several_failing_tests_of_that_name() {
    let finished = Project::fixture("passing").reduce(["fails"]).run();
    finished.error(
        "error",
        "2 tests that match `fails` fail",
        ["--test vowels fails_too", "--test vowels fails_without_inputs", "--all"],
    );
}

#[test]
fn a_test_that_does_not_build() {
    let finished = Project::fixture("broken").reduce(["does_not_build"]).run();
    finished.error("error", "mismatched types", ["builds"]);
}

#[test]
fn a_source_that_is_not_utf_8() {
    let project = Project::fixture("encodings");
    let finished = project.reduce(["--test", "latin1", "greets_in_latin_1"]).run();
    finished.error("error", "valid UTF-8", []);
}

#[test]
fn a_source_that_cannot_be_parsed() {
    let project = Project::fixture("encodings");
    let run = project.reduce(["--test", "nightly", "greets_in_the_future"]);
    // Lets a stable compiler take what only a nightly one should.
    let finished = run.env("RUSTC_BOOTSTRAP", "1").run();
    finished.error("error", "cannot parse", []);
    assert!(finished.stderr.contains("tests/nightly.rs:6:9"), "{finished}");
}

#[test]
fn no_manifest() {
    let finished = Project::empty().reduce(["any"]).run();
    finished.error("error", "Cargo.toml", []);
}

#[test]
fn a_manifest_that_is_not_there() {
    let project = Project::fixture("passing");
    let finished = project.reduce(["--manifest-path", "nowhere/Cargo.toml", "any"]).run();
    finished.error("error", "nowhere/Cargo.toml", []);
}

#[test]
fn no_such_package() {
    let finished = Project::fixture("workspace").reduce(["-p", "fixture-none", "any"]).run();
    finished.error("error", "fixture-none", []);
}

#[test]
fn no_such_target() {
    let finished = Project::fixture("passing").reduce(["--test", "consonants", "any"]).run();
    finished.error("error", "no target `--test consonants`", ["--test vowels"]);
}

#[test]
fn no_cargo() {
    let project = Project::fixture("passing");
    let run = project.reduce(["counts_vowels"]).without_env("CARGO").env("PATH", "/nowhere");
    run.run().error("error", "cargo", []);
}

#[test]
fn a_folder_for_results_that_cannot_be_written() {
    // Even the superuser cannot make folders there.
    let finished = Project::fixture("strings").reduce(["--out", "/proc/reduce", "plain"]).run();
    finished.error("error", "/proc/reduce", []);
}

#[test]
fn wrong_usage() {
    let project = Project::fixture("passing");
    for args in
        [["--no-such-option", "x"], ["--min-rate", "7"], ["--timeout", "soon"], ["--match", "x"]]
    {
        let finished = project.reduce(args).run();
        finished.code(2);
        assert!(finished.stderr.contains("error: "), "{finished}");
    }
}

#[test]
fn arguments_that_the_test_binary_does_not_know() {
    let project = Project::fixture("passing");
    let args = ["fails_without_inputs", "--", "--no-such-option"];
    let finished = project.reduce(args).run();
    let hint = ["Unrecognized option: 'no-such-option'"];
    finished.error("error", "does not run `fails_without_inputs`", hint);
}

#[test]
fn a_package_of_the_user_is_no_folder_for_results() {
    let project = Project::fixture("squares");
    for args in [&["--code", "--out", "."][..], &["--out", "."]] {
        let finished = project.reduce_with(args).run();
        finished.error("error", "already holds a package", ["choose a new folder"]);
    }
}
