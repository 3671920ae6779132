//! Instrumented copies, before and after.

use std::collections::BTreeSet;

use super::copy::RUNTIME;
use super::*;
use crate::reduce::inputs::NodeId;
use crate::source::tests::krate;
use crate::source::{Crate, FileIndex, FoundInputs};

struct Made {
    krate: Crate,
    found: FoundInputs,
    rewritten: Rewritten,
    text: String,
}

fn make(text: &str, excluded: &[u32]) -> Made {
    let krate = krate(&[("tests/a.rs", text)]);
    let located = krate.find_test("t").unwrap();
    let found = krate.inputs(&located, |_| Ok(b"content".to_vec()));
    let excluded = excluded.iter().map(|id| NodeId(*id)).collect();
    let rewritten = rewrite(&krate, &found, &located, &excluded, "runtime.rs");
    let new = rewritten.files[0].1.apply(text);
    Made { krate, found, rewritten, text: new }
}

/// A rewritten text without the calls that tell what is reached, and with the runtime's name shortened to `R`.
fn shortened(text: &str) -> String {
    let marks = regex::Regex::new(r"R::reached\(\d+\); ").unwrap();
    let text = text.replace(RUNTIME, "R");
    marks.replace_all(&text, "").into_owned()
}

/// The rewritten body of a test, with the runtime's name shortened to `R`.
fn body(text: &str, excluded: &[u32]) -> String {
    let made = make(&format!("#[test] fn t() {{ {text} }}"), excluded);
    let new = shortened(&made.text);
    let end = new.find(" } #[test] #[allow(warnings)]").unwrap();
    new["#[test] fn t() { ".len()..end].to_owned()
}

#[test]
fn literals_ask_the_runtime() {
    assert_eq!(
        body("f(\"a\", b\"b\", 'c', -5, b'x', 1.5, true, c\"d\");", &[]),
        "f(R::text(0, \"a\"), R::bytes(1, b\"b\"), R::character(2, 'c'), R::num(3, -5), \
         R::num(4, b'x'), R::num(5, 1.5), R::boolean(6, true), R::cstr(7, c\"d\"));"
    );
}

#[test]
fn elements_are_made_only_if_they_are_kept() {
    assert_eq!(
        body("f(vec![A(1), B], &[C]);", &[]),
        "f(R::list(0, [if R::on(0, 0) { Some(A(R::num(2, 1))) } else { None }, \
         if R::on(0, 1) { Some(B) } else { None }]), \
         R::slice(4, [if R::on(4, 0) { Some(C) } else { None }]));"
    );
}

#[test]
fn plain_numbers_and_texts_need_no_code_of_their_own() {
    assert_eq!(body("f([1, 2]);", &[]), "f(R::nums(0, 1, &[1, 2]));");
    assert_eq!(body("f(&[\"a\"]);", &[]), "f(R::text_slice(0, 1, &[\"a\"]));");
    assert_eq!(body("f([1, 2]);", &[0]), "f([R::num(1, 1), R::num(2, 2)]);");
    let one_taken_back = body("f([1, 2]);", &[2]);
    assert!(one_taken_back.contains("Some(2)") && one_taken_back.contains("R::num(1, 1)"));
}

#[test]
fn a_long_list_of_rows_stays_as_it_is_written() {
    let rows = "(7, \"a\"), ".repeat(200);
    let new = body(&format!("f(vec![{rows}Put(1)]);"), &[]);
    assert!(new.starts_with(&format!("f(R::rows(0, &[{rows}Put(1)], &[2,5,8,")), "{new}");
    assert!(
        new.ends_with(
            ",602], |at, row| match row { (v0, v1, ) => (R::num(at + 0, *v0), R::text(at + 1, *v1), ), \
             Put(v0, ) => Put(R::num(at + 0, *v0), ), #[allow(unreachable_patterns)] _ => R::other_row() }));"
        ),
        "{new}"
    );
}

#[test]
fn a_row_with_a_literal_that_was_taken_back_gets_code_of_its_own() {
    let rows = "(7, \"a\"), ".repeat(200);
    let new = body(&format!("f(vec![{rows}]);"), &[2]);
    assert!(new.starts_with("f(R::list(0, [if R::on(0, 0) { Some((7, R::text(3,"), "{new}");
}

#[test]
fn statements_become_conditional() {
    assert_eq!(
        body("m.a(1); m.b();", &[]),
        "if R::on(0, 0) { m.a(R::num(2, 1)); } if R::on(0, 1) { m.b(); }"
    );
}

#[test]
fn calls_on_a_builder_become_conditional() {
    assert_eq!(
        body("let c = new().a(1).done().b(2);", &[]),
        "let c = R::chain(0, 1, R::chain(0, 0, new(), |it| it.a(R::num(2, 1))).done(), \
         |it| it.b(R::num(4, 2)));"
    );
}

#[test]
fn calls_on_a_variable_whose_value_nobody_needs_are_statements() {
    assert_eq!(
        body("let mut m = new(); m.a(1).a(2);", &[]),
        "let mut m = new(); if R::on(0, 0) { m.a(R::num(2, 1)); } if R::on(0, 1) { m.a(R::num(4, 2)); } ;"
    );
}

#[test]
fn an_array_with_its_length_written_out_becomes_a_vector() {
    assert_eq!(body("let a: [&str; 2] = [x, y];", &[0]), "let a: [&str; 2] = [x, y];");
    assert_eq!(
        body("let a: [u8; 2] = [1, 2];", &[]),
        "let a: R::Vec<u8> = R::nums(0, 1, &[1, 2]);"
    );
}

