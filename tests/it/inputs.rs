//! Every kind of input is found, reduced to the value a person would have written, and confirmed.

use std::fs;

use super::finished::Finished;
use super::project::Project;

fn strings(test: &str, kind: &str, reduced: &str) {
    Project::fixture("strings").reduce([test]).run().reduced().kinds([kind]).to([reduced]);
}

fn numbers<const N: usize>(test: &str, kinds: [&str; N], reduced: [&str; N]) {
    Project::fixture("numbers").reduce([test]).run().reduced().kinds(kinds).to(reduced);
}

fn sequences(test: &str, reduced: &str) {
    Project::fixture("sequences").reduce([test]).run().reduced().kinds(["seq"]).to([reduced]);
}

fn macros<const N: usize>(test: &str, reduced: [&str; N]) {
    let finished = Project::fixture("macros").reduce([test]).run();
    finished.reduced().fails_with("panic", "a brace is not closed").to(reduced);
}

fn tables(test: &str, kind: &str, reduced: &str) {
    let finished = Project::fixture("tables").reduce([test]).run();
    finished.reduced().fails_with("panic", "a time has a colon").kinds([kind]).to([reduced]);
}

#[test]
fn lints_that_the_manifest_makes_errors_do_not_stop_the_probe() {
    let finished = Project::fixture("strict").reduce(["counts_what_follows"]).run();
    finished.reduced().tier("in-process").fails_with("panic", "attempt to subtract with overflow");
    finished.to([r#""a""#, r#""""#]);
}

#[test]
fn a_long_raw_string() {
    let finished = Project::fixture("release-notes").reduce(["keeps_every_version"]).run();
    finished.reduced().tier("in-process").to([r###""## \n- [](\")""###]);
    finished.fails_with("panic", "when slicing");
    let reduced = finished.events("reduced").next().unwrap();
    assert_eq!(reduced["elements_before"], 11_222);
    assert_eq!(reduced["elements_after"], 11);
    let summary = finished.summary();
    assert_eq!(summary["builds"], 3);
    assert_eq!(summary["checks"], 0);
    assert!(summary["candidates"].as_u64().unwrap() < 1_000, "{finished}");
}

#[test]
fn a_plain_string() {
    strings("plain", "str", r#""\t""#);
}

#[test]
fn a_string_on_several_lines() {
    strings("continued", "str", r#""\t""#);
}

#[test]
fn a_raw_string_with_hashes() {
    strings("raw_with_hashes", "str", r#""\t""#);
}

#[test]
fn a_byte_string() {
    strings("byte_string", "bytes", r#"b"\x1b""#);
}

#[test]
fn a_raw_byte_string() {
    strings("raw_byte_string", "bytes", r#"br"\""#);
}

#[test]
fn a_c_string() {
    strings("c_string", "bytes", r#"c".""#);
}

#[test]
fn a_c_string_never_gets_a_nul_inside() {
    strings("binary_c_string", "bytes", r#"c"\xfe\xfd\xfc\xfb""#);
}

#[test]
fn a_text_to_which_loops_and_format_strings_add() {
    strings("formatted", "str", r#""\t".to_string()"#);
}

#[test]
fn a_char() {
    strings("single_char", "char", r"'\n'");
}

#[test]
fn numbers_of_any_base_and_suffix() {
    let finished = Project::fixture("numbers").reduce(["hexadecimal_and_suffixed"]).run();
    finished.reduced().kinds(["int", "int"]).fails_with("panic", "attempt to add with overflow");
    let values: Vec<u64> =
        finished.events("reduced").map(|event| value_of(event["text"].as_str().unwrap())).collect();
    assert_eq!(
        values,
        [300_000_000, 4_000_000_000],
        "the roundest numbers of as few digits as possible whose sum overflows"
    );
}

#[test]
fn a_negative_number() {
    numbers("negative", ["int", "int"], ["0", "0"]);
}

#[test]
fn floats() {
    numbers("floats", ["float", "float"], ["0.0", "0.0"]);
}

#[test]
fn numbers_and_a_bool() {
    // 65535 / 3 fits, one more does not: octal 52526 is the least.
    numbers("mixed", ["int", "bool", "int"], ["0o5_2526", "false", "0"]);
}

#[test]
fn a_vector() {
    sequences("vector", "vec![1, 0]");
}

#[test]
fn an_array_with_a_written_length() {
    sequences("array", "[1, 0]");
}

#[test]
fn a_slice() {
    sequences("slice", "&[1, 0]");
}

#[test]
fn nested_vectors() {
    sequences("nested", "vec![vec![0, 0]]");
}

#[test]
fn structs() {
    sequences("structs", "[Booking { account: 0, cents: -1, note: None }]");
}

#[test]
fn enums() {
    sequences("enums", "[Op::Swap { a: 0, b: 0 }]");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn a_list_of_thousands_of_rows() {
    let project = Project::fixture("sequences");
    let rows = "Op::Push(7), Op::Pop, Op::Push(12), ".repeat(2_000);
    let test = format!(
        "use sequences::{{Op, play}};\n#[test]\nfn long() {{\n    play(&[{rows}Op::Swap {{ a: 3, b: 9_999 }}]);\n}}\n"
    );
    fs::write(project.root().join("tests/long.rs"), test).unwrap();
    let finished = project.reduce(["long"]).run();
    finished.reduced_in(3).tier("in-process").to(["&[Op::Swap { a: 0, b: 0 }]"]);
}

#[test]
fn statements() {
    sequences("statements", r#"cache.insert(1, ""); cache.insert(0, ""); cache.check();"#);
}

#[test]
fn statements_that_tell_a_type_stay() {
    let finished = Project::fixture("sequences").reduce(["statements_that_tell_a_type"]).run();
    finished.reduced_in(4);
    assert!(finished.regression_test().contains("note.unwrap_or("), "{finished}");
}

#[test]
fn calls_on_a_builder() {
    let finished = Project::fixture("sequences").reduce(["builder_chain"]).run();
    let chain = r#"Cache::new() .limit(2) .with(1, "") .with(0, "")"#;
    finished.reduced().kinds(["int", "seq"]).to(["2", chain]);
}

#[test]
fn literals_in_an_assertion_but_not_what_it_expects() {
    let finished = Project::fixture("macros").reduce(["assertion"]).run();
    finished.reduced().to([r#""{""#, r#""""#]);
    let skipped = finished.events("skipped").next().unwrap();
    assert!(skipped["why"].as_str().unwrap().contains("an assertion expects"), "{finished}");
}

#[test]
fn a_formatted_text_as_the_value_that_it_has() {
    macros("formatted", [r#""""#, r#""{".to_string()"#]);
}

#[test]
fn literals_in_a_match_but_not_its_pattern() {
    macros("matched", [r#""{""#, r#""""#]);
}

/// The probe makes the macro accept what is no literal.
fn wanted_by_a_macro<const N: usize>(test: &str, reduced: [&str; N]) {
    let finished = Project::fixture("macros").reduce([test]).run();
    finished
        .reduced_in(3)
        .fails_with("panic", "a brace is not closed")
        .tier("in-process")
        .to(reduced);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn literals_that_an_own_macro_wants() {
    let reduced = [r#""""#, r#""""#, r#""{""#, r#""""#, r#""""#, r#""""#];
    wanted_by_a_macro("literals_of_an_own_macro", reduced);
}

#[test]
fn what_a_macro_inside_the_test_makes() {
    let reduced = [r#""""#, r#""{".to_string()"#];
    wanted_by_a_macro("literals_of_a_macro_in_the_test", reduced);
}

#[test]
fn literals_that_are_joined() {
    macros("joined", [r#""{""#, r#""""#]);
}

#[test]
fn a_constant_table() {
    tables("const_table", "seq", r#"&[("", "", "")]"#);
}

#[test]
fn a_static_array() {
    tables("static_array", "seq", r#"[""]"#);
}

#[test]
fn a_constant() {
    tables("constant", "str", r#""""#);
}

#[test]
fn a_helper_function() {
    tables("helper", "seq", r#"vec![""]"#);
}

/// What is made once in a process can only be changed in another one.
fn made_once<const N: usize>(test: &str, reduced: [&str; N]) {
    let finished = Project::fixture("tables").reduce([test]).run();
    finished.reduced_in(3).fails_with("panic", "a time has a colon").tier("process").to(reduced);
}

#[test]
fn a_static_that_is_filled_when_it_is_first_used() {
    made_once("lazy_static_table", [r#"vec![""]"#]);
}

#[test]
fn a_static_of_a_thread() {
    made_once("thread_local_table", ["vec![]", r#""""#]);
}

#[test]
fn a_list_that_is_made_once() {
    made_once("table_made_once", [r#"vec![""]"#]);
}

#[test]
fn an_included_text() {
    file("included_text", "file", 125);
}

#[test]
fn included_bytes() {
    file("included_bytes", "file", 32);
}

#[test]
fn a_file_that_is_read() {
    let finished = file("read_at_run_time", "str", 125);
    let helped = Project::fixture("files").reduce(["read_by_a_helper"]).run();
    helped.reduced();
    for finished in [finished, helped] {
        assert!(finished.regression_test().contains("\"a\""), "{finished}");
        assert!(!finished.regression_test().contains("read_to_string"), "{finished}");
        assert!(!finished.regression_test().contains("join"), "{finished}");
    }
}

/// Reduces the file that a test of the fixture has for its input, of this kind, to one element.
fn file(test: &str, kind: &str, elements: u64) -> Finished {
    let finished = Project::fixture("files").reduce([test]).run();
    finished.reduced().kinds([kind]);
    let reduced = finished.events("reduced").next().unwrap();
    assert_eq!(reduced["elements_before"], elements);
    assert_eq!(reduced["elements_after"], 1);
    finished
}

/// The value of an integer literal.
fn value_of(literal: &str) -> u64 {
    let digits = literal.replace('_', "").replace("u32", "");
    match digits.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).unwrap(),
        None => digits.parse().unwrap(),
    }
}

#[test]
fn what_comes_back_only_if_it_can_be_read_keeps_what_can() {
    for test in ["there_and_back", "joined"] {
        let finished = Project::fixture("random").reduce(["--test", "points", test]).run();
        finished.reduced_in(3);
        let test = finished.regression_test();
        assert!(test.contains("-5,6;") && !test.contains("7,8"), "{test}");
        assert!(finished.summary()["doubt"].is_string(), "{finished}");
    }
}

#[test]
fn the_operation_behind_which_is_compared_stays_the_last_one() {
    let finished = Project::fixture("sequences").reduce(["the_copy_is_up_to_date"]).run();
    let test = finished.reduced_in(3).regression_test().to_owned();
    assert_eq!(test.matches("Add(").count(), 3, "{test}");
    assert!(test.contains("Copy]") || test.contains("Copy,\n    ]"), "{test}");
}

#[test]
fn elements_of_a_list_go_with_those_that_they_make_of_the_expected_one() {
    let project = Project::fixture("sequences");
    let finished = project.reduce(["spans_that_touch_are_one"]).run();
    finished.reduced().to(["0", "vec![span(10, 20), span(12, 15)]", "vec![span(10, 20)]"]);
    assert!(finished.summary()["doubt"].is_string(), "{finished}");
    let finished = project.reduce(["names_are_written_in_capitals"]).run();
    finished.reduced();
    let texts: Vec<serde_json::Value> =
        finished.events("reduced").map(|event| event["text"].clone()).collect();
    assert!(texts.iter().all(|text| !text.as_str().unwrap().contains(',')), "{finished}");
}
