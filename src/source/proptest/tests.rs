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
fn a_missing_value_is_no_test() {
    let krate = krate(&[("tests/a.rs", TEXT)]);
    let property = krate.property_test(&krate.find_test("t").unwrap_err()).unwrap();
    assert_eq!(krate.plain_test(&property, &failing_values("n = 5")), None);
}