#[test]
fn statements_tell_that_they_are_reached() {
    let text = "#[test] fn t() { let x = f(); if x { g() } else { i(|| { h(); k() }) } }";
    let new = make(text, &[]).text.replace(RUNTIME, "R");
    let expected = "{ R::reached(0); let x = f(); R::reached(1); if x { R::reached(2); g() } else { \
        R::reached(3); i(|| { R::reached(4); h(); R::reached(5); k() }) } }";
    assert!(new.contains(expected), "{new}");
}

#[test]
fn constants_become_functions_and_their_uses_calls() {
    let text = "const X: &[(&str, u8)] = &[(\"a\", 1)];\nstatic Y: [u8; 2] = [1, 2];\n#[test] fn t() { f(X, m!(X.len()), Y[0]) }";
    let new = shortened(&make(text, &[]).text);
    let lines: Vec<&str> = new.lines().collect();
    assert_eq!(
        lines[0],
        "fn X() -> &'static [(&'static str, u8)] { R::memo(0, ||  R::slice(0, [if R::on(0, 0) \
         { Some((R::text(2, \"a\"), R::num(3, 1))) } else { None }])) }"
    );
    assert_eq!(lines[1], "fn Y() -> R::Vec<u8> { R::nums(4, 5, &[1, 2])}");
    assert!(lines[2].starts_with("#[test] fn t() { f(X(), m!(X().len()), Y()[0]) }"));
}

#[test]
fn a_constant_that_a_format_string_captures_stays() {
    let text = "const X: &str = \"a\";\n#[test] fn t() { print!(\"{X}\") }";
    let made = make(text, &[]);
    assert!(made.text.starts_with("const X: &str = \"a\";\n"));
    assert!(made.rewritten.probed.is_empty());
}

#[test]
fn the_entry_stands_behind_the_test_and_lints_are_relaxed() {
    let made = make("#![deny(warnings)]\n#[test]\nfn t() {}\n", &[]);
    assert_eq!(made.rewritten.entry, Entry::Test("__cargo_reduce_probe".to_owned()));
    assert!(made.text.starts_with("#![warn(warnings)]\n#[test]\nfn t() {} #[test]"));
    assert!(made.text.ends_with("\n#[path = \"runtime.rs\"] mod __cargo_reduce;\n"));
}

/// The nodes blamed for an error at `needle` in the rewritten text.
fn blamed(made: &Made, needle: &str) -> Vec<u32> {
    let start = made.text.find(needle).unwrap();
    let place = (FileIndex(0), start..start + needle.len());
    let nodes = blame(&made.krate, &made.found, &made.rewritten, &[place]);
    nodes.into_iter().map(|id| id.0).collect()
}

#[test]
fn the_innermost_piece_around_an_error_is_to_blame() {
    let made = make("#[test] fn t() { let v = [A(1), A(2)];\n g(v); h(\"a\", 3) }", &[]);
    assert_eq!(blamed(&made, "crate::__cargo_reduce::num(2, 1)"), [2]);
    assert_eq!(blamed(&made, "crate::__cargo_reduce::list"), [0]);
    assert_eq!(blamed(&made, "h(crate::__cargo_reduce::text(5, \"a\")"), [5]);
    let start = made.text.find("g(v)").unwrap() + 2;
    let nodes =
        blame(&made.krate, &made.found, &made.rewritten, &[(FileIndex(0), start..start + 1)]);
    assert_eq!(nodes, BTreeSet::from([NodeId(0)]));
}

#[test]
fn the_rows_of_a_list_are_to_blame_before_the_list_is() {
    let source = "#[test] fn t() { let rows = vec![[1.5, 2.0], [3.0, 4.5]];\n load(rows); }";
    let made = make(source, &[]);
    assert!(made.text.contains("nums("), "{}", made.text);
    assert_eq!(blamed(&made, "load(rows)"), [1, 4]);
    let again = make(source, &[1, 4]);
    assert!(again.text.contains("list(0, ["), "{}", again.text);
    assert_eq!(blamed(&again, "load(rows)"), [0]);
}

#[test]
fn the_rows_in_a_constant_are_to_blame_before_the_constant_is() {
    let source = "const ALL: &[(&str, [f64; 2])] = &[(\"a\", [1.5, 2.0]), (\"b\", [3.0, 4.5])];\n\
                  #[test] fn t() { for it in ALL { load(it); } }";
    let made = make(source, &[]);
    let rows = blamed(&made, "&'static [(&'static str, [f64; 2])] { ");
    assert_eq!(rows.len(), 2, "{}", made.text);
    let again = make(source, &rows);
    assert!(again.text.starts_with("fn ALL()"), "{}", again.text);
}

#[test]
fn an_error_at_a_use_takes_the_whole_constant_back() {
    let made = make("const N: usize = 4;\n#[test] fn t() { let a = [0; N]; }", &[]);
    assert_eq!(blamed(&made, "N()]"), [0]);
    let again = make("const N: usize = 4;\n#[test] fn t() { let a = [0; N]; }", &[0]);
    assert!(again.text.starts_with("const N: usize = 4;\n"));
}

#[test]
fn all_places_of_one_input_ask_for_the_same_value() {
    assert_eq!(
        body("assert_eq!(close(&open, 8).len(), open.len() - 8);", &[]),
        "assert_eq!(close(&open, R::num(0, 8)).len(), open.len() - R::num(0, 8));"
    );
}

#[test]
fn the_literals_of_an_unknown_macro_are_taken_back_together() {
    let made = make("#[test] fn t() { f(pairs! { \"a\" => 1, \"b\" => 2 }); }", &[]);
    assert_eq!(blamed(&made, "crate::__cargo_reduce::num(1, 1)"), [0, 1, 2, 3]);
}
