//! `--code` keeps the bug: what is left still tells failing inputs from passing ones.

use std::fs;

use super::finished::Finished;
use super::project::Project;
use super::texts::{holds, lacks};

/// How many tests of the package pass and fail under the plain `cargo test`.
fn plain(finished: &Finished) -> (usize, usize) {
    let output = finished.plain_test();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let count = |end: &str| said.lines().filter(|line| line.ends_with(end)).count();
    (count(" ... ok"), count(" ... FAILED"))
}

/// Expects that one of them fails, and others pass.
fn tells_apart(finished: &Finished, text: &str) {
    let (passing, failing) = plain(finished);
    assert!(passing > 0 && failing == 1, "{passing} pass: {text}");
}

/// As [`tells_apart`], where there is no doubt that this is about the bug.
fn tells_apart_for_sure(finished: &Finished, text: &str) {
    assert!(finished.summary()["doubt"].is_null(), "{finished}");
    tells_apart(finished, text);
}

/// The code under a test of the fixture reduced to what fails so, and what is left of a file of it.
fn reduced(test: &str, kind: &str, message: &str, file: &str) -> (Finished, String) {
    let finished = Project::fixture("contrast").reduce(["--code", test]).run();
    finished.code(0).fails_with(kind, message);
    let text = finished.left(file);
    (finished, text)
}

