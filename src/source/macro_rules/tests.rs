use crate::source::tests::krate;

/// The plain test that is put behind the call, on one line, and its name.
fn plain(source: &str, test: &str) -> Option<(String, String)> {
    let made = krate(&[("src/lib.rs", source)]).macro_test(test)?;
    let text = &made.plain.edits.iter().next()?.text;
    let words: Vec<&str> = text.split_whitespace().collect();
    Some((made.plain.test, words.join(" ")))
}

const CASES: &str = r##"
macro_rules! cases {
    ($($(#[$meta:meta])* $name:ident: $text:expr => $want:expr),+ $(,)?) => {
        $( $(#[$meta])* #[test] fn $name() { assert_eq!(parse($text), $want * 2); } )+
    };
}
mod inner { cases! { same: "other" => 1 } }
cases! {
    same: "a" => 3,
    /// Of its own.
    #[should_panic]
    last: r#"a "raw" one"# => 1 + 2,
}
"##;

#[test]
fn one_case_of_a_table_is_written_out() {
    let (name, text) = plain(CASES, "same").unwrap();
    assert_eq!(name, "plain_same");
    assert_eq!(text, r#"#[test] fn plain_same() { assert_eq!(parse("a"), 3 * 2); }"#);
}

#[test]
fn all_calls_of_a_file_that_make_tests_are_written_out() {
    let source = "macro_rules! same { ($name:ident) => { same!($name, \"2\"); }; ($name:ident, $text:expr) => { #[test] \
                  fn $name() { f($text); } } }\n\
                  macro_rules! other { ($name:ident) => { fn $name() {} } }\n\
                  mod tests { same!(one, \"1\"); other!(x); }\nsame! { two }\n#[cfg(unix)]\nsame!(three, \"3\");\n";
    let krate = krate(&[("src/lib.rs", source)]);
    let (_, edits) = krate.tests_written_out("tests::one").unwrap();
    let after = edits.apply(source);
    let (_, after) = after.split_once("mod tests").unwrap();
    assert_eq!(
        after,
        " { #[test]\nfn one() {\n    f(\"1\");\n} other!(x); }\n#[test]\nfn two() {\n    f(\"2\");\n}\n\
         #[cfg(unix)]\nsame!(three, \"3\");\n"
    );
    assert!(krate.tests_written_out("tests::x").is_none());
}

#[test]
fn attributes_and_spelling_stay_and_an_expression_stays_whole() {
    let (_, text) = plain(CASES, "last").unwrap();
    assert_eq!(
        text,
        r##"/// Of its own. #[should_panic] #[test] fn plain_last() { assert_eq!(parse(r#"a "raw" one"#), (1 + 2) * 2); }"##
    );
}

#[test]
fn an_expression_stays_whole_whatever_stands_beside_it() {
    let case = |body: &str, argument: &str| {
        let source = format!(
            "macro_rules! m {{ ($x:expr) => {{ #[test] fn t() {{ {body} }} }} }} m!({argument});"
        );
        let (_, text) = plain(&source, "t").unwrap();
        text.trim_start_matches("#[test] fn plain_t() {").trim_end_matches('}').trim().to_owned()
    };
    for (body, argument, made) in [
        ("f($x.abs());", "-1", "f((-1).abs());"),
        ("f($x?, 2);", "&a", "f((&a)?, 2);"),
        ("f(1, $x);", "a + b", "f(1, a + b);"),
        ("f($x * 2);", "a + b", "f((a + b) * 2);"),
        ("f($x == 2);", "&a", "f(&a == 2);"),
    ] {
        assert_eq!(case(body, argument), made);
    }
}

#[test]
fn a_case_in_a_module_is_another_one() {
    let (name, text) = plain(CASES, "inner::same").unwrap();
    assert_eq!(name, "inner::plain_same");
    assert!(text.contains("\"other\""), "{text}");
    assert_eq!(plain(CASES, "inner::last"), None);
}

#[test]
fn macros_may_call_each_other_and_make_modules() {
    let source = r#"
        macro_rules! suite {
            (@one $name:ident $($body:tt)*) => { #[test] fn $name() { $($body)* } };
            ($module:ident { $($name:ident $body:block)* }) => {
                mod $module { use super::*; fn helper() {} $( suite!(@one $name $body); )* }
            };
        }
        suite!(all { one { f(-1) } two { f("x") } });
    "#;
    let (name, text) = plain(source, "all::two").unwrap();
    assert_eq!(name, "plain_all::plain_two");
    assert!(text.starts_with("mod plain_all { use super::*; fn helper() {}"), "{text}");
    assert!(text.ends_with(r#"#[test] fn plain_two() { { f("x") } } }"#), "{text}");
}

#[test]
fn names_of_tests_may_be_pasted_together() {
    let source = "macro_rules! cases { ($($name:ident: $error:ident => $text:literal;)*) => { $(case!($name, $error, $text);)* } }\n\
                  macro_rules! case { ($name:ident, $error:ident, $text:literal) => { paste::item! { #[test] fn [< fails_ \
                  $name _ $error:snake >]() { assert_eq!(parse($text), Error::$error); } } } }\n\
                  cases! { short: TooShort => \"a\"; long: TooLong => \"abc\"; }\n";
    let (name, text) = plain(source, "fails_long_too_long").unwrap();
    assert_eq!(name, "plain_fails_long_too_long");
    assert_eq!(
        text,
        "#[test] fn plain_fails_long_too_long() { assert_eq!(parse(\"abc\"), Error::TooLong); }"
    );
}

#[test]
fn what_is_unknown_or_does_not_match_is_left_alone() {
    for source in [
        "other! { t: 1 }",
        "macro_rules! m { ($n:ident) => { fn $n() {} } } m!(t);",
        "macro_rules! m { ($n:ident) => { #[test] fn $n() {} } } m!(t t);",
        "macro_rules! m { ($($n:ident)*) => { $( ${index()} )* } } m!(t);",
        "macro_rules! m { ($($x:tt)*) => { m! { $($x)* } } } m!(t);",
    ] {
        assert_eq!(plain(source, "t"), None, "{source}");
    }
}

#[test]
fn the_call_says_where_the_test_is_named() {
    let made = krate(&[("src/lib.rs", CASES)]).macro_test("last").unwrap();
    assert_eq!(&CASES[made.place..made.place + 4], "last");
    assert_eq!(made.name, "cases");
}

#[test]
fn calls_that_assert_are_written_out_whatever_they_get() {
    let source = "macro_rules! reads { ($text:expr, $all:expr) => { macro_rules! of { ($t:expr) => { words($t) } } let all = of!($text); assert!(all == $all); }; }\n\
                  macro_rules! text { () => { \"a b\" } }\n\
                  macro_rules! show { ($text:expr) => { println!(\"{}\", $text); } }\n\
                  #[test]\nfn t() { let text = text!(); show!(text); reads!(text, [\"a\", \"b\"]); }\n";
    let krate = krate(&[("tests/t.rs", source)]);
    let written = |test| krate.asserting_calls_written_out(&krate.find_test(test).unwrap());
    let after = written("t").unwrap().apply(source);
    let (_, after) = after.split_once("#[test]\n").unwrap();
    assert_eq!(
        after,
        "fn t() {\n    let text = text!();\n    show!(text);\n    {\n        macro_rules! of {\n            \
         ($t:expr) => {\n                words($t)\n            };\n        }\n        let all = of!(text);\n        assert!(all == [\"a\", \"b\"]);\n    }\n}\n"
    );
}

fn own_assertions(body: &str) -> Option<String> {
    const MACRO: &str = "macro_rules! assert_words {\n    ($line:expr => [$($word:expr),*]) => {\n        \
        assert_eq!(words($line), vec![$($word.to_string()),*], \"in {:?}\", $line);\n    };\n    \
        ($line:expr, $count:expr) => { let all = words($line); assert_eq!(all.len(), $count); };\n}\n";
    const TABLE: &str = "macro_rules! check {\n    ($of:literal at $place:literal => $kind:ident) => {\n        \
        assert_eq!(words($of).get($place), K::$kind)\n    };\n    \
        ($of:literal: $($place:literal => $kind:ident),+) => { $(check!($of at $place => $kind);)+ };\n}\n";
    let source = format!("{MACRO}{TABLE}#[test]\nfn t() {{\n    {body}\n}}\n");
    let krate = krate(&[("tests/t.rs", &source)]);
    let made = krate.with_own_assertions(&krate.find_test("t").unwrap(), |_| None)?;
    let text = made.plain.edits.apply(&source);
    Some(text.split_once("fn plain_t() {\n")?.1.to_owned())
}

#[test]
fn assertions_that_get_all_they_compare_are_written_out() {
    assert_eq!(
        own_assertions("assert_words!(\"a b\" => [\"a\", \"b\"]);").unwrap(),
        "    assert_eq!(words(\"a b\"), vec![\"a\".to_string(),\"b\".to_string()], \"in {:?}\", \"a b\");\n}\n"
    );
    let checked = own_assertions("check!(\"a\": 1 => Some, 2 => None);").unwrap();
    assert_eq!(
        checked.split_whitespace().collect::<String>(),
        "assert_eq!(words(\"a\").get(1),K::Some);assert_eq!(words(\"a\").get(2),K::None);}"
    );
    let counted = own_assertions("for _ in 0..2 { assert_words!(\"a b\", 2); }").unwrap();
    assert!(counted.contains("{\n            let all = words(\"a b\");"), "{counted}");
}

#[test]
fn snapshots_are_compared_plainly() {
    let compared = |body: &str| {
        let source = format!("#[test]\nfn t() {{\n    {body}\n}}\n");
        let krate = krate(&[("tests/t.rs", &source)]);
        let read = |path: &std::path::Path| {
            let is_there = path == std::path::Path::new("tests/snapshots/t__t.snap");
            is_there.then(|| "---\nsource: t.rs\n---\n# A\n\nb\n".to_owned())
        };
        let made = krate.with_own_assertions(&krate.find_test("t").unwrap(), read)?;
        assert!(made.is_reworded);
        let text = made.plain.edits.apply(&source);
        Some(text.split_once("fn plain_t() {\n    ")?.1.trim_end_matches("\n}\n").to_owned())
    };
    for (body, plain) in [
        (
            "insta::assert_snapshot!(page(1), @\"\n    a\n      b\n    \");",
            r#"assert_eq!(page(1).to_string().trim_end(), "a\n  b");"#,
        ),
        ("assert_debug_snapshot!(x, @\"1\");", r#"assert_eq!(format!("{:#?}", x), "1");"#),
        ("assert_snapshot!(x);", r##"assert_eq!(x.to_string().trim_end(), "# A\n\nb");"##),
        ("expect![[r#\"\n        a\n    \"#]].assert_eq(&x);", "assert_eq!(& x, \"a\\n\");"),
        ("expect![].assert_eq(&x);", "assert_eq!(& x, \"\");"),
    ] {
        assert_eq!(compared(body).as_deref(), Some(plain));
    }
    assert_eq!(compared("assert_snapshot!(\"other\", x);"), None);
}

#[test]
fn assertions_that_get_what_is_computed_stay() {
    assert_eq!(own_assertions("assert_words!(line(1), 2);"), None);
    assert_eq!(own_assertions("let line = \"a\"; assert_words!(line, 2);"), None);
    assert_eq!(own_assertions("assert_eq!(1, 2);"), None);
}
