use std::collections::BTreeMap;

use super::*;
use crate::source::tests::krate;
use crate::source::{Crate, Cut, Edits, FileIndex};

/// What is left of the test `t` in `text` if it fails in the statement that begins with `failing`, having reached
/// no other for the first time behind that than those that begin with one of `earlier`.
#[track_caller]
fn left(text: &str, failing: &str, earlier: &[&str], asserted: bool) -> String {
    left_in(&krate(&[("/p/tests/a.rs", text)]), text, failing, earlier, asserted)
}

fn left_in(krate: &Crate, text: &str, failing: &str, earlier: &[&str], asserted: bool) -> String {
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
    left_after(krate, text, times, failure)
}

/// What is left of the test if its marks are reached at these times.
fn left_after(
    krate: &Crate,
    text: &str,
    times: Vec<u64>,
    failure: Option<(FileIndex, usize)>,
) -> String {
    let located = krate.find_test("t").unwrap();
    let failed = Failed { at: failure, never_returned: true };
    let cuts = krate.unreached(&located, &Reached(times), failed);
    let mut edits = BTreeMap::new();
    krate.leave_out(&located, &cuts, &mut edits);
    edits.remove(&FileIndex(0)).unwrap_or_default().apply(text)
}

fn in_test(body: &str) -> String {
    format!("#[test]\nfn t() {{\n    {body}\n}}\n")
}

