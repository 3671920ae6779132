//! Every way to fail is recognized, and a candidate only counts when it fails in the same way.

use super::project::Project;
use super::texts::holds;

fn outcome(test: &str, kind: &str, message: &str, reduced: &str) {
    let finished = Project::fixture("outcomes").reduce([test]).run();
    finished.reduced().fails_with(kind, message).to([reduced]);
}

#[test]
fn an_error_that_is_returned() {
    outcome("returns_an_error", "error", "no digit at", r#"["or"]"#);
}

#[test]
fn a_test_that_should_have_panicked() {
    outcome("should_have_panicked", "should-panic", "did not panic", r#""aaaa""#);
}

#[test]
fn a_stack_overflow() {
    outcome("overflows_the_stack", "abort", "stack overflow", r#""@""#);
}

#[test]
fn an_exit() {
    outcome("exits", "exit", "exit status 3", r#""exit 3""#);
}

#[test]
fn a_hang() {
    let finished = Project::fixture("outcomes").reduce(["hangs", "--timeout", "0.3"]).run();
    finished.reduced().fails_with("timeout", "").to([r##""#""##]);
}

#[test]
fn a_panic_in_a_destructor_during_a_panic() {
    outcome("panics_twice", "abort", "the guard holds too much", "&[3, 7]");
}

#[test]
fn a_panic_on_another_thread() {
    // An empty row fails on its thread as well, and the test says `Any { .. }` of both.
    let finished = Project::fixture("outcomes").reduce(["panics_on_a_thread"]).run();
    finished
        .reduced()
        .fails_with("panic", "the sum is too large")
        .to(["vec![vec![1_000_000_000, 1_500_000_000]]"]);
}

#[test]
fn a_panic_in_asynchronous_code() {
    outcome("asynchronous", "panic", "an id is a number", r#""id=a""#);
}

#[test]
fn the_same_message_at_another_place_is_another_failure() {
    // The empty text fails with the same message, at the first of the two calls.
    outcome("two_unwraps_with_one_message", "panic", "called `Option::unwrap()`", r#"":""#);
}

#[test]
fn the_message_alone_can_be_asked_for() {
    let project = Project::fixture("outcomes");
    let finished = project.reduce(["two_unwraps_with_one_message", "--match", "message"]).run();
    finished.reduced().to([r#""""#]);
}

#[test]
fn a_flaky_test_is_reported_with_its_rate() {
    let finished = Project::fixture("flaky").reduce(["finds_room"]).run();
    // One time in five hundred all ten runs agree.
    if finished.summary()["status"] == "flaky" {
        finished.error("flaky", "of 10 runs", ["--runs"]);
    }
}

#[test]
fn a_flaky_test_is_reduced_with_repeated_runs() {
    let finished = Project::fixture("flaky").reduce(["finds_room", "--runs", "30"]).run();
    finished.reduced().fails_with("panic", "the table is full").to([r#"["?"]"#]);
}

/// With three names it fails each time, with two as often as the map has them in another order.
#[test]
fn inputs_with_which_the_test_fails_only_sometimes_are_not_the_result() {
    let names: Vec<String> =
        (b'a'..=b'p').map(|name| format!("\"{0}{0}\"", name as char)).collect();
    let library = format!(
        "use std::collections::HashMap;\n\npub fn schedule(names: &[&str]) {{\n    \
         let map: HashMap<&str, usize> = names.iter().copied().zip(0..).collect();\n    \
         let order: Vec<usize> = map.values().copied().collect();\n    \
         assert!(order.len() < 3 && order.is_sorted(), \"out of order\");\n}}\n\n\
         #[test]\nfn keeps_the_order() {{\n    schedule(&[{}]);\n}}\n",
        names.join(", ")
    );
    let finished = Project::of_library(&library).reduce(["keeps_the_order"]).run();
    finished.reduced().fails_with("panic", "out of order");
    let (_, test) = finished.regression_test().split_once("fn reduced_").unwrap();
    assert_eq!(test.matches('"').count() / 2, 3, "{test}");
}

#[test]
fn what_the_failing_call_never_returned_is_not_demanded() {
    let library = "pub fn parse(text: &str) -> Result<usize, String> {\n    \
                   assert!(!text.contains('%'), \"a percent sign\");\n    \
                   if !text.ends_with(';') {\n        return Err(\"no end\".to_owned());\n    }\n    \
                   Ok(text.len())\n}\n\n#[test]\nfn reads_all() {\n    \
                   let length = parse(\"alpha = 1; beta = 50 %; gamma = 3;\").unwrap();\n    \
                   assert_eq!(length, 34);\n}\n";
    let finished = Project::of_library(library).reduce(["reads_all"]).run();
    finished.reduced().fails_with("panic", "a percent sign");
    assert!(finished.regression_test().contains("let _ = parse(\"%\");"));
}

#[test]
fn a_test_that_deletes_files_reaches_nothing_of_the_user() {
    // Each run compares the tree with what it was before, `precious/old/keep.txt` included.
    for test in ["clears_the_cache", "clears_a_relative_cache"] {
        let finished = Project::fixture("deletes").reduce([test]).run();
        finished.reduced().fails_with("panic", "the cache is gone").to([r#""cache""#]);
    }
}

/// Candidates with little to keep take away the program they run in, its sources, and the folders around them.
#[test]
fn candidates_that_wipe_folders_leave_the_search_what_it_needs() {
    let project = Project::fixture("deletes");
    for (test, tier) in
        [("wipes_its_package", "in-process"), ("wipes_its_temporary_files", "process")]
    {
        let finished = project.reduce([test, "--tier", tier]).run();
        finished.reduced().fails_with("panic", "too many to keep").to(["7", r#""aaa""#]);
    }
    let rebuilt = ["wipes_its_package", "--tier", "rebuild", "--max-candidates", "8"];
    let finished = project.reduce(rebuilt).run();
    finished.confirmed();
}

#[test]
fn an_assertion_that_shows_its_own_source_text() {
    let finished = Project::fixture("assertions").reduce(["fits_the_page"]).run();
    // What decides stays as it is: not each of its characters was tried alone by the search.
    let page = finished.left("report.html");
    holds(&page, ["26 of 26 parts: without it, the test passes"]);
    finished
        .reduced()
        .fails_with("panic", "assertion failed: width(")
        .to([r#""a line of text that is too""#]);
}

#[test]
fn a_wrong_result_stays_the_same_wrong_result() {
    let finished = Project::fixture("assertions").reduce(["has_a_known_width"]).run();
    // Other letters may have another width, as far as anyone knows.
    finished.fails_with("panic", "left: 140").to(["\"a line of text\"", "256"]);
    assert_eq!(finished.summary()["status"], "limited");
    finished.says("each part of them may matter");
}

#[test]
fn a_function_of_the_library_that_asserts_speaks_for_the_test() {
    let finished = Project::fixture("assertions").reduce(["is_said_to_have_a_known_width"]).run();
    finished.fails_with("panic", "is 140 wide, not 256").to(["\"a line of text\"", "256"]);
    assert_eq!(finished.summary()["status"], "limited");
}

#[test]
fn an_expected_value_in_a_table_is_not_reduced_to_any_other() {
    let finished = Project::fixture("assertions").reduce(["has_the_widths_of_a_table"]).run();
    finished.reduced().fails_with("panic", "left: 140").to(["[(\"a line of text\", 256)]"]);
}

#[test]
fn both_sides_of_an_equality_go_together_though_the_message_shows_one() {
    let finished = Project::fixture("assertions").reduce(["lists_all_that_is_to_be_read"]).run();
    finished
        .reduced()
        .fails_with("panic", "left == right")
        .to([r#"&["__init__"]"#, r#""- __init__\n""#]);
    assert!(finished.regression_test().contains("assert_eq!(list, expected, "));
}

/// `1-` panics at the same place in the standard library, in another subtraction.
#[test]
#[ignore = "takes long: `just slow`"]
fn a_panic_in_the_standard_library_counts_where_the_same_call_leads_there() {
    let project = Project::fixture("two-durations");
    for (args, builds) in [
        (&["a_long_stay"][..], 3),
        (&["a_long_stay", "--tier", "process"], 3),
        (&["a_longer_stay", "--tier", "rebuild"], 300),
    ] {
        let finished = project.reduce_with(args).run();
        finished.says("the call that leads to the failure: src/lib.rs:11:5");
        finished.reduced_in(builds).fails_with("panic", "overflow when subtracting durations");
        finished.to([r#""-81""#]);
    }
}

/// A tab takes four columns, and a wide char two.
#[test]
#[ignore = "takes long: `just slow`"]
fn a_panic_behind_tabs_and_wide_chars() {
    let project = Project::fixture("tabs");
    let finished = project.reduce(["a_short_text"]).run();
    finished.reduced().fails_with("panic", "char boundary").to([r#""É""#]);
    let finished = project.reduce(["many_letters", "--max-candidates", "20"]).run();
    finished.says("the call that leads to the failure: src/lib.rs:13:67");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn a_panic_behind_tabs_in_code() {
    let project = Project::fixture("tabs");
    let finished = project.code(["a_short_text", "--max-candidates", "60"]).run();
    finished.code(0).fails_with("panic", "char boundary").confirmed();
}

/// The passing side of a difference passes by itself; it does not fail in another way.
#[test]
#[ignore = "takes long: `just slow`"]
fn the_passing_side_of_a_difference_passes() {
    let tests = [
        ("returns_an_error", r#"["12", " 7 ", "+1500", "3 or 4", "99"]"#),
        ("overflows_the_stack", r#""[[a, b], [c, [d, @e]], f]""#),
        ("exits", r#""print one\nprint two\nwait 5\nexit 3\nprint three\n""#),
    ];
    for (test, original) in tests {
        let project = Project::fixture("outcomes");
        let finished = project.reduce([test, "--maximize"]).run();
        finished.code(0).confirmed();
        let difference = finished.events("difference").next().unwrap();
        let file = project.root().join("tests/outcomes.rs");
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.contains(original), "{text}");
        let passing = text.replace(original, difference["passing"].as_str().unwrap());
        std::fs::write(&file, passing).unwrap();
        let finished = project.reduce([test]).run();
        finished.error("not-failing", "passes (10 of 10 runs)", []);
    }
}
