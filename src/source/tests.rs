//! Inputs found and written back, before and after.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::*;
use crate::reduce::inputs::{Body, Inputs, Int, Node, Value};

/// A crate made of texts.
pub(crate) fn krate(files: &[(&str, &str)]) -> Crate {
    let read = |path: &Path| {
        let found = files.iter().find(|(name, _)| Path::new(name) == path);
        found.map(|(_, text)| (*text).to_owned()).ok_or_else(|| std::io::ErrorKind::NotFound.into())
    };
    Crate::load(Path::new(files[0].0), Path::new(""), read).unwrap()
}

pub(crate) fn no_files(_: &Path) -> std::io::Result<Vec<u8>> {
    Err(std::io::ErrorKind::NotFound.into())
}

pub(crate) fn found(krate: &Crate, test: &str) -> FoundInputs {
    krate.inputs(&krate.find_test(test).unwrap(), no_files)
}

/// The inputs in one line each, such as `["a" 5]` for a sequence and `("a" 5)` for a group.
fn shown(inputs: &Inputs) -> Vec<String> {
    inputs.0.iter().map(|node| show(node)).collect()
}

fn show(node: &Node) -> String {
    let all =
        |nodes: &[Arc<Node>]| nodes.iter().map(|node| show(node)).collect::<Vec<_>>().join(" ");
    match &node.body {
        Body::Leaf(Value::Text(text)) => format!("{text:?}"),
        Body::Leaf(Value::Bytes(bytes)) => format!("b\"{}\"", bytes.escape_ascii()),
        Body::Leaf(Value::Char(char)) => format!("{char:?}"),
        Body::Leaf(Value::Int(int)) => {
            format!("{}{}", if int.negative { "-" } else { "" }, int.magnitude)
        }
        Body::Leaf(Value::Float(float)) => format!("{:?}", float.0),
        Body::Leaf(Value::Bool(value)) => value.to_string(),
        Body::Seq(nodes) => format!("[{}]", all(nodes)),
        Body::Group(nodes) => format!("({})", all(nodes)),
        Body::Opaque => "_".to_owned(),
    }
}

fn inputs_of(body: &str) -> Vec<String> {
    let krate = krate(&[("tests/a.rs", &format!("#[test]\nfn t() {{\n{body}\n}}\n"))]);
    shown(&found(&krate, "t").inputs)
}

/// Keeps the elements of each sequence for which `keep` holds, by ordinal, and halves numbers.
fn changed(node: &Arc<Node>, keep: &dyn Fn(usize) -> bool) -> Arc<Node> {
    let body = match &node.body {
        Body::Leaf(Value::Int(int)) => {
            Body::Leaf(Value::Int(Int { magnitude: int.magnitude / 2, ..*int }))
        }
        Body::Leaf(Value::Text(_)) => Body::Leaf(Value::Text("x\"y".to_owned())),
        Body::Leaf(value) => Body::Leaf(value.clone()),
        Body::Seq(nodes) => {
            let kept = nodes.iter().enumerate().filter(|(index, _)| keep(*index));
            Body::Seq(kept.map(|(_, node)| changed(node, keep)).collect())
        }
        Body::Group(nodes) => Body::Group(nodes.iter().map(|node| changed(node, keep)).collect()),
        Body::Opaque => Body::Opaque,
    };
    Arc::new(Node { id: node.id, body })
}