#[track_caller]
fn check(body: &str, failing: &str, expected: &str) {
    assert_eq!(left(&in_test(body), failing, &[], false), in_test(expected));
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
fn a_value_that_is_made_of_nothing_else_goes_with_its_variable() {
    let made = "let all: Vec<String> = (0..3).map(|n| n.to_string()).collect();";
    let body = format!("{made}\n    let page = page(\"a\");\n    assert!(page.ok(all));");
    check(&body, "let page", "let _ = page(\"a\");");
    let path = "let all = Path::new(env!(\"CARGO_MANIFEST_DIR\")).join(\"data\").join(name);";
    let body = format!("{path}\n    let page = page(\"a\");\n    assert!(page.ok(all));");
    check(&body, "let page", "let _ = page(\"a\");");
    // The values of a variable may be computed as they are taken.
    let taken = "let all: Vec<String> = lines.map(|n| n.to_string()).collect();";
    let body = format!("{taken}\n    let page = page(\"a\");\n    assert!(page.ok(all));");
    check(
        &body,
        "let page",
        "let _: Vec<String> = lines.map(|n| n.to_string()).collect();\n    let _ = page(\"a\");",
    );
}

#[test]
fn what_nobody_counts_is_not_counted() {
    check(
        "for (n, text) in [\"a\", \"b\"].iter().enumerate() {\n        let made = page(text);\n        assert!(made.ok(), \"{n}\");\n    }",
        "let made",
        "for text in [\"a\", \"b\"].iter() {\n        let _ = page(text);\n    }",
    );
}

#[test]
fn a_parameter_that_a_closure_no_longer_reads_has_no_name() {
    let text = in_test("let all = lib::all((0..3).map(|n| n * 7));");
    let (left, _) = tidied(&text, &[("n * 7", "0")]);
    assert_eq!(left, in_test("let all = lib::all((0..3).map(|_n| 0));"));
    let text = in_test(
        "let check = |text: &str, found: usize| assert_eq!(lib::count(text), found);\n    check(\"a\", 1);",
    );
    let (left, _) = tidied(&text, &[("assert_eq!(lib::count(text), found)", "lib::count(text)")]);
    assert!(left.contains("|text: &str, _found: usize| lib::count(text);"), "{left}");
}

#[test]
fn what_a_helper_makes_by_itself_goes_with_its_variable() {
    let text = "#[test]\nfn t() { page(1, \"a\"); }\n\
        fn label(n: usize) -> String { format!(\"case {n}\") }\n\
        fn page(n: usize, text: &str) { let name = label(n); let made = lib::page(text); assert!(made.ok(), \"{name}\"); }\n";
    let krate = krate(&[("/p/tests/a.rs", text)]).testing(["lib".to_owned()].into());
    let left = left_in(&krate, text, "let made", &[], false);
    assert!(left.contains("fn page(_n: usize, text: &str) { let _ = lib::page(text);"), "{left}");
}

#[test]
fn methods_of_the_code_under_test_may_have_names_of_the_standard_library() {
    check(
        "let words = words(\"a\");\n    assert_eq!(words.to_vec().len(), 8);\n    f(words);",
        "assert",
        "let words = words(\"a\");\n    let _ = words.to_vec().len();",
    );
    check(
        "let words = words(\"a\");\n    let list = words.to_vec();\n    f(list);",
        "let list",
        "let words = words(\"a\");\n    let _ = words.to_vec();",
    );
}

#[test]
fn the_assertion_around_the_failing_call_is_gone() {
    check("assert!(legs(0, &b).len() > 50);", "assert", "let _ = legs(0, &b);");
    check(
        "assert_eq!(\n        page(\"a\").unwrap(),\n        \"b\",\n        \"{a}\"\n    );",
        "assert",
        "let _ = page(\"a\");",
    );
    check("assert_eq!(Some(f(1)), g(2), \"why\");", "assert", "let _ = f(1);\n    let _ = g(2);");
}

#[test]
fn a_format_string_that_is_shorter_still_captures() {
    let text = "#[test]\nfn t() {\n    let a = 1;\n    f(a);\n    let both = g(format!(\"{a} {b}\"));\n    h(a);\n    i(both);\n}\n";
    let shorter =
        "#[test]\nfn t() {\n    let a = 1;\n    f(a);\n    let _ = g(format!(\"{a}{b}\"));\n}\n";
    let krate = krate(&[("/p/tests/a.rs", text)]);
    let located = krate.find_test("t").unwrap();
    let start = text.find("\"{a}").unwrap();
    let behind = text.find("\n    h(a)").unwrap()..text.rfind("\n}").unwrap();
    let mut edits = Edits::default();
    edits.replace(start..start + 9, "\"{a}{b}\"");
    let mut edits = BTreeMap::from([(FileIndex(0), edits)]);
    let cut = Cut { file: FileIndex(0), range: behind, text: String::new(), is_demand: false };
    krate.leave_out(&located, &[cut], &mut edits);
    assert_eq!(edits.remove(&FileIndex(0)).unwrap().apply(text), shorter);
}

#[test]
fn a_closure_that_fails_is_called_by_the_statement_that_was_reached_last() {
    let closure = "let check = |n: u8| {\n        assert_eq!(f(n), n);\n        Ok(())\n    };";
    let test = |calls: &str| {
        format!("#[test]\nfn t() -> Result<(), E> {{\n    {closure}\n    {calls}\n    Ok(())\n}}\n")
    };
    let text = test("check(1)?;\n    check(2)?;\n    check(3)?;");
    let krate = krate(&[("/p/tests/a.rs", &text)]);
    let located = krate.find_test("t").unwrap();
    let marks = krate.marks(&located);
    let order =
        ["let check", "check(1)", "check(2)", "assert_eq!"].map(|it| text.find(it).unwrap());
    let at = |offset: usize| order.iter().position(|place| *place == offset);
    let times = marks.iter().map(|mark| at(mark.offset).map_or(0, |place| 1 + place as u64));
    let times: Vec<u64> = times.collect();
    let left = left_after(&krate, &text, times.clone(), Some((FileIndex(0), order[3])));
    assert_eq!(left, test("check(1)?;\n    check(2)?;"));
    let behind = krate.mark_behind(&located, &Reached(times)).unwrap();
    assert_eq!(marks[behind].offset, text.find("check(3)").unwrap());
}

/// A test whose texts were reduced from each of these to the other, tidied, and whether that has changed anything.
fn tidied(text: &str, reduced: &[(&str, &str)]) -> (String, bool) {
    let krate = krate(&[("/p/tests/a.rs", text)]);
    let located = krate.find_test("t").unwrap();
    let mut edits = Edits::default();
    for (from, to) in reduced {
        let at = text.find(from).unwrap();
        edits.replace(at..at + from.len(), *to);
    }
    let mut edits = BTreeMap::from([(FileIndex(0), edits)]);
    let is_changed = krate.tidy(&located, &mut edits);
    (edits.remove(&FileIndex(0)).unwrap().apply(text), is_changed)
}

#[track_caller]
fn unrolled(body: &str, expected: &str) {
    let (left, is_changed) = tidied(&in_test(body), &[]);
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(squeezed(&left), squeezed(&format!("#[test] fn t() {{ {expected} }}")));
    assert_eq!(is_changed, body != expected);
}

#[test]
fn a_loop_of_one_turn_is_none() {
    unrolled("for width in [5] {\n        f(width);\n    }", "let width = 5;\n        f(width);");
    unrolled("for (a, b) in &[(1, \"x\")] { g(a, b); }", "let (a, b) = &(1, \"x\"); g(a, b);");
    unrolled("for _ in vec![()] { h(); }", "h();");
    unrolled("for (a, b) in [(1, 2)] { f(a, b); } g(c);", "let (a, b) = (1, 2); f(a, b); g(c);");
    unrolled("for a in [1] { f(a); } f(a);", "{ let a = 1; f(a); } f(a);");
    unrolled("for a in [1] { f(a) } g();", "{ let a = 1; f(a) } g();");
    unrolled(
        "for row in [[1]] { for x in [2] { f(row, x); } }",
        "let row = [1]; let x = 2; f(row, x);",
    );
}

#[test]
fn a_loop_without_turns_is_gone_with_what_only_it_needs() {
    unrolled("let n = 1;\n    for a in vec![] {\n        f(a, n);\n    }\n    g();", "g();");
    unrolled("for a in &[n; 0] { f(a); }", "");
}

#[test]
fn other_loops_stay() {
    for body in [
        "for a in [1, 2] { f(a); }",
        "for a in list { f(a); }",
        "for a in [1] { if f(a) { continue; } g(a); }",
        "'all: for a in [1] { f(a); }",
    ] {
        unrolled(body, body);
    }
}

#[test]
fn sums_with_what_was_reduced_to_nothing_are_shorter() {
    let text = in_test("f(7 + n % 3, (n as u32 * 8) % 9, m - 6, g() * 5, 0 + m);");
    let left = tidied(&text, &[("7", "0"), ("8", "0"), ("6", "0"), ("5", "0")]);
    assert_eq!(left, (in_test("f(n % 3, 0, m, g() * 0, 0 + m);"), true));
    let text = in_test("f(format!(\"{}{}\", a[n], n / 2 + 5));");
    assert_eq!(tidied(&text, &[("5", "0")]).0, in_test("f(format!(\"{}{}\", a[n], n / 2));"));
}

#[test]
fn a_list_that_is_only_read_is_an_array() {
    let left = |body: &str| {
        let (left, _) = tidied(&in_test(body), &[("7", "0")]);
        left.lines().nth(2).unwrap().trim().to_owned()
    };
    let read =
        "let all = vec![7, 1]; f(all.iter(), all.len()); for one in &all { g(one, all[1]); }";
    assert_eq!(left(read), read.replace("vec![7", "[0"));
    for other in [
        "let all = vec![7]; f(all.iter()); g(all);",
        "let all = vec![7]; f(all.iter()); g(&all);",
        "let mut all = vec![7]; f(all.iter());",
        "let all = vec![7; n]; f(all.iter());",
        "let all: Vec<u8> = vec![7]; f(all.iter());",
    ] {
        assert_eq!(left(other), other.replace('7', "0"));
    }
}

#[test]
fn a_text_that_nobody_reads_is_not_put_together() {
    check(
        "let all = format!(\"{} {c}\", b);\n    let x = f(1);\n    g(all, x);",
        "let x",
        "let _ = f(1);",
    );
}

#[test]
fn a_file_that_nobody_looks_at_is_not_read() {
    let helpers = "fn read(name: &str) -> String {\n    let path = dir().join(format!(\"{name}.txt\"));\n    \
                   std::fs::read_to_string(&path).unwrap_or_else(|why| panic!(\"{why}\"))\n}\n\
                   fn dir() -> PathBuf {\n    Path::new(env!(\"CARGO_MANIFEST_DIR\")).join(\"data\")\n}\n";
    let text = |expected: &str, asserted: &str| {
        format!(
            "{helpers}#[test]\nfn t() {{\n{expected}    let x = f(1);\n    g(x);\n{asserted}}}\n"
        )
    };
    let [expected, asserted] =
        ["    let expected = read(\"a\");\n", "    assert_eq!(x, expected);\n"];
    let left = tidied(&text(expected, asserted), &[("    assert_eq!(x, expected);\n", "")]).0;
    assert_eq!(left, text("", ""));
    let writing = text(expected, asserted).replace("format!(\"{name}.txt\")", "write(name)");
    let left = tidied(&writing, &[("    assert_eq!(x, expected);\n", "")]).0;
    assert!(left.contains("let _ = read"), "{left}");
}

#[test]
fn a_value_is_returned_at_once_where_only_expectations_stood_between() {
    let text = "fn made(a: &str) -> Page {\n    let page = f(a);\n    assert!(page.ok());\n    page\n}\n\
                #[test]\nfn t() {\n    let page = made(\"a\");\n    g(page);\n}\n";
    let after = "fn made(a: &str) -> Page {\n    f(a)\n}\n\
                 #[test]\nfn t() {\n    let page = made(\"a\");\n    g(page);\n}\n";
    assert_eq!(tidied(text, &[("assert!(page.ok());", "")]).0.replace("    \n", ""), after);
    let [changed, whole] = [text, after].map(|text| text.replace("g(page)", "h(page)"));
    let [changed, whole] = [changed.replace("let page = f", "let mut page = f"), whole];
    assert_eq!(tidied(&changed, &[("assert!(page.ok());", "")]).0.replace("    \n", ""), whole);
    assert_eq!(
        tidied(&text.replace("assert!(page.ok());", ""), &[("\"a\"", "\"\"")]).0,
        text.replace("assert!(page.ok());", "").replace("\"a\"", "\"\"")
    );
}

#[test]
fn loops_in_which_nothing_is_left_go() {
    let text = in_test("for n in (0..9).step_by(3) {\n        assert!(a(n));\n    }\n    f(1);");
    assert_eq!(tidied(&text, &[("assert!(a(n));", "")]).0, in_test("f(1);"));
    let taking = text.replace("(0..9).step_by(3)", "queue.drain()");
    let left = taking.replace("assert!(a(n));", "").replace("for n", "for _");
    assert_eq!(tidied(&taking, &[("assert!(a(n));", "")]).0, left);
}

#[test]
fn comments_go_with_all_that_stands_right_behind_them() {
    let text = in_test(
        "// first\n    // of two\n    f(1);\n    f(2);\n\n    // second\n    f(3);\n    g();\n\n    // end",
    );
    let all = [("f(1);", ""), ("f(2);", ""), ("f(3);", "")];
    let lines = |text: &str| -> Vec<String> {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.map(str::to_owned).collect()
    };
    let left = in_test("// second\n    g();\n    // end");
    assert_eq!(lines(&tidied(&text, &all).0), lines(&left));
    assert_eq!(tidied(&text, &all[..1]).0, text.replace("f(1);", ""));
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
    let expected = "#[test]\nfn t() -> Result<(), E> {\n    let _ = load(1);\n    Ok(())\n}\n";
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
    let time = |offset: usize| match offset {
        _ if text[offset..].starts_with("let x") => 2,
        _ if text[offset..].starts_with("check(1)") => 1,
        _ => 0,
    };
    let times = marks.iter().map(|mark| time(mark.offset)).collect();
    let expected = "fn check(a: u8) {\n    let _ = f(a);\n}\n#[test]\nfn t() {\n    check(1);\n}\n";
    assert_eq!(left_after(&krate, text, times, None), expected);
}

#[test]
fn the_failing_run_passes_by_the_other_branch_and_not_what_is_behind() {
    let text = "fn check(text: &str, all: bool) {\n    if text.is_empty() { skip(); }\n    \
                if all { one(text); two(text); } else { none(text); }\n    \
                match f(text) { Ok(_) => { three(); } Err(_) => { four(); } }\n}\n\
                #[test]\nfn t() { check(\"a\", false); }\n";
    let krate = krate(&[("/p/tests/a.rs", text)]);
    let located = krate.find_test("t").unwrap();
    let marks = krate.marks(&located);
    let passed_by = |last: &str| {
        let last = text.find(last).unwrap();
        let time = |offset: usize| match offset {
            _ if offset == last => 9,
            _ if text[offset..].starts_with("check(\"a") => 1,
            _ => 0,
        };
        let times = marks.iter().map(|mark| time(mark.offset)).collect();
        let all = krate.passed_by(&located, &Reached(times));
        all.into_iter().map(|(_, range)| &text[range]).collect::<Vec<_>>()
    };
    assert_eq!(passed_by("none"), ["one(text); two(text);"]);
    assert_eq!(passed_by("match"), [] as [&str; 0]);
}

const CHECKED: &str = "#[test]\nfn t() -> R {\n    check(\"\", 0)?;\n    check(\"a\", 4)\n}\n\n\
    fn check(text: &str, lines: usize) -> R {\n    let (more, less) = lib::changes(text)?;\n    \
    if more.len() != lines {\n        return Err(less.to_string());\n    }\n    Ok(())\n}\n";

#[test]
fn a_helper_that_is_left_with_an_error_checks_nothing_behind_that() {
    let krate = krate(&[("/p/tests/a.rs", CHECKED)]);
    let located = krate.find_test("t").unwrap();
    let marks = krate.marks(&located);
    let at = |words: &str| marks.iter().position(|it| it.offset == CHECKED.find(words).unwrap());
    let (first, second) = (at("check(\"\"").unwrap(), at("check(\"a\"").unwrap());
    let (left, behind) = (at("let (more").unwrap(), at("if more").unwrap());
    // The first call has come to the end of the helper.
    let mut times: Vec<u64> = (0..).take(marks.len()).map(|it| 2 + it).collect();
    (times[first], times[second], times[left]) = (1, 100, 101);
    let reached = Reached(times);
    let file = FileIndex(0);
    let called_in = Some([second, first]);
    let expected = BehindError { mark: behind, file, called_in };
    assert_eq!(krate.behind_error(&located, &reached), Some(expected));
    let left = left_after(&krate, CHECKED, reached.0, None);
    let helper = "fn check(text: &str, _lines: usize) -> R {\n    let _ = lib::changes(text)?;\n    Ok(())\n}\n";
    assert!(left.ends_with(helper), "{left}");
}

#[test]
fn an_error_of_the_test_itself_is_passed_with_its_next_statement() {
    let text = in_test("let a = lib::first()?;\n    lib::second(a)?;\n    Ok(())");
    let krate = krate(&[("/p/tests/a.rs", &text)]);
    let located = krate.find_test("t").unwrap();
    let expected = BehindError { mark: 1, file: FileIndex(0), called_in: None };
    assert_eq!(krate.behind_error(&located, &Reached(vec![1, 0, 0])), Some(expected));
    assert_eq!(krate.behind_error(&located, &Reached(vec![1, 2, 3])), None);
}

#[test]
fn the_value_of_a_helper_stays() {
    let text = |failing: &str| {
        format!(
            "#[test]\nfn t() {{ assert_eq!(count(1), 1); }}\n\
            fn count(n: u8) -> usize {{ let all = lib::all(n); match {failing} {{ [] => 0, all => all.len() }} }}\n"
        )
    };
    let left = |text: &str, failure: Option<usize>| {
        let krate = krate(&[("/p/tests/a.rs", text)]);
        left_after(&krate, text, vec![1, 2, 3], failure.map(|offset| (FileIndex(0), offset)))
    };
    let it = text("all");
    // The helper has returned.
    assert_eq!(left(&it, it.find("assert_eq")), it);
    // It has not, but nothing else could be its value.
    assert!(left(&text("lib::some(all)"), None).ends_with(
        &it[it.find("fn count").unwrap()..].replace("match all", "match lib::some(all)")
    ));
}

#[test]
fn the_failing_call_is_asked_for_nothing_that_it_never_returned() {
    check(
        "let page = page(\"a\").unwrap();\n    assert!(page.ok());",
        "let page",
        "let _ = page(\"a\");",
    );
    check(
        "render(&page(\"a\")?)?.expect(\"a page\");\n    f(1);",
        "render",
        "let _ = render(&page(\"a\")?);",
    );
    check(
        "assert!(page(\"a\").unwrap_err().is_eof());",
        "assert",
        "let _ = page(\"a\").unwrap_err().is_eof();",
    );
    check(
        "let page: Page<'_> = page(\"a\").unwrap();\n    f(page);",
        "let page",
        "let _: Result<Page<'_>, _> = page(\"a\");",
    );
    let unwrap = "let page = page(\"a\").unwrap();";
    assert_eq!(left(&in_test(unwrap), "let page", &[], true), in_test(unwrap));
    let body = format!("{unwrap}\n    for i in 0..2 {{\n        f(page);\n    }}");
    let left = |failing: &str| left(&in_test(&body), failing, &[], false);
    assert!(left("f(page)").contains(unwrap));
}
