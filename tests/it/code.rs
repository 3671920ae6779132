//! `--code`: the smallest package that still fails in the same way.

use std::fs;

use super::project::Project;
use super::texts::{holds, lacks};

/// A text without white space.
fn dense(text: &str) -> String {
    text.split_whitespace().collect()
}

#[test]
#[ignore = "takes long: `just slow`"]
fn a_reduction_does_not_slip_to_an_equal_failure() {
    let finished = Project::fixture("two-unwraps").code(["area"]).run();
    finished.code(0).fails_with("panic", "`None` value").confirmed();
    // The `unwrap` of `get`, not that of `read`, which fails with the same message.
    let text = finished.left("src/lib.rs");
    lacks(&text, ["split_once", "keys_are_trimmed"]);
    assert!(text.len() < 500, "{text}");
    // Most of it was decided without compiling.
    finished.says("Removing code at ").says(" candidates in one process");
    let file = finished.events("file").next().unwrap();
    assert_eq!(file["path"], "src/lib.rs");
    assert_eq!(file["bytes_after"], text.len());
}

#[test]
#[ignore = "takes long: `just slow`"]
fn what_panics_in_the_standard_library_is_known_by_the_call_that_leads_there() {
    let finished = Project::fixture("two-sums").code(["a_heavy_load"]).run();
    finished.code(0).fails_with("panic", "overflow").confirmed();
    finished.says("the call that leads to the failure: src/lib.rs:23:29");
    // The sum of `total`, not that of `read`, which overflows at the same place in the standard library when
    // nothing is left out.
    let text = finished.left("src/lib.rs");
    holds(&text, ["self.weights.iter().sum()"]);
    assert!(text.len() < 400, "{text}");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn a_wrong_result_stays_the_same_one_where_a_table_says_what_is_right() {
    let finished = Project::fixture("numerals").code(["a_table_of_numerals"]).run();
    finished.code(0).fails_with("panic", "left: \"VIV\"\n right: \"IX\"");
    finished.says("only code with exactly the same wrong result counts");
    let text = finished.left("src/lib.rs");
    assert!(text.len() < 320, "{text}");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn a_message_that_repeats_the_input_does_not_keep_it() {
    let finished = Project::fixture("no-sum").code(["a_long_sum"]).run();
    finished.code(0).fails_with("panic", "no sum in").confirmed();
    let text = finished.left("src/lib.rs");
    assert!(text.contains("\"4+x\"") && text.contains("no sum in"), "{text}");
    assert!(text.len() < 96, "{text}");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn a_call_gives_way_to_what_it_always_yields() {
    let project = Project::of_library(
        r#"
        pub mod error {
            #[derive(Debug, Clone, PartialEq)]
            pub enum Error { Unexpected { symbol: char, at: usize }, End(Option<Box<Error>>) }
        }
        use error::Error;
        pub struct Scanner<'a> { text: &'a str, at: usize }
        impl<'a> Scanner<'a> {
            pub fn new(text: &'a str) -> Self { Scanner { text, at: 0 } }
            pub fn number(&mut self) -> Result<u32, Error> {
                let mut value = 0;
                for symbol in self.text[self.at..].chars() {
                    match symbol.to_digit(10) {
                        Some(digit) => value = value * 10 + digit,
                        None if symbol == '+' => break,
                        None => return Err(Error::Unexpected { symbol, at: self.at }),
                    }
                    self.at += 1;
                }
                Ok(value)
            }
        }
        pub fn sum(text: &str) -> Result<u32, Error> {
            let mut scanner = Scanner::new(text);
            let first = scanner.number()?;
            if scanner.at == text.len() { return Ok(first); }
            scanner.at += 1;
            Ok(first + scanner.number()?)
        }
        #[cfg(test)]
        mod tests {
            #[test]
            fn sums() {
                assert_eq!(super::sum("1+2"), Ok(3));
                super::sum("12+x").unwrap();
            }
        }
    "#,
    );
    let finished = project.code(["sums"]).run();
    finished.code(0).fails_with("panic", "Unexpected { symbol:");
    let left = finished.left("src/lib.rs");
    assert!(!left.contains("Scanner") && left.len() < 260, "{left}");
}

#[test]
fn who_asserts_a_condition_hears_how_to_keep_what_it_is_about() {
    let project = Project::of_library(
        "pub fn even(n: u8) -> bool { n % 3 == 0 }\n#[test]\nfn two() { assert!(even(2)); }\n",
    );
    let finished = project.code(["two", "--max-candidates", "20"]).run();
    finished.code(0).says("any code that makes it false counts");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn what_an_assertion_compares_stays() {
    let finished = Project::fixture("markup").code(["quotes_outside"]).run();
    finished.code(0).fails_with("panic", "a quote is open");
    let text = finished.left("src/lib.rs");
    assert!(dense(&text).contains("tag||!quote"), "{text}");
    assert!(text.len() < 400, "{text}");
    assert!(finished.left("report.md").contains("happens"), "{finished}");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn behaviour_that_another_test_wants_survives() {
    let project = Project::fixture("markup");
    let finished = project.code(["quotes_outside", "--also-pass", "tags_are_removed"]).run();
    finished.code(0);
    let text = finished.left("src/lib.rs");
    let text = dense(&text);
    holds(&text, ["tag||!quote"]);
    // The test that has to pass is as it was, and so is what it needs.
    let kept = "assert_eq!(remove_markup(\"a<b>c</b>\"),\"ac\")";
    assert!(text.contains(kept), "{text}");
    holds(&text, ["push("]);
    lacks(&text, ["modtests"]);
    finished.says(" quotes_outside_of_tags_stay -- --exact");
}

#[test]
fn a_test_that_does_not_pass_cannot_be_kept_passing() {
    let project = Project::fixture("markup");
    let finished = project.code(["quotes_outside", "--also-pass", "no_such_test"]).run();
    finished.code(1);
    assert!(finished.stderr.contains("no passing test matches `no_such_test`"), "{finished}");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn libraries_become_modules_of_one_file() {
    let finished = Project::fixture("path-dep").package("app").code(["--diff-from-original"]).run();
    finished.code(0);
    let file = finished.events("file").next().unwrap();
    let path = file["path"].as_str().unwrap();
    assert_eq!(finished.events("file").count(), 1, "{finished}");
    let text = finished.left(path);
    lacks(&text, ["fn main"]);
    let diff = finished.events("source-diff").next().unwrap();
    assert!(diff["text"].as_str().unwrap().starts_with("--- a/"), "{finished}");
    assert!(!finished.left("Cargo.toml").contains("path ="), "{finished}");
}

#[test]
fn the_passes_are_listed() {
    let finished = Project::empty().reduce(["--list-passes"]).for_people().run();
    finished.code(0);
    assert!(finished.stdout.contains("statements: "), "{finished}");
    assert!(finished.stdout.contains(" -> "), "{finished}");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn the_inputs_of_a_stack_that_overflows_come_first() {
    let finished = Project::fixture("outcomes").code(["overflows_the_stack"]).run();
    finished.code(0).fails_with("abort", "stack overflow");
    finished.says("the inputs from 25 elements to 1");
    let text = finished.left("tests/outcomes.rs");
    assert!(text.split_whitespace().count() < 30, "{text}");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn what_a_test_compares_with_a_float_that_nobody_types_is_written() {
    let project = Project::of_library(
        r#"
        fn read(text: &str) -> Vec<f64> {
            text.split(' ').map(|word| word.parse().unwrap()).collect()
        }
        fn clamped(bounds: &[f64]) -> f64 {
            bounds[0].clamp(bounds[1], bounds[2])
        }
        fn run(text: &str) -> f64 {
            clamped(&read(text))
        }
        #[test]
        fn stays_within() {
            assert_eq!(run("7 10 5"), 7.0);
        }
    "#,
    );
    let finished = project.code(["stays_within"]).run();
    finished.code(0).fails_with("panic", "min > max");
    let text = finished.left("src/lib.rs");
    lacks(&text, ["parse"]);
    holds(&text, ["clamp("]);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn the_literals_that_are_left_are_minimal() {
    let finished = Project::fixture("squares").code(["squares_are_compared"]).run();
    finished.code(0).fails_with("panic", "multiply with overflow").confirmed();
    // The smallest number whose square is too large.
    let text = finished.left("src/lib.rs");
    holds(&text, ["46341"]);
}

/// What fails as soon as a square is too large, when `chance` lets it.
fn squares(chance: &str) -> Project {
    Project::of_library(&format!(
        r#"
        pub fn largest_square(text: &str) -> Option<i32> {{
            let numbers = text.split(' ').map(|word| word.parse::<i32>().unwrap());
            numbers.map(|number| number * number).max()
        }}
        #[test]
        fn squares_are_compared() {{
            {chance}
            assert_eq!(largest_square("17 68391"), Some(289));
        }}
    "#
    ))
}

#[test]
#[ignore = "takes long: `just slow`"]
fn the_literals_of_a_flaky_test_are_minimal() {
    let chance = "use std::hash::{BuildHasher, RandomState};
        if RandomState::new().hash_one(0) % 4 == 0 { return; }";
    let project = squares(chance);
    let finished = project.code(["squares_are_compared", "--runs", "30"]).run();
    finished.code(0).fails_with("panic", "multiply with overflow");
    let text = finished.left("src/lib.rs");
    holds(&text, ["46341"]);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn the_literals_get_a_share_of_a_search_that_was_cut_short() {
    let project = squares("");
    let finished = project.code(["--max-candidates", "200"]).run();
    finished.code(0).says("the search stopped at its limit");
    let text = finished.left("src/lib.rs");
    lacks(&text, ["8391"]);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn large_inputs_are_minimized_before_the_code() {
    let finished = Project::fixture("strings").code(["continued", "--max-candidates", "200"]).run();
    finished.code(0).fails_with("panic", "tabs are not supported");
    finished.says("Minimizing the inputs first");
    let text = dense(&finished.left("tests/strings.rs"));
    holds(&text, ["=\"\\t\";"]);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn a_case_with_listed_values_becomes_a_plain_test() {
    let project = Project::fixture("cases");
    let test = "tests::listed::case_1::things_3_7::name_2__b_";
    let finished = project.code([test]).run();
    finished.code(0).fails_with("panic", "the shelf is full");
    let text = finished.left("src/lib.rs");
    holds(&text, ["#[test]"]);
    assert!(!text.contains("rstest") && !text.contains("values"), "{text}");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn fixtures_with_arguments_become_plain_functions() {
    let finished = Project::fixture("cases").code(["tests::given"]).run();
    finished.code(0).fails_with("panic", "the shelf is full");
    let text = finished.left("src/lib.rs");
    holds(&text, ["#[test]"]);
    assert!(!text.contains("rstest") && !text.contains("fixture"), "{text}");
    let manifest = finished.left("Cargo.toml");
    lacks(&manifest, ["rstest"]);
}

#[test]
fn it_is_told_why_files_stay_apart() {
    let project = Project::of_library("mod a;\n#[test]\nfn fails() { a::check(); }\n");
    let check = "pub fn check() { if file!().ends_with(\"a.rs\") { panic!(\"here\") } }\n";
    fs::write(project.root().join("src/a.rs"), check).unwrap();
    let finished = project.code(["fails", "--max-candidates", "20"]).for_people().run();
    finished.code(0).says("Keeping the files separate: as one file the test passes");
}
