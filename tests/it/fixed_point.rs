//! A second run on what a first one has left finds nothing smaller.

use super::project::Project;

/// Reduces tests, puts their regression tests into the tree, and reduces these.
fn nothing_is_left_to_find(fixture: &str, tests: &[&str]) {
    let project = Project::fixture(fixture);
    let mut grown = Vec::new();
    for test in tests {
        let first = project.reduce(["--write", test]).run_and_write();
        first.code(0).confirmed();
        let name = format!("reduced_{}", test.rsplit("::").next().unwrap());
        let again = project.reduce([&name]).run();
        let is_smaller = again.events("summary").any(|summary| summary["status"] == "reduced");
        if is_smaller {
            grown.push(format!("{fixture}, {test}:\n{first}\n{again}"));
        }
    }
    assert!(grown.is_empty(), "{}", grown.join("\n\n"));
}

#[test]
#[ignore = "takes long: `just slow`"]
fn of_texts_and_sequences() {
    nothing_is_left_to_find("sequences", &["structs", "statements"]);
}

#[test]
fn of_a_value_that_one_helper_decodes_and_another_one_looks_at() {
    nothing_is_left_to_find("boundary", &["decoded_by_a_helper"]);
}

#[test]
#[ignore = "takes minutes"]
fn of_what_the_other_tests_reduce() {
    let all: [(&str, &[&str]); 8] = [
        (
            "strings",
            &[
                "plain", "continued", "raw_with_hashes", "formatted", "byte_string",
                "raw_byte_string", "c_string", "binary_c_string", "single_char", "owned",
            ],
        ),
        ("numbers", &["hexadecimal_and_suffixed", "negative", "floats", "mixed"]),
        (
            "sequences",
            &[
                "vector", "enums", "builder_chain", "array", "slice", "repeated", "nested",
                "without_a_type",
            ],
        ),
        ("macros", &["assertion", "formatted", "matched", "own_macro", "joined"]),
        ("tables", &["const_table", "static_array", "constant", "helper"]),
        (
            "boundary",
            &[
                "read_from_a_folder",
                "generated",
                "repeated_in_a_loop",
                "none_of_them_is_even",
                "filled_by_a_loop",
                "with_a_helper_that_counts_down",
            ],
        ),
        ("choices", &["two_inputs", "three_inputs", "computed_and_read"]),
        ("files", &["included_text", "included_bytes", "read_at_run_time"]),
    ];
    for (fixture, tests) in all {
        nothing_is_left_to_find(fixture, tests);
    }
}
