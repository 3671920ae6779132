use std::collections::BTreeMap;

use super::*;
use crate::source::FileIndex;
use crate::source::tests::krate;

/// What is left of the test `t` in `text` if it fails in the statement that begins with `failing`, having reached
/// no other for the first time behind that than those that begin with one of `earlier`.
#[track_caller]
fn left(text: &str, failing: &str, earlier: &[&str], asserted: bool) -> String {
    let krate = krate(&[("/p/tests/a.rs", text)]);
    let located = krate.find_test("t").unwrap();
    let marks = krate.marks(&located);
    let at = |words: &str| {
        let offset = text.find(words).expect(words);
        let place = marks.iter().position(|mark| mark.offset == offset);
        place.expect(words)
    };
    let last = at(failing);
    let mut times = vec![0; marks.len()];
    for (place, mark) in marks.iter().enumerate() {
        if mark.offset <= marks[last].offset || earlier.iter().any(|words| at(words) == place) {
            times[place] = 1 + place as u64;
        }
    }
    times[last] = 1000;
    let failure = asserted.then_some((marks[last].file, marks[last].offset));
    let cuts = krate.unreached(&located, &Reached(times), failure);
    let mut edits = BTreeMap::new();
    krate.leave_out(&located, &cuts, &mut edits);
    edits.remove(&FileIndex(0)).unwrap_or_default().apply(text)
}

#[track_caller]
fn check(body: &str, failing: &str, expected: &str) {
    let text = format!("#[test]\nfn t() {{\n    {body}\n}}\n");
    let expected = format!("#[test]\nfn t() {{\n    {expected}\n}}\n");
    assert_eq!(left(&text, failing, &[], false), expected);
}

#[test]
fn what_stands_behind_the_failing_statement_is_gone() {
    check(
        "let html = page(\"a\");\n    // All of it.\n    assert!(html.contains(\"b\"));\n    other(html);",
        "let html",
        "let _ = page(\"a\");",
    );
    check(
        "let want = [1];\n    let got = f(2);\n    assert_eq!(got, want);",
        "let got",
        "let _ = f(2);",
    );
    check("let page = page(\"a\");\n    assert!(page.ok());", "let page", "let _ = page(\"a\");");
}

#[test]
fn the_assertion_around_the_failing_call_is_gone() {
    check("assert!(legs(0, &b).len() > 50);", "assert", "let _ = legs(0, &b);");
    check(
        "assert_eq!(\n        page(\"a\").unwrap(),\n        \"b\",\n        \"{a}\"\n    );",
        "assert",
        "let _ = page(\"a\").unwrap();",
    );
    check("assert_eq!(Some(f(1)), g(2), \"why\");", "assert", "let _ = f(1);\n    let _ = g(2);");
}

#[test]
fn an_assertion_that_fails_itself_stays() {
    let text = "#[test]\nfn t() {\n    assert_eq!(f(1), 2);\n    g();\n}\n";
    let expected = "#[test]\nfn t() {\n    assert_eq!(f(1), 2);\n}\n";
    assert_eq!(left(text, "assert", &[], true), expected);
}

#[test]
fn loops_keep_what_earlier_turns_have_reached_but_expect_nothing() {
    let text = "#[test]\nfn t() {\n    for op in ops {\n        let len = a.apply(op);\n        model.add(a.len());\n        \
        assert_eq!(len, model.len());\n    }\n}\n";
    let expected = "#[test]\nfn t() {\n    for op in ops {\n        let _ = a.apply(op);\n        model.add(a.len());\n    \
        }\n}\n";
    assert_eq!(left(text, "let len", &["model.add", "assert_eq"], false), expected);
    check(
        "let mut n = 0;\n    for (a, b) in C {\n        let p = f(a);\n        assert!(p.is_some(), \"{b}\");\n        \
        n += 1;\n    }\n    assert_eq!(n, 3);",
        "let p",
        "for (a, _) in C {\n        let _ = f(a);\n    }",
    );
}

#[test]
fn loops_that_end_by_what_is_in_them_keep_that() {
    check(
        "loop {\n        let x = f();\n        assert!(x > 1);\n        if x > 5 {\n            break;\n        }\n    }",
        "let x",
        "loop {\n        let x = f();\n        if x > 5 {\n            break;\n        }\n    }",
    );
}

#[test]
fn of_a_branch_that_was_not_taken_only_what_it_decides_by_stays() {
    check(
        "if let Ok((frames, _)) = info(bytes) {\n        assert!(frames < 1000);\n    }",
        "if let",
        "let _ = info(bytes);",
    );
    check(
        "match f(1) {\n        Ok(x) => assert_eq!(x, 2),\n        Err(e) => panic!(\"{e}\"),\n    }\n    g();",
        "match",
        "let _ = f(1);",
    );
}

#[test]
fn a_test_with_a_result_still_says_that_all_is_well() {
    let text = "#[test]\nfn t() -> Result<(), E> {\n    let a = load(1)?;\n    assert!(a > 1);\n    Ok(())\n}\n";
    let expected = "#[test]\nfn t() -> Result<(), E> {\n    let _ = load(1)?;\n    Ok(())\n}\n";
    assert_eq!(left(text, "let a", &[], false), expected);
}

#[test]
fn a_helper_that_was_not_entered_is_gone() {
    let helpers = "fn counted(all: &[u8]) -> u8 {\n    all.len() as u8\n}\nfn model(n: u8) -> u8 {\n    n + 1\n}\n";
    let body = "let n = 5;\n    assert_eq!(counted(&f(1)), model(n));";
    let text = format!("#[test]\nfn t() {{\n    {body}\n}}\n{helpers}");
    let expected = format!("#[test]\nfn t() {{\n    let _ = f(1);\n}}\n{helpers}");
    assert_eq!(left(&text, "assert", &[], false), expected);
    let text = text.replace("counted(&f(1))", "seen.to_vec()");
    let expected = expected.replace("f(1)", "seen.to_vec()");
    assert_eq!(left(&text, "assert", &[], false), expected);
}

#[test]
fn helpers_lose_their_expectations_too() {
    let text = "fn check(a: u8) {\n    let x = f(a);\n    assert_eq!(x, 5);\n}\n#[test]\nfn t() {\n    check(1);\n    \
        check(2);\n}\n";
    let krate = krate(&[("/p/tests/a.rs", text)]);
    let located = krate.find_test("t").unwrap();
    let marks = krate.marks(&located);
    let offsets = marks.iter().map(|mark| mark.offset);
    let time = |words: &str, time: u64| (text.find(words).unwrap(), time);
    let order = [time("let x", 2), time("check(1)", 1)];
    let times = offsets.map(|offset| {
        let mut order = order.iter();
        order.find(|(at, _)| *at == offset).map_or(0, |(_, time)| *time)
    });
    let cuts = krate.unreached(&located, &Reached(times.collect()), None);
    let mut edits = BTreeMap::new();
    krate.leave_out(&located, &cuts, &mut edits);
    let expected = "fn check(a: u8) {\n    let _ = f(a);\n}\n#[test]\nfn t() {\n    check(1);\n}\n";
    assert_eq!(edits[&FileIndex(0)].apply(text), expected);
}
