//! Tests that have no plain function in the user's tree: doc tests, property tests, programs that are
//! the test, and what macros make.

use std::fs;
use std::path::Path;

use super::finished::Finished;
use super::project::Project;
use super::texts::{holds, lacks};

fn input_place(finished: &Finished) -> (String, u64) {
    let input = finished.events("input").next().unwrap();
    let file = input["file"].as_str().unwrap().to_owned();
    (file, input["line"].as_u64().unwrap())
}

#[test]
fn a_doc_test_by_the_name_of_its_item() {
    let finished = Project::fixture("places").reduce(["--doc", "depth"]).run();
    finished
        // Two doc tests match; one build of both tells which one fails.
        .reduced_in(3)
        .fails_with("panic", "a parenthesis was never opened")
        .tier("in-process")
        .to([r#"")""#]);
    assert_eq!(input_place(&finished), ("src/lib.rs".to_owned(), 16));
    let test = finished.regression_test();
    holds(test, ["`src/lib.rs - depth (line 15)` (src/lib.rs:16)", r#"let text = ")";"#]);
}

#[test]
fn a_doc_test_by_its_whole_name() {
    let finished = Project::fixture("places").reduce(["src/lib.rs - depth (line 15)"]).run();
    finished.reduced().to([r#"")""#]);
}

#[test]
fn a_doc_test_that_passes() {
    let finished = Project::fixture("places").reduce(["src/lib.rs - depth (line 11)"]).run();
    finished.error("not-failing", "passes: there is no failure", []);
}

#[test]
fn a_doc_test_whose_own_assertion_fails() {
    let project = Project::fixture("doc-tests");
    let finished = project.reduce(["--doc", "words"]).run();
    finished.reduced().fails_with("panic", "no empty words").to([r#""""#, r#""words ""#]);
    let replayed = finished.replay(&project.root());
    holds(&replayed, ["no empty words"]);
}

#[test]
fn a_doc_test_that_should_panic_and_does_not() {
    let finished = Project::fixture("doc-tests").reduce(["--doc", "first"]).run();
    finished.reduced().to([r#""""#]);
    assert_eq!(finished.summary()["signature"]["kind"], "should-panic");
}

#[test]
fn a_doc_test_in_a_block_comment_that_returns_an_error() {
    let finished = Project::fixture("doc-tests").reduce(["--doc", "last"]).run();
    // With `0` in the place of the last word it passes.
    finished.fails_with("panic", "`Result::unwrap()`").to([r#""many""#]);
    assert_ne!(finished.summary()["doubt"], serde_json::Value::Null);
}

#[test]
fn the_inputs_of_a_doc_test_without_running_it() {
    let finished = Project::fixture("places").reduce(["--doc", "--list", "line 15"]).run();
    finished.code(0).kinds(["str"]);
}

#[test]
fn a_doc_test_that_is_only_compiled() {
    let finished = Project::fixture("doc-tests").reduce(["--doc", "--list", "never_run"]).run();
    finished.error("error", "is marked `no_run` or `compile_fail`", []);
}

#[test]
fn several_doc_tests_that_fail() {
    // The first name takes a build of their plain tests; among the others is one that is never run.
    for (typed, count) in [("st (line 2", "2 tests"), ("src/lib.rs", "3 tests")] {
        let finished = Project::fixture("doc-tests").reduce(["--doc", typed]).run();
        let message = format!("{count} that match `{typed}` fail");
        let hint = "cargo reduce -p doc-tests --doc 'src/lib.rs - last (line 29)'";
        finished.error("error", &message, [hint]);
    }
}

#[test]
fn no_doc_test_of_that_name() {
    let finished = Project::fixture("doc-tests").reduce(["--doc", "wrods"]).run();
    finished.error("error", "no test matches `wrods`", ["words (line"]);
}

#[test]
fn a_program_that_is_the_test() {
    let finished = Project::fixture("harness").reduce(["own"]).run();
    finished.reduced().fails_with("panic", "is no Roman digit").tier("process").to([r#"["a"]"#]);
    let test = finished.regression_test();
    holds(test, ["#[test]\nfn reduced_main()"]);
}

#[test]
fn a_program_that_is_the_test_among_all() {
    let finished = Project::fixture("harness").reduce(["--test", "own"]).run();
    finished.reduced().to([r#"["a"]"#]);
}

#[test]
fn a_program_without_a_main_in_its_sources() {
    let project = Project::fixture("harness");
    let source = "macro_rules! harness { () => { fn main() { harness::value(\"IIX?\"); } }; }\nharness!();\n";
    fs::write(project.root().join("tests/own.rs"), source).unwrap();
    project.reduce(["own"]).run().error(
        "error",
        "`own` sets `harness = false`, but its sources have no `main` function",
        ["--oracle"],
    );
}

#[test]
fn a_test_that_a_macro_makes() {
    let project = Project::fixture("macros");
    let finished = project.reduce(["made_and_failing"]).run();
    finished.reduced().fails_with("panic", "a brace is not closed").to([r#""{""#, r#""""#]);
    let listed = project.reduce(["made_and_failing", "--list"]).run();
    let inputs: Vec<_> = listed.events("input").collect();
    assert_eq!(inputs[0]["line"], 45, "the line of the case in the call");
}

#[test]
fn a_test_that_a_macro_of_another_crate_makes() {
    let finished = Project::fixture("macros").reduce(["made_far_away"]).run();
    finished.error(
        "error",
        "`made_far_away` is made by the macro `checks!`",
        ["as a plain `#[test]` function"],
    );
}

/// Reduces a property test; proptest itself is built only once.
fn property(project: &Project, test: &str) -> Finished {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("properties");
    project.reduce([test]).env("CARGO_TARGET_DIR", target).run()
}

#[test]
#[ignore = "takes long: `just slow`"]
fn a_property_test_in_a_test_file() {
    let project = Project::fixture("properties");
    let finished = property(&project, "keeps_the_length");
    finished.reduced().fails_with("panic", "out of range").to(["vec![]", "1usize"]);
    assert!(finished.stderr.contains("plain test `plain_keeps_the_length`"), "{finished}");
    assert_eq!(input_place(&finished).0, "tests/properties.rs");
    let test = finished.regression_test();
    holds(test, ["fn reduced_keeps_the_length()"]);
    lacks(test, ["proptest!"]);
    // With a sound version for a judge.
    let sound = project.root().join("sound");
    fs::create_dir_all(sound.join("src")).unwrap();
    fs::copy(project.root().join("Cargo.toml"), sound.join("Cargo.toml")).unwrap();
    let library = fs::read_to_string(project.root().join("src/lib.rs")).unwrap();
    let library = library.replace("[..count]", "[..count % list.len().max(1)]");
    let library = library.replace("[count..]", "[count % list.len().max(1)..]");
    fs::write(sound.join("src/lib.rs"), library).unwrap();
    let judged = ["keeps_the_length", "--passes-with", "properties@./sound"];
    let finished = project.reduce(judged).run();
    finished.reduced_in(5).fails_with("panic", "out of range").to(["vec![]", "1usize"]);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn a_property_test_beside_private_code() {
    let finished = property(&Project::fixture("properties"), "stays_small");
    finished.reduced().fails_with("panic", "assertion").to(["256u32"]);
    let diff = finished.regression_test();
    holds(diff, ["+fn reduced_stays_small()"]);
    lacks(diff, ["fn plain_stays_small"]);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn a_property_test_whose_values_cannot_be_written() {
    let finished = property(&Project::fixture("properties"), "of_opaque_values");
    finished.error("error", "cannot become a plain test", ["by hand"]);
}

#[test]
fn a_property_of_quickcheck_becomes_a_plain_test() {
    let finished = Project::fixture("random").reduce(["keeps_the_length"]).run();
    finished.reduced_in(3).to(["vec![0, 0]"]);
    assert!(finished.summary()["doubt"].is_null(), "{finished}");
    let test = finished.regression_test();
    holds(test, ["assert!(sorted(&list).len() == list.len());"]);
    lacks(test, ["quickcheck"]);
    let finished = Project::fixture("random").reduce(["loses_nothing"]).run();
    finished.reduced_in(3).to(["vec![0, 0]"]);
    let test = finished.regression_test();
    holds(
        test,
        ["assert!(property(vec![0, 0]));", "Fails with: assertion failed: property(vec![0, 0])"],
    );
}