#[test]
#[ignore = "takes long: `just slow`"]
fn what_computes_the_places_that_do_not_fit_stays_for_the_sake_of_passing_inputs() {
    let project = Project::fixture("contrast");
    let given = "key = \"value\" # as it should be";
    let args = ["--code", "--contrast-input", given, "a_value_without_an_end"];
    let finished = project.reduce(args).run();
    finished.code(0).fails_with("panic", "slicing");
    let text = finished.left("tests/read.rs");
    // Not `&"x"[1..0]`, nor a place that is written out.
    holds(&text, [".find('\"')", ".rfind('\"')"]);
    // What we put in is gone, but for the text that the user wants to pass.
    lacks(&text, ["cargo_reduce", "split('#')"]);
    holds(&text, ["# as it should be"]);
    // What the test calls is more than to hand on, so it keeps its name.
    holds(&text, ["fn pairs("]);
    tells_apart(&finished, &text);
    let report = finished.left("report.md");
    holds(&report, ["\n\nThe test fails with `"]);
    // Passing tests are the reason for others, and have none of their own.
    assert_eq!(report.matches("\n- `pairs(").count(), 1, "{report}");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn a_panic_that_is_written_out_is_no_result_while_numbers_next_to_the_failing_ones_pass() {
    let (finished, text) = reduced("nothing_is_above", "panic", "divide by zero", "tests/read.rs");
    holds(&text, [".filter(", ".len()"]);
    // One knows the place by its function, and by the statement that fails.
    holds(&text, ["fn mean_above(", "sum / above.len() as i64"]);
    tells_apart(&finished, &text);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn without_contrast_the_smallest_source_is_left_and_in_doubt() {
    let finished = Project::fixture("contrast").code(["--strict", "nothing_is_above"]).run();
    finished.code(3).fails_with("panic", "divide by zero");
    let doubt = finished.summary()["doubt"].clone();
    assert!(doubt.as_str().unwrap().contains("--also-pass"), "{doubt}");
    assert!(!finished.left("tests/read.rs").contains(".filter("), "{finished}");
    let report = finished.left("report.md");
    holds(&report, ["\n\nIn doubt: "]);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn a_run_that_passes_has_to_come_near_the_failure() {
    let (finished, text) =
        reduced("the_last_field_ends_with_an_escape", "panic", "out of bounds", "tests/read.rs");
    // Not `rest = ""`, with which no run that passes would come to the slice.
    holds(&text, ["[1..]", ".find(',')", ".ends_with('\\\\')"]);
    lacks(&text, ["cargo_reduce"]);
    tells_apart(&finished, &text);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn tests_that_pass_keep_what_is_right_about_a_wrong_result() {
    let (finished, text) = reduced("parts_of_a_second", "panic", "left: 30090", "tests/read.rs");
    // What is wrong stays, and so does the input for which the value is expected.
    holds(&text, ["\"ms\"", "seconds(\"1m 30s 500ms\"), 90", "seconds(\"1h 2m 3s\"), 3723"]);
    tells_apart_for_sure(&finished, &text);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn inputs_for_which_the_stack_is_enough_pass_along() {
    let (finished, text) =
        reduced("a_bracket_without_an_end", "abort", "stack overflow", "tests/groups.rs");
    // Not `fn within() { within() }`.
    holds(
        &text,
        ["if !text.ends_with(')') => within(text)", "fn a_bracket_without_an_end_passes_1()"],
    );
    assert!(finished.summary()["doubt"].is_null(), "{finished}");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn other_rows_of_a_table_pass_along() {
    let project = Project::of_library(
        r"
        /// Whether each part is as large as `size`.
        pub fn is_even(all: u32, size: u32) -> bool {
            let parts = all.max(1) - 1;
            parts % size == size - 1 || parts == 0 && size == 1
        }

        #[cfg(test)]
        mod tests {
            fn check(rows: &[(u32, u32, bool)]) {
                for &(all, size, expected) in rows {
                    if expected {
                        assert!(super::is_even(all, size));
                    } else {
                        assert!(!super::is_even(all, size));
                    }
                }
            }

            #[test]
            fn rows() {
                check(&[(6, 3, true), (6, 1, true), (42, 5, false), (12, 6, true), (42, 0, false)]);
            }
        }
        ",
    );
    let finished = project.reduce(["--code", "rows"]).run();
    finished.code(0).fails_with("panic", "divisor of zero");
    let text = finished.left("src/lib.rs");
    // Not `if expected {}`, with what is expected as all that differs.
    lacks(&text, ["if expected"]);
    holds(&text, ["% size", "fn rows_passes"]);
    assert!(finished.summary()["doubt"].is_null(), "{finished}");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn inputs_for_which_the_test_ends_pass_along() {
    let project = Project::of_library(
        r#"
        pub fn words(text: &str) -> usize {
            let (mut at, mut words) = (0, 0);
            while at < text.len() {
                let rest = &text[at..];
                if rest.starts_with('#') {
                    // A comment goes to the end of the line.
                    if let Some(end) = rest.find('\n') {
                        at += end + 1;
                    }
                } else {
                    words += usize::from(rest.starts_with(' '));
                    at += 1;
                }
            }
            words
        }
        #[cfg(test)]
        mod tests {
            #[test]
            fn a_comment_at_the_end() {
                assert_eq!(super::words("one two # three\nfour # end"), 4);
            }
        }
    "#,
    );
    let args = ["--code", "--max-candidates", "200", "a_comment_at_the_end"];
    let finished = project.reduce(args).run();
    finished.code(0).fails_with("timeout", "does not finish in time").confirmed();
    let text = finished.left("src/lib.rs");
    // Not `loop {}`.
    holds(&text, [".find('\\n')", "fn a_comment_at_the_end_passes_1()"]);
    assert!(finished.summary()["doubt"].is_null(), "{finished}");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn what_a_value_is_expected_of_stays_beside_inputs_that_pass() {
    let project = Project::of_library(
        r"
        pub fn number(bytes: &mut &[u8]) -> Option<u32> {
            let mut result = 0;
            let mut shift = 0;
            while let Some((byte, rest)) = bytes.split_first() {
                *bytes = rest;
                if shift >= 14 {
                    return None;
                }
                result |= u32::from(byte & 0x7f) << shift;
                if byte & 0x80 == 0 {
                    return Some(result);
                }
                shift += 7;
            }
            None
        }
        #[test]
        fn a_number_of_two_bytes() {
            assert_eq!(number(&mut &[0x80, 1][..]), Some(128));
        }
        #[test]
        fn the_number_behind_one_that_is_too_large() {
            let mut bytes = &[0xff, 0xff, 0xff, 0xff, 0x01, 7][..];
            assert!(number(&mut bytes).is_none());
            assert_eq!(number(&mut bytes).unwrap(), 7);
        }
    ",
    );
    let test = "the_number_behind_one_that_is_too_large";
    let finished = project.reduce(["--code", "--max-candidates", "300", test]).run();
    finished.code(0).fails_with("panic", "left: 255").confirmed();
    // With fewer bytes in it, the 7 is expected of what no code has to give.
    holds(
        &finished.left("src/lib.rs"),
        [
            "fn the_number_behind_one_that_is_too_large() {\n    let mut bytes = &[0xff, 0xff, 0xff, 0xff, 0x01, 7]",
            "shift",
        ],
    );
}

#[test]
#[ignore = "takes long: `just slow`"]
fn rows_of_the_table_of_a_test_pass_along() {
    let project = Project::of_library(
        r#"
        pub fn words(text: &str) -> Vec<String> {
            let (mut words, mut word) = (Vec::new(), String::new());
            let mut symbols = text.chars();
            while let Some(symbol) = symbols.next() {
                match symbol {
                    ' ' => words.push(std::mem::take(&mut word)),
                    '\'' => loop {
                        match symbols.next() {
                            None | Some('\'') => break,
                            Some('\\') => word.extend(symbols.next()),
                            Some(symbol) => word.push(symbol),
                        }
                    },
                    _ => word.push(symbol),
                }
            }
            words.push(word);
            words
        }
        #[cfg(test)]
        static CASES: [(&str, &[&str]); 4] =
            [("a 'b c'", &["a", "b c"]), ("'a' b", &["a", "b"]), ("'\\a'", &["\\a"]), ("\\", &["\\"])];
        #[test]
        fn splits() {
            for (text, expected) in CASES {
                assert_eq!(words(text), expected, "{text}");
            }
            assert!(words("").is_empty());
        }
    "#,
    );
    let finished = project.reduce(["--code", "--max-candidates", "400", "splits"]).run();
    finished.code(0).fails_with("panic", "left: [\"a\"]").confirmed();
    let text = finished.left("src/lib.rs");
    // Not another input for which the same is wrong.
    holds(
        &text,
        [
            "Some('\\\\') => word.extend(symbols.next())",
            "(\"'\\\\a'\", &[\"\\\\a\"])",
            "fn splits_row_",
        ],
    );
    lacks(&text, ["is_empty"]);
    assert!(finished.summary()["doubt"].is_null(), "{finished}");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn what_the_test_does_goes_on_mattering() {
    let (finished, text) =
        reduced("groups_are_counted_anew", "panic", "left == right", "tests/groups.rs");
    // Not only a count that goes on.
    holds(&text, ["    groups.reset();", "fn reset(&mut self) {\n        self.outer = 0"]);
    assert!(!text.contains("cargo_reduce") && !text.contains("true"), "{text}");
    tells_apart(&finished, &text);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn what_a_test_has_passed_before_keeps_the_code_below_a_condition() {
    let project = Project::of_library(
        "pub fn root(of: f64, by: f64) -> f64 { (of.ln() * scale(by)).exp() }\n\
         fn scale(by: f64) -> f64 { if by > 0.0 { 1.0 / by } else { 0.0 } }\n\
         #[cfg(test)] mod tests {\n    use super::*;\n\
         fn close(a: f64, b: f64) -> bool { (a - b).abs() < 1e-9 }\n\
         #[test] fn roots() {\n        assert!(close(root(9.0, 2.0), 3.0));\n        \
         assert!(close(root(8.0, 3.0), 2.0));\n        assert!(close(root(-8.0, 3.0), -2.0));\n        \
         for n in 1..9 {\n            assert!(close(root(f64::from(-n), 1.0), f64::from(-n)));\n        }\n    }\n}\n",
    );
    let finished = project.reduce(["--code", "roots"]).run();
    finished.code(0).fails_with("panic", "assertion failed");
    let text = finished.left("src/lib.rs");
    // Any code that misses -2 fails so; of that one other roots are right.
    holds(&text, [".ln()", ".exp()", "fn roots_passing_before()"]);
    lacks(&text, ["for n in"]);
    tells_apart_for_sure(&finished, &text);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn macros_by_which_passing_tests_assert_still_ask_the_code() {
    let project = Project::of_library(
        "pub fn hours(text: &str) -> u32 {\n    let digits = text.trim_end_matches('h');\n    \
         if digits.len() > 2 {\n        return 0;\n    }\n    digits.parse().unwrap_or(0)\n}\n\
         #[macro_export]\nmacro_rules! same {\n    ($text:expr, $hours:expr) => {{\n        \
         let found = $crate::hours($text);\n        assert_eq!(found, $hours);\n    }};\n}\n\
         #[cfg(test)] mod tests {\n    #[test] fn short() { same!(\"7h\", 7); same!(\"12h\", 12); }\n    \
         #[test] fn long() {\n        let mut all = vec![\"8760h\"];\n        println!(\"{all:?}\");\n        \
         if let Some(first) = std::env::args().nth(99) {\n            all.push(Box::leak(first.into_boxed_str()));\n        }\n        \
         assert_eq!(super::hours(all[0]), 8760);\n    }\n}\n",
    );
    let finished = project.reduce(["--code", "long"]).run();
    finished.code(0).fails_with("panic", "left == right");
    let text = finished.left("src/lib.rs");
    holds(&text, ["assert_eq!", ".parse()", "same!(\"7h\", 7)"]);
    // What only prints is no step, and one that has never mattered casts no doubt.
    lacks(&text, ["{all:?}"]);
    tells_apart_for_sure(&finished, &text);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn helpers_of_tests_in_files_of_their_own_still_ask_the_code() {
    let project = Project::of_library(
        "pub fn range(text: &str) -> Result<(u32, u32), &'static str> {\n    \
         if let Some(rest) = text.strip_prefix('*') {\n        \
         return if rest.is_empty() { Ok((0, 9)) } else { Err(\"text behind the wildcard\") };\n    }\n    \
         let number = text.parse().map_err(|_| \"no number\")?;\n    Ok((number, number + 1))\n}\n",
    );
    let write = |path: &str, text: &str| {
        let path = project.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write(
        "tests/util/mod.rs",
        "pub fn of(text: &str) -> (u32, u32) { calc::range(text).unwrap() }\n\
         pub fn error_of(text: &str) -> String { calc::range(text).unwrap_err().to_string() }\n",
    );
    write(
        "tests/ranges.rs",
        "mod util;\nuse util::*;\n#[test]\nfn wildcards() {\n    let all = of(\"*\");\n    \
         assert_eq!(error_of(\"*1\"), \"text behind the wildcard\");\n    assert_eq!(all, of(\"*\"));\n}\n\
         #[test]\nfn two() {\n    assert_eq!(error_of(\"*, 1\"), \"a wildcard stands alone\");\n}\n",
    );
    let finished = project.reduce(["--code", "two"]).run();
    finished.code(0).fails_with("panic", "left == right");
    let text = finished.left("tests/ranges.rs");
    holds(&text, ["strip_prefix('*')", "Ok((0, 9))", ".unwrap()"]);
    tells_apart(&finished, &text);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn inputs_pass_along_in_a_crate_without_std() {
    let (finished, text) =
        reduced("nothing_is_passed", "panic", "left: Some(2)", "tests/cursor.rs");
    // Not a cursor that stands at 1 whatever the test does.
    assert!(text.contains("self.at += by"), "{text}");
    assert!(text.contains("self.at -= 1"), "{text}");
    assert!(text.contains("fn nothing_is_passed_passes_1()"), "{text}");
    tells_apart(&finished, &text);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn what_has_to_be_refused_stays_as_it_is() {
    let (finished, text) =
        reduced("a_sign_is_missing", "panic", "assertion failed", "tests/refused.rs");
    // Not `sum("()")` or `sum("(1)")`, which correct code accepts.
    assert!(text.contains("sum(\"4(1+2)\").is_none()"), "{text}");
    tells_apart(&finished, &text);
}

#[test]
fn a_text_that_does_not_pass_is_no_contrast() {
    let project = Project::fixture("contrast");
    let args = ["--code", "--contrast-input", "name = \"y", "a_value_without_an_end"];
    let finished = project.reduce(args).run();
    finished.error("error", "so that text cannot be a contrast", ["--contrast-input"]);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn tests_of_the_library_keep_what_is_right_where_the_target_has_no_others() {
    let (finished, text) =
        reduced("ten_comes_behind_nine", "panic", "left: Some(\"1.9\")", "tests/version.rs");
    holds(&text, ["fn later_versions_win()", ".split_once('.')"]);
    lacks(&text, ["fn fields"]);
    tells_apart_for_sure(&finished, &text);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn runs_end_behind_the_failure_also_where_the_original_inputs_fail_later() {
    let project = Project::fixture("vendored");
    let finished = project
        .reduce(["--code", "--reduce-package", "counting", "unknown_words"])
        .args(["--max-candidates", "30"])
        .run();
    finished.code(0).says("inputs similar to the failing one");
    assert!(!finished.stderr.contains("no similar passing input could be found"), "{finished}");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn what_makes_values_of_the_expected_kind_stays_though_passing_tests_do_not_look_at_them() {
    let project = Project::fixture("chunks");
    let finished = project.reduce(["--code", "a_number_alone"]).run();
    finished.code(0).fails_with("panic", "Word(\"1\")");
    let text = finished.left("src/lib.rs");
    // Without the branch that should have been taken nobody sees what is wrong with it.
    holds(&text, ["rest.chars().next()", "Some((rest, Chunk::Number("]);
    // A test that expects the wrong kind for another number would be no better than the failing one.
    lacks(&text, ["Chunk::Word(\"11\""]);
    // What the code makes of other numbers today is not shown where a test says what is right.
    holds(&text, ["fn chunks_are_counted()"]);
    lacks(&text, ["chunk(\"1.\")"]);
    assert_eq!(finished.summary()["doubt"], serde_json::Value::Null, "{finished}");
    assert_eq!(plain(&finished), (1, 1), "{text}");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn what_a_test_asserts_besides_the_failure_passes_along() {
    let (finished, text) = reduced("temperatures", "panic", "left: \"20 C\"", "tests/colder.rs");
    // What is wrong is that the sign goes, and both are compared.
    holds(
        &text,
        [
            "trim_start_matches('-')",
            ".parse()",
            "fn temperatures_are_compared_passing()",
            "assert_eq!(colder(warm, \"3 C\"), \"3 C\");",
        ],
    );
    assert_eq!(text.matches("frost = ").count(), 1, "{text}");
    tells_apart_for_sure(&finished, &text);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn tests_pass_along_where_the_code_that_fails_does_not_run_with_passing_inputs() {
    let (finished, text) =
        reduced("no_bit_is_set", "panic", "index out of bounds", "tests/bits.rs");
    // Not a place that is written out: it is the one behind the last byte.
    holds(&text, ["end / 8", "fn bits_are_counted()"]);
    // With those inputs nothing runs.
    lacks(&text, ["_passes"]);
    tells_apart_for_sure(&finished, &text);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn tests_pass_along_where_the_same_places_run_with_all_passing_inputs() {
    let (finished, text) =
        reduced("the_hole_is_taken_first", "panic", "unreachable", "tests/taken.rs");
    // Not a place that is written out: a free one knows the next one.
    holds(&text, ["self.next = match", "fn places_are_taken_again()"]);
    tells_apart_for_sure(&finished, &text);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn a_test_that_a_macro_makes_fails_with_the_same_wrong_result() {
    let finished = Project::fixture("contrast").reduce(["--code", "lists_with_parts"]).run();
    // Not at the first value of the list, with any other one.
    finished.code(0).fails_with("panic", "left: 30000");
    let text = finished.left("tests/lists.rs");
    holds(&text, ["\"ms\""]);
    tells_apart(&finished, &text);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn a_test_that_a_macro_makes_has_inputs_that_pass() {
    let project = Project::of_library(
        r##"
        pub fn color(text: &str) -> Result<[u8; 4], String> {
            let digits = text.strip_prefix('#').ok_or("no sign")?;
            let digit = |at: usize| u8::from_str_radix(&digits[at..=at], 16).map_err(|it| it.to_string());
            match digits.len() {
                3 => Ok([digit(0)? * 17, digit(1)? * 17, digit(2)? * 17, 255]),
                length => Err(format!("{length} digits")),
            }
        }
        macro_rules! reads {
            ($name:ident, $text:expr, $color:expr) => {
                #[test]
                fn $name() {
                    assert_eq!(color($text).unwrap(), $color);
                }
            };
        }
        reads!(black, "#000", [0, 0, 0, 255]);
        reads!(half_black, "#0008", [0, 0, 0, 0x88]);
    "##,
    );
    let finished = project.reduce(["--code", "half_black"]).run();
    finished.code(0).fails_with("panic", "4 digits").confirmed();
    let text = finished.left("src/lib.rs");
    // Not `Err("4 digits").unwrap()`.
    holds(&text, ["3 => ", "length => ", "fn half_black() {", "fn half_black_passes"]);
    tells_apart_for_sure(&finished, &text);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn bytes_of_several_lengths_have_one_type_where_a_branch_of_the_test_expects_something() {
    let project = Project::of_library(
        r#"
        pub fn seconds<R: std::io::Read>(mut from: R) -> Result<u8, String> {
            let mut bytes = Vec::new();
            from.read_to_end(&mut bytes).map_err(|error| error.to_string())?;
            match bytes.as_slice() {
                [b'S', length, rate, ..] => Ok(length / rate),
                _ => Err("no header".to_owned()),
            }
        }
        #[test]
        fn a_rate_of_zero_is_refused() {
            let bytes = b"S\x09\x00data";
            match seconds(&bytes[..]) {
                Err(message) => assert_eq!(message, "no rate"),
                Ok(seconds) => panic!("{seconds} seconds"),
            }
        }
    "#,
    );
    let finished = project.reduce(["--code", "a_rate_of_zero_is_refused"]).run();
    finished.code(0).fails_with("panic", "divide by zero").confirmed();
    let text = finished.left("src/lib.rs");
    // What is read is a slice, not a reference to an array.
    holds(
        &text,
        ["length / rate", "seconds(&b\"S\\0\\0\"[..]);", "fn a_rate_of_zero_is_refused_passes_1()"],
    );
    tells_apart_for_sure(&finished, &text);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn inputs_pass_along_that_a_test_puts_into_a_file() {
    let project = Project::of_library(
        r#"
        pub fn lines(path: &std::path::Path) -> usize {
            let text = std::fs::read_to_string(path).unwrap();
            text.lines().filter(|line| line.starts_with('[')).count()
        }
        #[test]
        fn sections_of_a_file_with_a_mark() {
            let path = std::env::temp_dir().join("sections_of_a_file");
            std::fs::write(&path, b"\xEF\xBB\xBF[one]\n").unwrap();
            assert_eq!(lines(&path), 1);
        }
    "#,
    );
    let finished = project.reduce(["--code", "sections_of_a_file_with_a_mark"]).run();
    finished.code(0).fails_with("panic", "left: 0").confirmed();
    let text = finished.left("src/lib.rs");
    // They would come in each other's way.
    holds(&text, ["starts_with('[')", "read_to_string(", "TURNS.lock()"]);
    tells_apart(&finished, &text);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn inputs_in_constants_of_the_test_have_passing_neighbours() {
    let (finished, text) = reduced("a_group_without_an_end", "panic", "a*z", "tests/escapes.rs");
    // What is wrong is not that nothing is cleared, but that this is left out behind a group.
    holds(&text, [".clear()"]);
    let (before, _) = text.split_once(".clear()").unwrap();
    assert!(before.contains("Escape::Group => {}"), "{text}");
    tells_apart_for_sure(&finished, &text);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn what_a_test_does_before_it_compares_stays_for_the_value_that_it_expects() {
    let (finished, text) =
        reduced("who_gets_more_points", "panic", "left: Some(\"Bob\")", "tests/ranking.rs");
    let (test, _) = text.split_once("_passing()").unwrap();
    // Not a test that expects `Ada` where nobody has said so.
    for step in ["ranking.add(\"Ada\", 0)", "*points = 2", "ranking.settle()"] {
        assert!(test.contains(step), "{step}: {text}");
    }
    tells_apart(&finished, &text);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn the_package_has_the_files_that_passing_tests_read_when_they_run() {
    let project = Project::fixture("opened");
    let tests = "use opened::count;\n\n#[test]\nfn words_are_numbers() {\n    assert_eq!(count(\"two x cup\"), 2);\n}\n\n\
                 #[test]\nfn totals_are_told() {\n    \
                 let totals = std::fs::read_to_string(\"tests/data/totals.txt\").unwrap();\n    \
                 assert!(totals.contains(\" = \") && count(\"3 x bowl\") == 3);\n}\n";
    std::fs::write(project.root().join("tests/told.rs"), tests).unwrap();
    let finished = project
        .code(["--test", "told", "--also-pass", "totals_are_told", "words_are_numbers"])
        .run();
    finished.code(0).fails_with("panic", "left == right");
    assert_eq!(plain(&finished), (1, 1), "{finished}");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn methods_by_which_passing_tests_assert_still_ask_the_code() {
    let project = Project::of_library(
        "pub fn minutes(text: &str) -> u32 {\n    let (hours, rest) = text.split_once('h').unwrap_or((\"0\", text));\n    \
         let rest = rest.trim_end_matches(\"min\");\n    hours.parse::<u32>().unwrap() * 60 + rest.parse::<u32>().unwrap()\n}\n",
    );
    fs::create_dir_all(project.root().join("tests")).unwrap();
    fs::write(
        project.root().join("tests/times.rs"),
        "struct Times(Vec<(&'static str, u32)>);\nimpl Times {\n    fn run(self) {\n        \
         for (text, expected) in self.0 {\n            assert_eq!(calc::minutes(text), expected);\n        }\n    }\n}\n\
         #[test]\nfn all() { Times(vec![(\"1h5\", 65), (\"7min\", 7)]).run(); }\n\
         #[test]\nfn hours() {\n    let of = |text| calc::minutes(text);\n    assert_eq!(of(\"2h\"), 120);\n}\n",
    )
    .unwrap();
    let finished = project.reduce(["--code", "--contrast", "tests", "hours"]).run();
    finished.code(0).fails_with("panic", "");
    let text = finished.left("tests/times.rs");
    holds(&text, ["assert_eq!(", "expected", ".split_once('h')", "* 60"]);
    tells_apart(&finished, &text);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn inputs_two_steps_away_pass_along_if_none_nearer_comes_to_the_failure() {
    let project = Project::of_library(
        r#"
        /// The sign before the first one in which two names differ, if both go on there.
        pub fn before_the_fork(left: &str, right: &str) -> Option<u8> {
            let pairs = left.bytes().zip(right.bytes());
            let common = pairs.take_while(|(one, other)| one == other).count();
            if common == left.len() || common == right.len() {
                return None;
            }
            let shared = &left.as_bytes()[..common];
            Some(shared[common - 1])
        }
        #[test]
        fn names_that_share_nothing() {
            before_the_fork("harbour", "quay");
        }
    "#,
    );
    let finished = project.reduce(["--code", "names_that_share_nothing"]).run();
    finished.code(0).fails_with("panic", "subtract with overflow").confirmed();
    let text = finished.left("src/lib.rs");
    // Next to `("h", "q")` nothing passes that is compared; where it is, both begin alike and go on.
    holds(&text, ["take_while(", "common - 1", "_passes_1()"]);
    tells_apart_for_sure(&finished, &text);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn inputs_pass_along_where_parameters_have_no_names() {
    let project = Project::of_library(
        r#"
        pub trait Performs { fn perform(&mut self, u8); }
        pub struct Last(pub u8);
        impl Performs for Last { fn perform(&mut self, it: u8) { self.0 = it; } }
        pub fn each<P: Performs>(bytes: &[u8], to: &mut P) {
            let mut list = [0; 4];
            let mut count = 0;
            for byte in bytes {
                if *byte == b';' && count < 4 { count += 1; } else { list[count] = *byte; }
            }
            to.perform(list[0]);
        }
        #[test]
        fn many_parts() {
            static INPUT: &'static [u8] = b"1;2;3;4;5";
            each(INPUT, &mut Last(0));
        }
    "#,
    );
    let manifest = project.root().join("Cargo.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("2021", "2015")).unwrap();
    let finished = project.reduce(["--code", "many_parts"]).run();
    finished.code(0).fails_with("panic", "index out of bounds").confirmed();
    let text = finished.left("src/lib.rs");
    holds(&text, ["_passes_1()", "count += 1", "list[count]"]);
    tells_apart_for_sure(&finished, &text);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn an_input_that_a_passing_test_shares_is_small_for_the_failing_one_only() {
    let project = Project::of_library(
        r#"
        /// The word before the colon of a line.
        pub fn head(text: &str, line: usize) -> &str {
            let line = text.lines().nth(line).unwrap_or_default();
            let end = line.find(':').unwrap();
            &line[..end]
        }

        #[cfg(test)]
        mod notes {
            use super::head;

            const NOTE: &str = "oak: two crates\nash, one crate\nelm: one crate, and a box\n";

            #[test]
            fn the_first_has_a_head() {
                assert_eq!(head(NOTE, 0), "oak");
            }

            #[test]
            fn the_second_has_a_head() {
                assert_eq!(head(NOTE, 1), "ash");
            }
        }
    "#,
    );
    let finished = project.reduce(["--code", "the_second_has_a_head"]).run();
    finished.code(0).fails_with("panic", "`None`");
    lacks(&finished.stderr, ["Skipping"]);
    let text = finished.left("src/lib.rs");
    holds(&text, ["fn the_first_has_a_head", "\"oak:", "const NOTE: &str = \"\";", ".find(':')"]);
    tells_apart(&finished, &text);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn an_error_of_a_function_that_no_other_test_runs_is_in_doubt() {
    let project = Project::of_library(
        r#"
        /// How long a text is that may be taken away from others.
        pub fn size(text: &str) -> Result<usize, String> {
            match text.strip_prefix('-') {
                Some(rest) => below_nothing(rest),
                None => Ok(text.len()),
            }
        }

        fn below_nothing(text: &str) -> Result<usize, String> {
            let (end, _) = text.char_indices().last().unwrap_or_default();
            Err(format!("too small: {end}"))
        }

        #[cfg(test)]
        mod sizes {
            use super::size;

            #[test]
            fn a_text_has_a_size() {
                assert_eq!(size("oak"), Ok(3));
            }

            #[test]
            fn less_has_a_size() -> Result<(), String> {
                size("-ash")?;
                Ok(())
            }
        }
    "#,
    );
    let finished = project.reduce(["--code", "--contrast", "tests", "less_has_a_size"]).run();
    finished.code(0).fails_with("error", "too small");
    let doubt = finished.summary()["doubt"].clone();
    let doubt = doubt.as_str().unwrap_or_default();
    holds(doubt, ["only the failing test runs `below_nothing`"]);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn what_runs_in_the_failing_run_alone_runs_in_a_passing_one_if_any_input_gets_there() {
    let project = Project::of_library(
        r#"
        #[derive(Debug)]
        enum Relation {
            Exact,
            Less,
        }

        #[derive(Debug)]
        struct Partial {
            major: u64,
            minor: Option<u64>,
            patch: Option<u64>,
        }

        fn relation(text: &str) -> Option<(Relation, &str)> {
            let exact = text.strip_prefix('=').map(|rest| (Relation::Exact, rest));
            exact.or_else(|| text.strip_prefix('<').map(|rest| (Relation::Less, rest)))
        }

        fn partial(text: &str) -> Option<Partial> {
            let mut parts = text.split('.').map(|part| part.parse::<u64>().ok());
            let major = parts.next()??;
            Some(Partial { major, minor: parts.next().flatten(), patch: parts.next().flatten() })
        }

        /// The least version that a requirement is about.
        pub fn least(text: &str) -> Option<[u64; 3]> {
            let (relation, rest) = relation(text)?;
            Some(match (relation, partial(rest)?) {
                (Relation::Less, _) => [0; 3],
                (Relation::Exact, Partial { major, minor: Some(minor), patch: Some(patch) }) => {
                    [major, minor, patch]
                }
                odd => unreachable!("odd requirement: {odd:?}"),
            })
        }

        #[test]
        fn a_minor_version_is_enough() {
            least("=0.7");
        }
    "#,
    );
    let finished = project.reduce(["--code", "a_minor_version_is_enough"]).run();
    finished.code(0).fails_with("panic", "odd requirement");
    let text = finished.left("src/lib.rs");
    // Not an arm that any exact requirement comes to.
    holds(&text, ["patch: Some(", "least(\"=0.0.0\")"]);
    tells_apart_for_sure(&finished, &text);
}

/// A library with a wrong result, beside tests that pass: one of them draws by chance how often it asks.
const BY_CHANCE: &str = r#"
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

pub fn depth(text: &str) -> usize {
    text.split(' ').map(levels).sum()
}

fn levels(part: &str) -> usize {
    match part {
        "(" => 1,
        "((" => 1,
        _ => 0,
    }
}

pub fn trimmed(text: &str) -> &str {
    text.trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_chance() -> u64 {
        RandomState::new().build_hasher().finish() % 1000
    }

    #[test]
    fn two_levels() {
        assert_eq!(depth("( (("), 3);
    }

    #[test]
    fn one_level() {
        for _ in 0..by_chance() {
            assert_eq!(depth("("), 1);
        }
    }

    #[test]
    fn levels_side_by_side() {
        assert_eq!(depth(trimmed("( x ( ")), 2);
    }
}
"#;

#[test]
#[ignore = "takes long: `just slow`"]
fn a_test_that_runs_by_chance_does_not_stand_beside_the_failing_one() {
    let project = Project::of_library(BY_CHANCE);
    let finished = project.reduce(["--code", "tests::two_levels"]).run();
    finished.code(0).fails_with("panic", "left: 2");
    let text = finished.left("src/lib.rs");
    holds(&text, ["levels_side_by_side", "\"((\" => 1"]);
    assert!(!text.contains("one_level"), "{text}");
}
