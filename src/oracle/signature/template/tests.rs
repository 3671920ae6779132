use super::template;

/// All of these are the same failure.
fn same(messages: &[&str]) {
    for message in messages {
        assert_eq!(template(message), template(messages[0]), "{message}");
    }
}

/// No two of these are the same failure.
fn distinct(messages: &[&str]) {
    for (index, one) in messages.iter().enumerate() {
        for other in &messages[..index] {
            assert_ne!(template(one), template(other), "{one} | {other}");
        }
    }
}

#[test]
fn text_slicing_messages_lose_the_text() {
    same(&[
        "byte index 5 is not a char boundary; it is inside 'é' (bytes 4..6) of `caféx`",
        "byte index 1 is not a char boundary; it is inside 'é' (bytes 0..2) of `é`",
        "byte index 1 is not a char boundary; it is inside '`' (bytes 0..2) of `aé\"`b`",
        "byte index 1 is not a char boundary; it is inside '\\u{301}' (bytes 0..2) of ``",
        "byte index 1 is not a char boundary; it is inside ''' (bytes 0..2) of `'`",
        "byte index 1 is not a char boundary; it is inside '\\'' (bytes 0..2) of `'\"`",
        "byte index 1 is not a char boundary; it is inside '\\' (bytes 0..2) of `\\`",
    ]);
    same(&[
        "byte index 5 is out of bounds of `ab`",
        "byte index 15 is out of bounds of `it's \"so\"`",
    ]);
    distinct(&[
        "start byte index 5 is out of bounds of `ab`",
        "end byte index 5 is out of bounds of `ab`",
        "begin <= end (4 <= 2) when slicing `abcdef`",
        "start byte index 2 is not a char boundary; it is inside 'é' (bytes 1..3) of `aé`",
    ]);
}

#[test]
fn indexing_messages_lose_the_numbers_but_stay_apart() {
    same(&[
        "index out of bounds: the len is 3 but the index is 7",
        "index out of bounds: the len is 0 but the index is 18446744073709551615",
    ]);
    same(&[
        "range end index 9 out of range for slice of length 3",
        "range end index 1 out of range for slice of length 0",
    ]);
    distinct(&[
        "index out of bounds: the len is 3 but the index is 7",
        "range start index 9 out of range for slice of length 3",
        "range end index 9 out of range for slice of length 3",
        "slice index starts at 2 but ends at 1",
        "attempt to add with overflow",
        "attempt to subtract with overflow",
        "attempt to divide by zero",
        "capacity overflow",
    ]);
}

#[test]
fn errors_keep_their_types_variants_and_fields() {
    distinct(&[
        "called `Option::unwrap()` on a `None` value",
        "called `Result::unwrap()` on an `Err` value: ParseIntError { kind: PosOverflow }",
        "called `Result::unwrap()` on an `Err` value: ParseIntError { kind: InvalidDigit }",
        "called `Result::unwrap()` on an `Err` value: ParseFloatError { kind: Invalid }",
        "called `Result::unwrap_err()` on an `Ok` value: ParseFloatError { kind: Invalid }",
        "called `Result::unwrap()` on an `Err` value: Any { .. }",
        "called `Result::unwrap()` on an `Err` value: Parse(Unexpected('x'))",
        "called `Result::unwrap()` on an `Err` value: Parse(Missing('x'))",
        "called `Result::unwrap()` on an `Err` value: ()",
        "a number please: ParseIntError { kind: InvalidDigit }",
    ]);
    same(&[
        "called `Result::unwrap()` on an `Err` value: FromUtf8Error { bytes: [255, 97], error: Utf8Error { valid_up_to: 0, error_len: Some(1) } }",
        "called `Result::unwrap()` on an `Err` value: FromUtf8Error { bytes: [], error: Utf8Error { valid_up_to: 33, error_len: Some(3) } }",
    ]);
    same(&[
        r#"Err(Parse { src: "a \"q\" b", at: 3, found: '"', seen: {"k": [1, 2]}, id: 0x7ffe01 })"#,
        r#"Err(Parse { src: "", at: 0, found: '\'', seen: {}, id: 0x0 })"#,
    ]);
    same(&[
        "Parse {\n    at: 3,\n    list: [\n        1,\n        2,\n    ],\n}",
        "Parse {\n    at: 4,\n    list: [],\n}",
    ]);
}

