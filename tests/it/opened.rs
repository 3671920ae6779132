//! Files that the failing run reads by paths that the source does not tell.

use std::fs;

use super::finished::Finished;
use super::project::Project;
use super::texts::holds;

fn reduced(test: &str) -> Finished {
    let finished = Project::fixture("opened").reduce(["--test", "opened", test]).run();
    finished.reduced_in(3);
    finished
}

/// What the last input, the files, became.
fn files(finished: &Finished) -> String {
    let last = finished.events("reduced").last().unwrap();
    last["text"].as_str().unwrap().to_owned()
}

/// The content of a file of the result.
fn written(finished: &Finished, path: &str) -> Option<String> {
    let summary = finished.summary();
    let package = summary["artifacts"]["package"].as_str().unwrap().to_owned();
    fs::read_to_string(format!("{package}/{path}")).ok()
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "only Linux tells who opens what")]
fn a_path_that_is_joined() {
    let project = Project::fixture("opened");
    let finished = project.reduce(["--test", "opened", "joined"]).run();
    finished.reduced_in(3);
    assert_eq!(files(&finished), r#"orders.txt: "a""#);
    let input = finished.events("input").last().unwrap();
    assert_eq!(input["kind"], "files");
    assert_eq!(input["origin"], "read");
    assert_eq!(input["path"], "tests/data");
    let test = finished.regression_test();
    holds(test, [r#"join("reduced_joined_orders.txt")"#]);
    let path = "tests/data/reduced_joined_orders.txt";
    assert_eq!(written(&finished, path).as_deref(), Some("a"));
    finished.replay(&project.root());
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "only Linux tells who opens what")]
fn a_path_that_a_helper_or_a_macro_makes() {
    let finished = reduced("by_a_helper");
    assert!(files(&finished).ends_with(r#".txt: "a""#), "{finished}");
    let test = finished.regression_test();
    holds(test, [r#"data("reduced_by_a_helper_"#]);
    let finished = reduced("by_a_macro");
    assert_eq!(files(&finished), r#"orders.txt: "a""#);
    let test = finished.regression_test();
    holds(test, [r#"list!("reduced_by_a_macro_orders")"#]);
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "only Linux tells who opens what")]
fn a_folder_is_reduced_to_the_file_that_matters() {
    let project = Project::fixture("opened");
    let finished = project.reduce(["--test", "opened", "a_folder_of_cases"]).run();
    finished.reduced_in(3);
    assert_eq!(files(&finished), r#"a.txt: "a""#);
    let test = finished.regression_test();
    let folder = "tests/data/reduced_a_folder_of_cases_cases";
    assert!(test.contains(folder), "{test}");
    assert_eq!(written(&finished, &format!("{folder}/a.txt")).as_deref(), Some("a"));
    assert_eq!(written(&finished, &format!("{folder}/b.txt")), None);
    let finished = reduced("each_case");
    assert!(files(&finished).ends_with(r#".txt: "a""#), "{finished}");
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "only Linux tells who opens what")]
fn a_file_with_the_result_is_reduced_along_with_its_input() {
    let finished = reduced("a_folder_of_results");
    let left = files(&finished);
    // The number that is a word, and what it should be.
    assert!(left.contains("ten x ") && left.contains(": 10"), "{finished}");
    assert!(!left.contains("first") && !left.contains("lamp"), "{finished}");
    assert!(finished.summary()["doubt"].is_string(), "{finished}");
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "only Linux tells who opens what")]
fn a_row_of_a_file_keeps_what_it_expects() {
    let finished = reduced("rows_of_a_file");
    let left = files(&finished);
    assert!(left.contains("ten x ") && left.contains(" = 11"), "{finished}");
    assert!(!left.contains("plate") && !left.contains("3 x lamp"), "{finished}");
    assert!(finished.summary()["doubt"].is_string(), "{finished}");
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "only Linux tells who opens what")]
fn a_file_that_a_command_reads() {
    let finished = reduced("by_a_command");
    // The command panics, so that nothing is expected of the file.
    assert_eq!(files(&finished), r#"orders.txt: "a""#);
    finished.fails_with("panic", "an order has a number");
    let test = finished.regression_test();
    holds(test, [r#"data("reduced_by_a_command_orders.txt")"#]);
}

#[test]
fn standard_input_and_arguments_of_a_command() {
    let finished = reduced("standard_input_of_a_command");
    finished.to([r#"b"three bowls""#]);
    let finished = reduced("arguments_of_a_command");
    finished.kinds(["seq"]);
    finished.to([r#"["--order=two plates"]"#]);
    let finished = reduced("arguments_in_a_chain");
    let left = finished.events("reduced").next().unwrap();
    assert!(left["text"].as_str().unwrap().ends_with(r#".arg("--order=a")"#), "{finished}");
}

/// The file that was read and is not reduced is named.
#[track_caller]
fn names_the_orders(finished: &Finished) {
    let summary = finished.summary();
    assert_eq!(summary["unreduced"][0], "tests/data/orders.txt", "{finished}");
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "only Linux tells who opens what")]
fn a_file_of_which_nobody_knows_whether_it_matters_is_named() {
    let finished = reduced("in_the_folder_of_a_command");
    names_the_orders(&finished);
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "only Linux tells who opens what")]
fn a_file_that_is_too_large_is_named() {
    let project = Project::fixture("opened");
    let long = "1 x lamp\n".repeat(600_000) + "two lamps\n";
    fs::write(project.root().join("tests/data/orders.txt"), long).unwrap();
    let finished = project.reduce(["--test", "opened", "joined", "--max-candidates", "30"]).run();
    finished.code(0);
    names_the_orders(&finished);
}

#[test]
#[cfg_attr(not(target_os = "linux"), ignore = "only Linux tells who opens what")]
fn files_can_be_left_alone() {
    let project = Project::fixture("opened");
    let reduce =
        |option, number: &str| project.reduce(["--test", "opened", "joined", option, number]).run();
    let files = |finished: &Finished| {
        let files = finished.events("input").find(|input| input["kind"] == "files");
        files.map(|input| input["id"].to_string())
    };
    let number = files(&reduce("--skip", "0")).unwrap();
    let finished = reduce("--skip", &number);
    finished.code(0);
    assert_eq!(files(&finished), None);
    let finished = reduce("--only", &number);
    finished.reduced().to([r#"orders.txt: "a""#]);
    reduce("--only", "99").code(2).says("there is no input 99");
}
