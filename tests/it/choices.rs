//! Inputs that the user chooses: by number, and by comments in the test.

use serde_json::Value;

use super::finished::Finished;
use super::project::Project;
use super::texts::holds;

fn choices<const N: usize>(arguments: [&str; N]) -> Finished {
    Project::fixture("choices").reduce(arguments).run()
}

/// A field of the inputs, in order.
fn told(finished: &Finished, field: &str) -> Vec<Value> {
    finished.events("input").map(|input| input[field].clone()).collect()
}

#[test]
fn only_the_chosen_inputs_are_reduced() {
    let finished = choices(["three_inputs", "--only", "1,3"]);
    finished.reduced().to([r#""""#, r#""{template}{closing}""#]);
    assert_eq!(told(&finished, "id"), [1, 3]);
    let reduced: Vec<_> = finished.events("reduced").map(|reduced| reduced["id"].clone()).collect();
    assert_eq!(reduced, [1, 3]);
    let test = finished.regression_test();
    holds(test, [r#""Dear {}, and {}""#, "fill(template, &[name, name]);"]);
}

#[test]
fn skipped_inputs_stay_as_they_are() {
    let finished = choices(["two_inputs", "--skip", "1"]);
    finished.reduced().to([r#""{}""#, "0"]);
    let test = finished.regression_test();
    holds(test, [r#"&["Ada", "Grace"][..0]"#]);
}

#[test]
fn a_computed_value_that_is_skipped_is_still_computed() {
    let finished = choices(["computed_and_read", "--skip", "0,1,2,3,5"]);
    finished.reduced().to(["&[]"]);
    let test = finished.regression_test();
    holds(test, [r#"greeting("a greeting")"#]);
}

#[test]
fn an_input_that_there_is_not_is_wrong_usage() {
    for arguments in [["two_inputs", "--only", "3"], ["two_inputs", "--skip", "0,3"]] {
        let finished = choices(arguments);
        finished
            .code(2)
            .says("there is no input 3: `two_inputs` has inputs 0 to 2")
            .says("cargo reduce --list two_inputs");
    }
    choices(["--list", "two_inputs", "--only", "3"]).code(2);
    choices(["two_inputs", "--only", "first"]).code(2);
}

#[test]
fn the_list_shows_where_values_come_from() {
    let finished = choices(["--list", "computed_and_read"]);
    finished.code(0);
    let origins = ["literal", "literal", "literal", "literal", "literal", "read"];
    assert_eq!(told(&finished, "origin"), origins);
    assert_eq!(told(&finished, "id"), [0, 1, 2, 3, 4, 5]);
    let finished = choices(["computed_and_read"]);
    // The run shows the value of the last one, and that two others only go into it.
    assert_eq!(told(&finished, "id"), [2, 4, 5]);
    assert_eq!(told(&finished, "origin"), ["literal", "literal", "read"]);
    let finished =
        Project::fixture("boundary").reduce(["--list", "--test", "made", "generated"]).run();
    assert!(told(&finished, "origin").contains(&Value::from("generated")));
    let finished = Project::fixture("files").reduce(["--list", "read_at_run_time"]).run();
    // The value that is read, and the file: the run shows which of them can be changed.
    assert_eq!(told(&finished, "origin"), ["read", "read"]);
    assert!(told(&finished, "path").contains(&Value::from("tests/data/server.conf")));
}

#[test]
fn a_comment_keeps_the_inputs_of_its_line() {
    let finished = choices(["kept_behind"]);
    finished.reduced().to([r#""{}""#, "&[]"]);
    let test = finished.regression_test();
    holds(test, [r#"let name = "Ada Lovelace"; // reduce: keep"#]);
}

#[test]
fn a_comment_keeps_the_statement_below() {
    let finished = choices(["kept_above"]);
    finished.reduced().to([r#""{}{}{}""#]);
    let test = finished.regression_test();
    holds(test, [r#"new("a letter").value("Ada").value("Grace")"#]);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn a_comment_keeps_one_element_of_many() {
    let finished = choices(["kept_in_a_list"]);
    finished.reduced();
    let test = finished.regression_test();
    holds(test, [r#"fill("{}{}", &["Grace Hopper"]);"#]);
    let finished = choices(["kept_in_a_chain"]);
    finished.reduced();
    let test = finished.regression_test();
    assert!(test.contains(r#".value("Grace")"#) && !test.contains("Ada"), "{test}");
}
