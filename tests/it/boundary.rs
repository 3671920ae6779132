//! Values that test code computes before it hands them over, and literals that are none of its inputs.

use crate::finished::Finished;
use crate::project::Project;

use super::texts::{holds, lacks};

/// Reduces what these arguments name of the fixture.
fn reduced<const N: usize>(args: [&str; N]) -> Finished {
    Project::fixture("boundary").reduce(args).run()
}

/// Reduces a test of the fixture to these inputs; returns its regression test.
fn made<const N: usize>(test: &str, expected: [&str; N]) -> String {
    let finished = reduced(["--test", "made", test]);
    finished.reduced_in(3).to(expected);
    finished.regression_test().to_owned()
}

#[test]
fn a_text_that_a_helper_reads_from_a_file() {
    let test = made("read_from_a_folder", [r##""#".to_string()"##]);
    assert!(test.contains(r##"let text = "#".to_string();"##), "{test}");
    lacks(&test, ["fn data"]);
}

#[test]
fn a_text_that_a_helper_decodes() {
    let test = made("decoded_by_a_helper", [r##""#".to_string()"##]);
    // The failing run does not come to the helper that looks at the marks.
    assert!(test.contains(r##"let _ = marks("#");"##), "{test}");
    lacks(&test, ["counted"]);
}

#[test]
fn numbers_that_a_generator_makes() {
    let test = made("generated", ["vec![16u32, 57, 90, 93]"]);
    lacks(&test, ["Random"]);
    // What stands behind the failing call was not reached.
    holds(&test, ["let _ = sum(&numbers);"]);
    lacks(&test, ["calls"]);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn a_value_without_whose_making_the_test_never_ends() {
    let finished = reduced(["with_a_helper_that_counts_down"]);
    let test = finished.reduced_in(3).regression_test().to_owned();
    assert!(test.contains(r##"marks("#")"##), "{test}");
}

#[test]
fn a_list_that_a_loop_goes_through() {
    let finished = reduced(["--test", "compared", "each_line_of_a_list_comes_back"]);
    let test = finished.reduced_in(3).regression_test().to_owned();
    // Of a loop over one element only its body is left.
    holds(&test, [r#"let line = "%".to_string();"#]);
    lacks(&test, ["lines_of"]);
}

#[test]
fn rows_of_a_macro_that_branches() {
    let finished = reduced(["--test", "compared", "rows_of_a_macro_that_branches"]);
    let test = finished.reduced_in(4).regression_test().to_owned();
    holds(&test, ["wind 40 -15"]);
    lacks(&test, ["rain", "snow", "hail"]);
}

#[test]
fn patterns_that_a_text_is_searched_for_are_no_inputs() {
    let finished = reduced(["repeated_in_a_loop"]);
    let test = finished.reduced_in(3).regression_test().to_owned();
    assert!(test.contains(r##".replace("#---", "---#")"##), "{test}");
}

#[test]
fn code_under_test_beside_its_test_is_left_alone() {
    let finished = reduced(["--lib", "beside_the_code_under_test"]);
    finished.reduced_in(3).to([r#""<<""#]);
    assert!(!finished.regression_test().contains("fn before"));
}

#[test]
fn what_agrees_goes_from_the_input_and_the_expected_value_together() {
    let finished = reduced(["--test", "compared", "one_line_of_many"]);
    let test = finished.reduced_in(3).regression_test().to_owned();
    // What is not seen in the result stays: the sign is the bug.
    holds(&test, [r#"let sheet = " 40 -15\n";"#, r#"assert_eq!(printed, ": 25\n");"#]);
    lacks(&test, ["count()"]);
    // There is no package but this one that may have the bug.
    let doubt = finished.summary()["doubt"].to_string();
    holds(&doubt, ["--passes-with boundary@REVISION`"]);
}

#[test]
fn what_sets_the_value_that_is_expected_stays() {
    let finished = reduced(["--test", "compared", "what_was_set_is_there"]);
    let test = finished.reduced_in(3).regression_test().to_owned();
    holds(&test, [r#"("depth", 12)"#, "assert_eq!(board.set(name, number), None);"]);
    holds(&test, [r#"assert_eq!(board.get("depth"), Some(12));"#]);
    lacks(&test, [r#"board.get("fuel")"#, r#"board.get("wind")"#]);
}

#[test]
fn what_a_message_of_the_tests_own_goes_on_with_is_free() {
    let finished = reduced(["--test", "compared", "a_report_of_its_own"]);
    let test = finished.reduced_in(3).regression_test().to_owned();
    holds(&test, ["tools 40 -15", r#""tools: 25""#]);
    lacks(&test, ["rent", "travel"]);
}

#[test]
fn what_a_row_expects_is_no_result() {
    let finished = reduced(["--test", "compared", "each_text_is_decided"]);
    // Of a text with other signs, nobody would expect it to be a word.
    holds(finished.regression_test(), ["größe"]);
}

#[test]
fn a_round_trip_needs_no_expected_value() {
    let finished = reduced(["--test", "compared", "a_letter"]);
    let test = finished.reduced_in(3).regression_test().to_owned();
    holds(&test, [r#"const LETTER: &str = "%";"#]);
    lacks(&test, ["76"]);
}

#[test]
fn a_value_in_the_notation_of_a_macro() {
    let finished = reduced(["--test", "notation", "notation_of_a_macro"]);
    let test = finished.reduced_in(3).regression_test().to_owned();
    // The macro does not take all texts that can be parsed.
    holds(
        &test,
        [r#"let point = "10".parse::<boundary::Point>().unwrap();"#, "let _ = distance(&point);"],
    );
}

#[test]
fn a_map_of_an_array() {
    let finished = reduced(["--test", "notation", "a_map_of"]);
    let test = finished.reduced_in(3).regression_test().to_owned();
    holds(&test, ["= BTreeMap::from([(String::new(), Vec::<u32>::new())]);"]);
}

#[test]
fn what_decides_whether_it_fails_is_not_emptied() {
    let test = made("none_of_them_is_even", ["[1]"]);
    holds(&test, ["boundary::greatest_even(&numbers)"]);
}

#[test]
fn an_assertion_of_its_own_that_gets_all_it_compares() {
    let finished = reduced(["--test", "compared", "by_a_macro_of_its_own"]);
    // The probe is built once more when it is known which values are expected.
    let test = finished.reduced_in(4).regression_test().to_owned();
    lacks(&test, ["assert_sums"]);
    holds(&test, [" 40 -15"]);
    lacks(&test, ["rain", "snow"]);
}

#[test]
fn a_text_that_a_loop_fills() {
    let test = made("filled_by_a_loop", [r##""#".to_string()"##]);
    assert!(test.contains(r##"let lines = "#".to_string();"##), "{test}");
    lacks(&test, ["for number"]);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn methods_may_be_named_as_those_of_the_standard_library() {
    let finished = reduced(["each_word_has_capitals"]);
    finished.reduced().to(["\"ß\""]);
    let test = finished.regression_test();
    holds(test, ["let _ = words.to_vec().len();"]);
    let finished = reduced(["the_capitals_are_kept"]);
    finished.reduced().to(["\"ß\""]);
    let test = finished.regression_test();
    holds(test, ["let _ = words.to_vec();"]);
    reduced(["words_are_shown_as_they_were"]).reduced().to(["\"#\""]);
}

#[test]
fn a_value_whose_type_is_another_name_of_a_pair() {
    let test = made("of_a_type_with_two_names", ["vec![(String::new(), 99u32)]"]);
    lacks(&test, ["fn readings"]);
}

#[test]
fn the_argument_of_what_makes_a_value_that_cannot_be_written_out() {
    let finished = reduced(["--test", "made", "of_a_type_that_cannot_be_written_out"]);
    let test = finished.reduced_in(3).regression_test().to_owned();
    holds(&test, [r##"Sheet::read("#")"##]);
    lacks(&test, ["lines"]);
}

#[test]
fn what_only_one_side_of_a_comparison_comes_from_stays() {
    let finished = reduced(["--test", "compared", "an_area_is_that_of_its_sides"]);
    let test = finished.reduced_in(3).regression_test().to_owned();
    holds(&test, ["* 2 / 2", "&[(1, 1), (1 + width, 1), (1, 1 + height)]"]);
    lacks(&test, ["40", "30"]);
}
