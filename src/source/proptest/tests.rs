//! Property tests, before and after.

use super::*;
use crate::source::tests::krate;

const TEXT: &str = "proptest! {\n    #![proptest_config(ProptestConfig { cases: 9 })]\n\n    #[test]\n    fn t(\n        \
    ranges in vec((0u32..20_000, 1u32..40), 0..250),\n        n in 0u64..3000,\n    ) {\n        prop_assume!(n > 1);\n        \
    prop_assert_eq!(f(&ranges, n), 7);\n    }\n}\n";

fn plain(text: &str, printed: &str) -> String {
    let krate = krate(&[("tests/a.rs", text)]);
    let not_located = krate.find_test("t").unwrap_err();
    let property = krate.property_test(&not_located).unwrap();
    let plain = krate.plain_test(&property, &failing_values(printed)).unwrap();
    assert_eq!(plain.test, "plain_t");
    plain.edits.apply(text).strip_prefix(text.trim_end()).unwrap().to_owned()
}

#[test]
fn failing_values_are_bound_and_assertions_are_plain() {
    assert_eq!(
        plain(TEXT, "ranges = [(9193, 19), (1, 2)], n = 570"),
        "\n\n#[test]\nfn plain_t() {\n    let ranges = vec![(9193, 19), (1, 2)];\n    let n = 570u64;\n        \
         if !(n > 1) { return; }\n        assert_eq!(f(&ranges, n), 7);\n}\n"
    );
}

#[test]
fn strings_sets_and_typed_arguments_are_made_as_the_strategy_makes_them() {
    let text = "proptest! { #[test] fn t(s in \"[a-z]*\", m in btree_map(0..1, 0..1, 1), f: f64) { g(s)?; } }";
    let made = plain(text, "s = \"a, b\", m = {1: 2, 3: 4}, f = NaN");
    assert!(made.contains("let s = \"a, b\".to_string();\n"), "{made}");
    assert!(made.contains(
        "let m: std::collections::BTreeMap<_, _> = [(1, 2), (3, 4)].into_iter().collect();\n"
    ));
    assert!(made.contains("let f: f64 = f64::NAN;\n"));
    assert!(made.contains("TestCaseError> { g(s)?;"));
}

#[test]
fn variants_and_strings_are_made_as_the_functions_behind_the_strategy_make_them() {
    let text = "use lib::{Change, Row};\nenum Own { Pop, Push(u8) }\nfn name() -> impl Strategy<Value = String> { \"[ab]+\" }\n\
        fn change() -> impl Strategy { prop_oneof![name().prop_map(lib::Change::Set), Just(Change::Clear)] }\n\
        proptest! { #[test] fn t(all in vec(change(), 9), b in own(), c in row()) { f(all, b, Change::Set, c)?; } }";
    let krate = krate(&[("tests/a.rs", text)]);
    let not_located = krate.find_test("t").unwrap_err();
    let printed = "all = [\n    Set(\n        \"b\",\n    ),\n    Clear,\n], b = Push(1), c = Row { at: None }";
    let made = krate.plain_property(&not_located, printed).unwrap().edits.apply(text);
    let made: String = made.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(made.contains("vec![ Change::Set( \"b\".to_string(), ), Change::Clear, ];"), "{made}");
    assert!(made.contains("let b = Own::Push(1); let c = Row { at: None };"), "{made}");
}

#[test]
fn a_missing_value_is_no_test() {
    let krate = krate(&[("tests/a.rs", TEXT)]);
    let property = krate.property_test(&krate.find_test("t").unwrap_err()).unwrap();
    assert_eq!(krate.plain_test(&property, &failing_values("n = 5")), None);
}

fn quick(text: &str, test: &str, arguments: &str) -> String {
    let krate = krate(&[("tests/a.rs", text)]);
    let why = krate.unless_quickcheck(krate.find_test(test)).unwrap_err();
    assert!(matches!(why, NotLocated::Quickcheck { .. }), "{why}");
    let plain = krate.plain_property(&why, arguments).unwrap();
    let name = test.rsplit("::").next().unwrap();
    assert!(plain.test.ends_with(&format!("plain_{name}")), "{}", plain.test);
    let made = plain.edits.apply(text);
    let at = made.rfind("#[test]\nfn plain_").unwrap();
    let lines = made[at..].lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_property_of_quickcheck_binds_its_arguments() {
    let text = "mod tests {\n    #[quickcheck]\n    fn p(all: Vec<u8>, name: String) -> bool {\n        let n = f(&all);\n        n == g(&name)\n    }\n}\n";
    assert_eq!(
        quick(text, "tests::p", "[0, 7], \"a, b\""),
        "#[test] fn plain_p() { let all: Vec<u8> = vec![0, 7]; let name: String = \"a, b\".to_string(); let n = f(&all); \
         assert!(n == g(&name)); } }"
    );
    let text = "quickcheck! {\n    fn q(a: u8) -> TestResult {\n        if a > 9 { return TestResult::discard(); }\n        \
                TestResult::from_bool(f(a))\n    }\n}\n";
    assert_eq!(
        quick(text, "q", "7"),
        "#[test] fn plain_q() { let a: u8 = 7; if a > 9 { return ; } assert!(f(a)); }"
    );
}

#[test]
fn a_property_that_leaves_early_is_called() {
    let text = "#[quickcheck]\nfn p(a: u8) -> bool {\n    if a > 9 { return f(a); }\n    g(a)\n}\n";
    assert_eq!(
        quick(text, "p", "7"),
        "#[test] fn plain_p() { fn p(a: u8) -> bool { if a > 9 { return f(a); } g(a) } assert!(p(7)); }"
    );
}

#[test]
fn a_test_that_starts_quickcheck_calls_the_property() {
    let text = "#[test]\nfn t() {\n    fn p(a: Vec<i8>) -> TestResult { f(a) }\n    QuickCheck::new().tests(9).quickcheck(p as \
                fn(Vec<i8>) -> TestResult);\n}\n";
    assert_eq!(
        quick(text, "t", "[-1]"),
        "#[test] fn plain_t() { fn p(a: Vec<i8>) -> TestResult { f(a) } assert!(!p(vec![-1]).is_failure()); }"
    );
    let krate = krate(&[("tests/a.rs", "#[test]\nfn t() { f(1); }\n")]);
    assert!(krate.unless_quickcheck(krate.find_test("t")).is_ok());
}