fn written(body: &str, keep: &dyn Fn(usize) -> bool) -> String {
    let text = format!("#[test]\nfn t() {{\n{body}\n}}\n");
    let krate = krate(&[("tests/a.rs", &text)]);
    let found = found(&krate, "t");
    let candidate = Inputs(found.inputs.0.iter().map(|node| changed(node, keep)).collect());
    let back = found.write_back(&krate, &candidate);
    let edits = back.edits.into_iter().next().map(|(_, edits)| edits).unwrap_or_default();
    let new = edits.apply(&text);
    let again = super::tests::krate(&[("tests/a.rs", &new)]);
    let leaves = |inputs: &Inputs| {
        let flat = shown(inputs).join(" ").replace(['[', ']', '(', ')', '_'], "");
        let leaves = flat.split_whitespace();
        leaves.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(leaves(&super::tests::found(&again, "t").inputs), leaves(&candidate), "{new}");
    new.strip_prefix("#[test]\nfn t() {\n").unwrap().strip_suffix("\n}\n").unwrap().to_owned()
}

#[test]
fn literals_of_every_kind_are_inputs() {
    assert_eq!(
        inputs_of(r##"f("a", r#"b"#, b"c", 'd', b'e', 0x_1F_u8, -5, 2.5, true, c"x");"##),
        ["\"a\"", "\"b\"", "b\"c\"", "'d'", "101", "31", "-5", "2.5", "true", "b\"x\""]
    );
}

#[test]
fn sources_whose_methods_have_parameters_without_a_name_are_read() {
    let text = "trait T { fn a(&self, u8, &str); }\n#[test]\nfn t() { f(\"ab\", 1); }\n";
    let krate = krate(&[("src/lib.rs", text)]);
    let found = found(&krate, "t");
    assert_eq!(shown(&found.inputs), ["\"ab\"", "1"]);
    assert_eq!(&text[found.place(found.inputs.0[0].id).range()], "\"ab\"");
}

#[test]
fn sequences_hold_their_elements_at_any_depth() {
    assert_eq!(inputs_of("f(vec![1, 2]);"), ["[1 2]"]);
    assert_eq!(inputs_of("f(&[(1, \"a\"), (2, \"b\")]);"), ["[(1 \"a\") (2 \"b\")]"]);
    assert_eq!(inputs_of("f([[1, 2], [-3, 4]]);"), ["[[1 2] [-3 4]]"]);
    assert_eq!(inputs_of("f(vec![Op::Put(1, 2), Op::Clear, x]);"), ["[(1 2) _ _]"]);
    assert_eq!(inputs_of("f(vec![P { x: 1, y: vec![2] }]);"), ["[(1 [2])]"]);
    assert_eq!(inputs_of("f(vec![0; 9]);"), ["0", "9"]);
}

#[test]
fn statements_on_one_object_are_a_sequence() {
    assert_eq!(
        inputs_of("let mut m = new(7);\nm.put(1);\nlet x = 5;\nm.take(2);\nm.done();\nn.put(3);"),
        ["7", "[(1) (2) _]", "5", "3"]
    );
}

#[test]
fn calls_on_a_builder_are_a_sequence() {
    assert_eq!(
        inputs_of("let c = Cache::new().limit(8).with(1, \"a\").done().with(2, \"b\").build();"),
        ["8", "[(1 \"a\") (2 \"b\")]"]
    );
    assert_eq!(inputs_of("let n = v.iter().map(|x| x + 1).nth(2);"), ["1", "2"]);
    assert_eq!(
        written("let c = new()\n    .a(2)\n    .b(4)\n    .c(6);", &|index| index == 1),
        "let c = new()\n    .b(2);"
    );
}

#[test]
fn what_an_assertion_expects_is_no_input() {
    assert_eq!(inputs_of("assert_eq!(f(\"a\", 1), \"b\", \"message {}\", 3);"), ["\"a\"", "1"]);
    assert_eq!(inputs_of("assert!(x.len() > 100 && f(7));"), ["7"]);
    assert_eq!(inputs_of("assert!((f(7) - 92.4).abs() < 0.5);"), ["7"]);
    assert_eq!(inputs_of("let x = f(7); assert!((x - 92.4).abs() < 0.5);"), ["7"]);
    assert_eq!(inputs_of("assert!(html.contains(\"x\"), \"{html}\");"), [""; 0]);
    assert_eq!(inputs_of("assert!(!matches!(lint(\"t\"), Some(5)));"), ["\"t\""]);
    assert_eq!(inputs_of("let x = f(1).expect(\"message\");"), ["1"]);
}

#[test]
fn macro_arguments_are_inputs_even_if_they_are_no_expressions() {
    assert_eq!(
        inputs_of("let s = format!(\"{} {x}!\", \"a\", 5);"),
        ["(\" \" \"!\")", "\"a\"", "5"]
    );
    assert_eq!(inputs_of("println!(\"a {}\", 5);"), ["5"]);
    assert_eq!(
        inputs_of("let m = hashmap!{\"a\" => -1, \"b\" => x - 2};"),
        ["\"a\"", "-1", "\"b\"", "2"]
    );
    assert_eq!(
        inputs_of("let j = json!({\"a\": [1, {\"b\": 2}, x], \"c\": f(3, 4)});"),
        ["[(\"a\" [(1) (\"b\" 2) _]) (\"c\" 3 4)]"]
    );
    assert_eq!(
        written("let j = json!({\n    \"a\": 2,\n    \"b\": {},\n});", &|index| index == 1),
        "let j = json!({\n    r#\"x\"y\"#: {},\n});"
    );
    assert_eq!(inputs_of("let s = concat!(\"a\", 1, 'c');"), ["\"a1c\""]);
}

#[test]
fn constants_and_helpers_that_the_test_reaches_hold_inputs_too() {
    let text = "const USED: &str = \"a\";\nconst UNUSED: &str = \"b\";\nstatic TABLE: [u8; 2] = [1, 2];\n\
        fn helper() -> usize { USED.len() + 3 }\nfn other() { f(4); }\n\
        #[test]\nfn t() { f(helper(), TABLE, common::more()); }\n#[test]\nfn u() { other(); }\nmod common;\n";
    let krate =
        krate(&[("tests/a.rs", text), ("tests/common/mod.rs", "pub fn more() -> u8 { 9 }")]);
    let found = found(&krate, "t");
    assert_eq!(shown(&found.inputs), ["\"a\"", "[1 2]", "3", "9"]);
}

#[test]
fn library_code_holds_no_inputs_of_its_unit_tests() {
    let text = "pub fn parse(s: &str) -> u8 { s.len() as u8 + 7 }\n\
        #[cfg(test)]\nmod tests {\n    use super::*;\n    fn help() -> u8 { 5 }\n\
        #[test]\n    fn t() { assert_eq!(parse(\"abc\"), help()); }\n}\n";
    let krate = krate(&[("src/lib.rs", text)]);
    assert_eq!(shown(&found(&krate, "tests::t").inputs), ["5", "\"abc\""]);
}

#[test]
fn removed_elements_and_changed_values_are_written_into_the_original_formatting() {
    let second = |index: usize| index % 2 == 1;
    let before = "let v = vec![\n    2, 4, // four\n    6, 8,\n];\nf(&v, \"text\");";
    assert_eq!(
        written(before, &second),
        "let v = vec![\n    2, // four\n    4,\n];\nf(&v, r#\"x\"y\"#);"
    );
    assert_eq!(written("let a: [u8; 3] = [2, 4, 6];", &second), "let a: [u8; 1] = [2];");
    assert_eq!(written("f(&[(2, [4, 6])]);", &|_| true), "f(&[(1, [2, 3])]);");
    assert_eq!(
        written("let s = format!(r#\"\"a\" {x:<2}b\"#, x = 4);", &|_| true),
        "let s = format!(r#\"x\"y{x:<2}x\"y\"#, x = 2);"
    );
    assert_eq!(written("    m.a(2);\n    m.b(4);\n    m.c(6);", &second), "    m.b(2);");
}

#[test]
fn modules_are_found_where_the_language_says() {
    let krate = krate(&[
        (
            "src/lib.rs",
            "mod a; #[path = \"odd.rs\"] mod b; mod inline { mod c; } #[cfg(no)] mod gone; mod missing;",
        ),
        ("src/a.rs", "mod deep;"),
        ("src/a/deep.rs", ""),
        ("src/odd.rs", "mod d;"),
        ("src/d.rs", ""),
        ("src/inline/c/mod.rs", "mod e;"),
        ("src/inline/c/e.rs", ""),
    ]);
    let mut paths: Vec<_> = krate.files().iter().map(|file| file.path.clone()).collect();
    paths.sort_by_key(|path| path.to_string_lossy().into_owned());
    let expected = [
        "src/a.rs",
        "src/a/deep.rs",
        "src/d.rs",
        "src/inline/c/e.rs",
        "src/inline/c/mod.rs",
        "src/lib.rs",
        "src/odd.rs",
    ];
    assert_eq!(paths, expected.map(PathBuf::from));
    let troubles: Vec<String> = krate.troubles().iter().map(ToString::to_string).collect();
    assert_eq!(troubles, ["cannot find the file of module `missing`, declared in src/lib.rs:1:77"]);
}

#[test]
fn tests_are_found_with_what_their_attributes_say() {
    let text = "\u{feff}#[tokio::test]\nasync fn a() {}\n#[test]\n#[should_panic(expected = \"x\")]\nfn b() -> R { }\n\
        #[rstest]\n#[case(1)]\nfn c(#[case] n: u8) {}\nproptest! { #[test] fn d(n in 0..5) {} }\nmine!(e);";
    let krate = krate(&[("tests/a.rs", text)]);
    let a = krate.find_test("a").unwrap().facts;
    assert!(a.is_async && a.harness == Harness::Attribute("tokio::test".to_owned()));
    let b = krate.find_test("b").unwrap().facts;
    assert!(b.returns_result && b.should_panic == Some(Some("x".to_owned())));
    let c = krate.find_test("c::case_1").unwrap().facts;
    assert!(matches!(c.harness, Harness::Cases { case: Some(case), .. } if case == "case_1"));
    let c = krate.find_test("c::w_2_b::n_1_1").unwrap().facts;
    assert!(matches!(c.harness, Harness::Cases { case: Some(case), .. } if case == "w_2_b::n_1_1"));
    assert!(matches!(krate.find_test("d"), Err(NotLocated::Proptest { .. })));
    assert!(matches!(krate.find_test("e"), Err(NotLocated::Macro { name, .. }) if name == "mine"));
    assert!(matches!(krate.find_test("f"), Err(NotLocated::Unknown { .. })));
}

#[test]
fn a_value_that_an_assertion_names_again_is_one_input() {
    assert_eq!(inputs_of("x.forget(360);\nassert_eq!(x.all(), model(&y, 360));"), ["360"]);
    assert_eq!(inputs_of("assert_eq!(close(&open, 8).len(), open.len() - 8);"), ["8"]);
    assert_eq!(inputs_of("f(5);\ng(5);"), ["5", "5"]);
    assert_eq!(
        written("assert_eq!(close(&open, 8).len(), open.len() - 8);", &|_| true),
        "assert_eq!(close(&open, 4).len(), open.len() - 4);"
    );
    assert_eq!(
        written("x.put(6);\nx.take(6);\nassert!(x.has(f(6)));", &|index| index == 0),
        "x.put(3);\nassert!(x.has(f(3)));"
    );
}

#[test]
fn values_of_a_failure_that_stays_to_the_letter_change_apart() {
    let krate =
        krate(&[("tests/a.rs", "#[test]\nfn t() { assert_eq!(1.0, like(\"a\", \"a\")); }\n")]);
    let of = |is_exact| {
        let located = krate.find_test("t").unwrap();
        let failing = inputs::Failing { place: None, expects_input: false, is_exact };
        shown(&krate.inputs_where(&located, Some(failing), false, no_files).inputs)
    };
    assert_eq!(of(false), ["\"a\"", "[_]"]);
    assert_eq!(of(true), ["\"a\"", "\"a\"", "[_]"]);
}

#[test]
fn the_arguments_of_a_case_are_inputs() {
    let text = "#[rstest]\n#[case(\"a\", 1)]\n#[case::second(\"b\", 2)]\nfn t(#[case] s: &str, #[case] n: u8) { f(s, 3); }\n\
        #[test_case(4 ; \"four\")]\nfn u(n: u8) {}\n";
    let krate = krate(&[("tests/a.rs", text)]);
    assert_eq!(shown(&found(&krate, "t::case_2_second").inputs), ["\"b\"", "2", "3"]);
    assert_eq!(shown(&found(&krate, "u::four").inputs), ["4"]);
}

::proptest::proptest! {
    #[test]
    fn any_candidate_is_written_so_that_it_reads_back(kept: u64) {
        let body = "let a: [(u8, &str); 3] = [(2, \"p\"), (4, \"q\\n\"), (6, r\"r\")];\n\
            f(&a, vec![\n    vec![10], // ten\n    vec![-12, 14],\n], &[b'x', b'y']);\n\
            m.put(20, S { t: 22, u: None });\nm.take(24); m.done();\nfor i in [40] { m.put(i); }\n\
            let t = format!(\"a{{{}}} b\", 50);\nlet b = new().a(30).b(32).c();";
        written(body, &|index| kept >> index & 1 == 1);
    }
}

#[test]
fn calls_of_a_closure_in_which_a_test_fails_are_checks_that_may_go() {
    let text = "#[test]\nfn t() {\n    let check = |a: u8| assert_eq!(f(a), a);\n    check(1);\n    check(2);\n    g(3);\n}\n\
                #[test]\nfn u() {\n    assert!(f(1));\n    assert!(f(2));\n    assert!(f(3));\n}\n";
    let krate = krate(&[("tests/a.rs", text)]);
    let checks = |test: &str, at: &str| {
        let place = Some((FileIndex(0), text.find(at).unwrap()));
        let failing = Failing { place, expects_input: false, is_exact: false };
        let located = krate.find_test(test).unwrap();
        let found = krate.inputs_where(&located, Some(failing), false, no_files);
        let passed = found.passed.iter().filter_map(|id| found.inputs.get(*id));
        passed.map(|checks| checks.children().len()).collect::<Vec<_>>()
    };
    assert_eq!(checks("t", "assert_eq!"), [2]);
    // What comes behind the failing assertion is not passed.
    assert_eq!(checks("u", "assert!(f(2))"), [1]);
}
