//! Tests are found wherever they may stand.

use std::fs;

use super::project::Project;
use super::texts::{holds, lacks};

fn place(args: [&str; 1], reduced: &str) -> String {
    let finished = Project::fixture("places").reduce(args).run();
    finished.reduced().to([reduced]);
    finished.regression_test().to_owned()
}

#[test]
fn a_unit_test_of_private_code() {
    let diff = place(["inner::tests::closes_once_too_often"], r#"")""#);
    assert!(diff.contains("+++ "), "a unit test comes as a diff: {diff}");
    holds(&diff, ["src/inner.rs"]);
}

#[test]
fn a_unit_test_in_a_module_in_a_module() {
    place(["closes_once_too_often_inside"], "[0]");
}

#[test]
fn a_unit_test_in_a_module_with_a_path() {
    place(["in_a_file_of_its_own"], r#"[""]"#);
}

#[test]
fn a_unit_test_of_a_binary() {
    place(["of_a_long_line"], r#""a""#);
}

#[test]
fn a_test_of_an_example() {
    place(["in_an_example"], r#"")""#);
}

#[test]
fn a_member_of_a_workspace() {
    let finished = Project::fixture("workspace").reduce(["quoted_arguments"]).run();
    finished.reduced().fails_with("panic", "the quote is not closed").to([r#""'""#]);
}

#[test]
fn a_member_of_a_workspace_from_its_own_folder() {
    let project = Project::fixture("workspace").package("crates/app");
    project.reduce(["quoted_arguments"]).run().reduced().to([r#""'""#]);
}

#[test]
fn one_of_two_tests_of_the_same_name() {
    let finished = Project::fixture("workspace").reduce(["-p", "fixture-core", "same_name"]).run();
    finished.reduced().to([r#""'""#]);
    assert_eq!(finished.events("failure").next().unwrap()["package"], "fixture-core");
}

#[test]
fn a_test_that_needs_a_feature() {
    let project = Project::fixture("workspace").package("crates/app");
    let finished = project.reduce(["--features", "strict", "only_with_a_feature"]).run();
    finished.reduced().fails_with("panic", "names are ASCII");
    assert_eq!(finished.events("reduced").next().unwrap()["elements_after"], 1);
}

#[test]
fn a_dependency_outside_of_the_folder() {
    let project = Project::fixture("path-dep").package("app");
    project.reduce(["picks_the_newest"]).run().reduced().to([r#"["a"]"#]);
}

#[test]
fn a_name_that_is_no_file_name() {
    let project = Project::fixture("names");
    project.reduce(["größe"]).run().reduced().to([r#""""#]);
}

#[test]
fn a_raw_identifier() {
    let finished = Project::fixture("names").reduce(["match"]).run();
    finished.reduced().to([r#""""#]);
}

#[test]
fn a_source_that_is_not_utf_8_beside_the_test() {
    let project = Project::fixture("encodings");
    project.reduce(["greets_in_utf_8"]).run().reduced().to([r#"[""]"#]);
}

#[test]
fn the_only_failing_test_of_the_suite() {
    let project = Project::fixture("path-dep").package("app");
    project.reduce([]).run().reduced().to([r#"["a"]"#]);
}

#[test]
fn a_test_that_does_not_build_in_another_file() {
    let finished = Project::fixture("forms").reduce(["calls_what_a_macro_makes"]).run();
    finished.reduced().to([r#""É""#]);
    finished
        .says("a separate test file does not build (cannot find function `length` in this scope)");
    let diff = finished.regression_test();
    assert!(
        diff.contains(
            "+fn reduced_calls_what_a_macro_makes() {\n+    assert_eq!(length(\"É\"), 9);\n"
        ),
        "{diff}"
    );
}

#[test]
fn a_table_that_other_tests_use_too() {
    let library = "pub fn size(a: &str) -> usize {\n    assert!(!a.is_empty());\n    a.len()\n}\n";
    let tests = "const ALL: [&str; 3] = [\"one\", \"two\", \"three\"];\n\n#[test]\nfn the_last_is_the_longest() {\n    \
                 let last = ALL[2];\n    assert_eq!(size(last), 5);\n}\n#[test]\nfn all_have_a_size() {\n    \
                 for one in ALL.iter().chain(&[\"\"]) {\n        size(one);\n    }\n}\n";
    let project = Project::of_library(library);
    fs::create_dir(project.root().join("tests")).unwrap();
    fs::write(project.root().join("tests/sizes.rs"), format!("use calc::size;\n\n{tests}"))
        .unwrap();
    let finished = project.reduce(["all_have_a_size"]).run();
    finished.confirmed();
    lacks(finished.regression_test(), ["ALL[2]", "--- a/"]);

    let module = format!("{library}#[cfg(test)]\nmod tests {{\n    use super::*;\n{tests}}}\n");
    let finished = Project::of_library(&module).reduce(["all_have_a_size"]).run();
    finished.confirmed();
    let diff = finished.regression_test();
    holds(diff, ["+fn reduced_all_have_a_size() {"]);
    lacks(diff, ["-    let last", "-const ALL"]);
}

#[test]
fn a_test_that_works_under_its_own_name_only() {
    let project = Project::fixture("forms");
    let before = project.snapshot();
    let finished = project.reduce(["--write", "knows_its_name"]).run();
    finished.reduced_in(6).to([r#""É""#, r#""knows_its_name""#]);
    finished.says("the result is the original test with smaller inputs");
    finished.says("nothing was added to your source tree");
    let diff = finished.regression_test();
    holds(diff, ["--- a/tests/forms.rs", "+    let text = \"É\";"]);
    lacks(diff, ["reduced_"]);
    assert_eq!(project.snapshot(), before);
}