#[test]
fn assertions_lose_their_values_over_several_lines() {
    same(&[
        "assertion `left == right` failed: with 5\n  left: [\"a\\nb\", \"c\"]\n right: [\"a\"]",
        "assertion `left == right` failed: with 17\n  left: []\n right: [\"\"]",
    ]);
    distinct(&[
        "assertion `left == right` failed\n  left: 1\n right: 2",
        "assertion `left != right` failed\n  left: 1\n right: 1",
        "assertion `left == right` failed\n  left: None\n right: Some(1)",
        "assertion `left == right` failed\n  left: Some(1)\n right: None",
        "assertion failed: x.is_empty()",
        "assertion failed: x.is_full()",
    ]);
    same(&[
        "assertion failed: parse(\"abc\").is_ok()",
        "assertion failed: parse(\"\").is_ok()",
        "assertion failed: parse(r#\"a\"b\"#).is_ok()",
    ]);
}

#[test]
fn words_with_digits_stay() {
    distinct(&["not utf8", "not utf16", "error[E0308]", "error[E0309]"]);
    assert_eq!(template("x1 and v2.5 of sha256"), "x1 and v2.# of sha256");
}

#[test]
fn numbers_of_all_kinds_are_blanked() {
    let numbers = [
        "1", "-1", "1.5", "-1.5e-7", "1e+9", "0xdead_beef", "7usize", "5ms", "3.2µs", "1_000",
        "127.0.0.1", "deadbeef01", "550e8400e29b41d4",
    ];
    for number in numbers {
        assert_eq!(template(&format!("at {number}, x")), "at #, x", "{number}");
    }
    assert_eq!(template("1..3"), "#..#");
    assert_eq!(template("a-1"), "a-#");
    assert_eq!(template("feedface"), "feedface");
    distinct(&["left: NaN", "left: 1.0", "left: inf"]);
}

#[test]
fn apostrophes_are_no_quotes() {
    distinct(&[
        "can't find it, isn't there",
        "can't find me, isn't there",
        "the 'static bound",
        "the 'other bound",
    ]);
    assert_eq!(template("can't find 'abc' isn't it"), "can't find '' isn't it");
    assert_eq!(template("found 'it's' here"), "found '' here");
}

#[test]
fn unterminated_text_is_blanked_to_the_end_of_its_line() {
    same(&["unexpected \"abc\nend", "unexpected \"x y\nend"]);
    same(&["unexpected `abc", "unexpected `x y"]);
    distinct(&["expected \" but found a word", "expected \" but found the end"]);
    distinct(&["unexpected \"abc\nend", "unexpected \"abc\nstart"]);
}

#[test]
fn unbalanced_brackets_stay() {
    distinct(&["expected [ here", "expected { here", "expected [ there"]);
    assert_eq!(template("a] b) [1, (2]"), "a] b) [#, (#]");
}

#[test]
fn lists_are_blanked_whole_whatever_is_in_them() {
    assert_eq!(template("x: [A { y: [\"]\"] }, 'c', ']'], z: B"), "x: [], z: B");
    assert_eq!(template("{1: \"}\", 2: \"b\"} in S { m: {} }"), "{} in S { m: {} }");
    assert_eq!(template("value[3] of vec![1, 2]"), "value[#] of vec![]");
}

#[test]
fn paths_are_blanked() {
    same(&[
        "cannot open /tmp/.tmpAbC/x.txt: not found",
        "cannot open /tmp/.tmpQq1/y-1.txt: not found",
    ]);
    assert_eq!(template("and/or, 1/2, // x"), "and/or, #/#, // x");
}

#[test]
fn a_text_that_is_cut_off_is_a_shorter_one() {
    let of = |text: &str| template(&format!("byte index 7 is out of bounds of `{text}"));
    assert_eq!(of("ab`[...]"), of("a`"));
    assert_ne!(of("ab` [...]"), of("a`"));
}

#[test]
fn a_template_is_its_own_template() {
    for message in [
        "called `Result::unwrap()` on an `Err` value: P { at: 3, s: \"x\", l: [1], c: 'c', m: {1} }",
        "cannot open /tmp/.tmpAbC/x.txt, 'it's' 5 `x`",
    ] {
        let once = template(message);
        assert_eq!(template(&once), once);
    }
}

proptest::proptest! {
    #[test]
    fn any_debug_string_has_one_template(text: String, other: String) {
        proptest::prop_assert_eq!(
            template(&format!("bad: {text:?}, end")),
            template(&format!("bad: {other:?}, end"))
        );
    }

    #[test]
    fn any_debug_value_has_one_template(
        one: (u8, char, Vec<String>, f32), other: (u8, char, Vec<String>, f32)
    ) {
        proptest::prop_assume!(one.3.is_finite() && other.3.is_finite());
        proptest::prop_assert_eq!(
            template(&format!("bad: {one:?}")),
            template(&format!("bad: {other:?}"))
        );
    }

    #[test]
    fn no_message_is_too_strange(text in "[\"'`\\[\\]{}()a-z0-9 \\\\\n/.é-]{0,40}") {
        let once = template(&text);
        proptest::prop_assert!(once.len() <= text.len() + 2);
    }
}
