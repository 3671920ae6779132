//! Regression tests, before and after.

use std::path::Path;

use super::*;
use crate::reduce::inputs::{Inputs, Value};
use crate::source::tests::{krate, no_files};
use crate::source::{Crate, FileIndex, FoundInputs, Located};

/// All texts become "x".
fn reduced(found: &FoundInputs) -> Inputs {
    let texts = found.inputs.leaves().filter(|(_, value)| matches!(value, Value::Text(_)));
    texts.fold(found.inputs.clone(), |all, (id, _)| all.with_text(id, "x"))
}

/// A crate of these files, its test of that name, and the inputs of that.
fn read(files: &[(&str, &str)], test: &str) -> (Crate, Located, FoundInputs) {
    let krate = krate(files);
    let located = krate.find_test(test).unwrap();
    let found = krate.inputs(&located, no_files);
    (krate, located, found)
}

/// A file without a header, beside the integration tests.
fn in_tests() -> NewFile<'static> {
    NewFile { directory: Path::new("tests"), header: &[], left: &[] }
}

#[test]
fn a_new_file_holds_what_the_test_needs_and_nothing_else() {
    let text = "//! Docs.\n#![allow(dead_code)]\nuse lib::{run, walk};\nuse std::collections::HashMap;\nmod common;\n\n\
        const LONG: &str = \"long\";\nconst OTHER: &str = \"other\";\n\n#[test]\nfn other() { walk(OTHER); }\n\n\
        /// Why.\n#[test]\nfn t() {\n    run(LONG, common::help());\n}\n";
    let common =
        "pub fn help() -> &'static str { include_str!(\"data.txt\") }\npub fn unused() {}\n";
    let (krate, located, found) =
        read(&[("tests/a.rs", text), ("tests/common/mod.rs", common)], "t");
    let header = ["Reduced from tests/a.rs.".to_owned()];
    let new = NewFile { directory: Path::new("tests"), header: &header, left: &[] };
    let made = found.regression_file(&krate, &located, &reduced(&found), &new);
    assert_eq!(
        made.text,
        "// Reduced from tests/a.rs.\n\n#![allow(dead_code)]\nuse lib::run;\n\nmod common {\n\
         pub fn help() -> &'static str { include_str!(\"common/data.txt\") }\n}\n\n\
         const LONG: &str = \"x\";\n\n/// Why.\n#[test]\nfn reduced_t() {\n    run(LONG, common::help());\n}\n"
    );
    assert_eq!(made.test, "reduced_t");
    let call = made.text.find("common::help()").unwrap();
    assert_eq!(made.origin(call), Some((FileIndex(0), text.find("common::help()").unwrap())));
    assert_eq!(made.origin(3), None);
}

#[test]
fn an_import_goes_that_only_its_own_module_needs() {
    let text = "mod common;\nuse common::{count, each};\n\n#[test]\nfn other() { each(); }\n\n\
                #[test]\nfn t() { count(1); }\n";
    let common = "pub fn count(n: u8) { each(); }\npub fn each() {}\n";
    let (krate, located, found) =
        read(&[("tests/a.rs", text), ("tests/common/mod.rs", common)], "t");
    let made = found.regression_file(&krate, &located, &found.inputs, &in_tests()).text;
    assert!(made.contains("use common::count;") && made.contains("pub fn each()"), "{made}");
}

#[test]
fn methods_that_nothing_calls_stay_behind() {
    let text = "struct Day(Board);\nimpl Day {\n    fn book(&mut self) { self.0.put(1); }\n    \
                fn release(&mut self) { self.0.release(); }\n}\n\
                struct Board;\nimpl Board {\n    const ALL: u8 = 2;\n    fn put(&mut self, n: u8) { lib::put(n + Self::ALL); }\n    \
                fn release(&mut self) { help(); }\n}\nfn help() {}\nimpl Drop for Board {\n    fn drop(&mut self) {}\n}\n\n\
                #[test]\nfn t() { Day(Board).book(); }\n";
    let (krate, located, mut found) = read(&[("tests/a.rs", text)], "t");
    let made = found.regression_file(&krate, &located, &found.inputs, &in_tests());
    assert!(!made.text.contains("release") && made.is_tidied, "{}", made.text);
    let always = ["fn book", "fn put", "const ALL", "fn drop"];
    for left in always {
        assert!(made.text.contains(left), "{}", made.text);
    }
    // With all methods comes what they call.
    found.is_untidy = true;
    let made = found.regression_file(&krate, &located, &found.inputs, &in_tests());
    for left in always.into_iter().chain(["fn release", "fn help"]) {
        assert!(made.text.contains(left), "{}", made.text);
    }
}

#[test]
fn an_enum_comes_along_with_its_variants_or_its_import_goes() {
    let text = |used: &str| {
        format!("enum Step {{ Put(u8), Rest }}\nuse Step::*;\n\n#[test]\nfn t() {{ {used} }}\n")
    };
    let made = |used: &str| made_of(&text(used));
    let with = made("lib::run(Put(1));");
    assert!(with.contains("enum Step") && with.contains("use Step::*;"), "{with}");
    let without = made("lib::run(1);");
    assert!(!without.contains("Step"), "{without}");
}

#[test]
fn an_included_file_becomes_a_literal() {
    let text =
        "#[test]\nfn t() { run(include_str!(\"data.txt\"), include_bytes!(\"data.txt\")); }\n";
    let (krate, located, _) = read(&[("tests/a.rs", text)], "t");
    let found = krate.inputs(&located, |_| Ok(b"content".to_vec()));
    let made = found.regression_file(&krate, &located, &reduced(&found), &in_tests());
    assert_eq!(made.text, "#[test]\nfn reduced_t() { run(\"x\", b\"x\"); }\n");
}

#[test]
fn a_unit_test_stands_beside_the_original_with_its_changed_constants_inside() {
    let text = "fn run(s: &str) {}\n#[cfg(test)]\nmod tests {\n    use super::*;\n    const LONG: &str = \"long\";\n    \
        const SAME: u8 = 1;\n    fn help() -> usize { LONG.len() }\n    #[test]\n    fn t() {\n        run(LONG); help(); SAME;\n    }\n}\n";
    let (krate, located, found) = read(&[("src/lib.rs", text)], "tests::t");
    let made = found.regression_beside(&krate, &located, &reduced(&found), &["Why.".to_owned()]);
    assert_eq!(
        made.text,
        "\n\n    // Why.\n    #[test]\n    fn reduced_t() {\n        const LONG: &str = \"x\";\n        \
         fn help() -> usize { LONG.len() }\n        run(LONG); help(); SAME;\n    }"
    );
    assert_eq!(made.test, "tests::reduced_t");
    assert_eq!(made.insert_at, Some((FileIndex(0), text.rfind("\n}\n").unwrap())));
    let call = made.text.find("help(); SAME").unwrap();
    assert_eq!(made.origin(call), Some((FileIndex(0), text.find("help(); SAME").unwrap())));
}

/// What is added for a table of two texts in the place of the first text of the test `name`.
fn added(text: &str, name: &str) -> Result<String, NoInstancesTest> {
    let (krate, located, found) = read(&[("tests/a.rs", text)], name);
    let candidate = reduced(&found);
    let mut made = found.regression_file(&krate, &located, &candidate, &in_tests());
    let before = made.text.clone();
    let mut texts = candidate.leaves().filter(|(_, value)| value.as_text().is_some());
    let test = InstancesTest {
        node: texts.next().unwrap().0,
        pattern: "<a>".to_owned(),
        instances: Instances::Table(vec!["v".to_owned(), "w".to_owned()]),
        failure: None,
    };
    let name = found.add_instances(&krate, &located, &candidate, &test, &mut made)?;
    assert!(name.ends_with("_instances"), "{name}");
    // The test itself stays as it was.
    let common = before.bytes().zip(made.text.bytes()).take_while(|(a, b)| a == b);
    let start = common.count();
    let rest = before.len() - start;
    let end = made.text.len() - rest;
    assert_eq!(&made.text[end..], &before[start..]);
    Ok(made.text[start..end].to_owned())
}

#[test]
fn a_constant_that_varies_becomes_a_variable() {
    let text = "const ROWS: [(&str, u8); 1] = [(\"long\", 1)];\n#[test]\nfn t() {\n    for row in ROWS { run(row); }\n}\n";
    let added = added(text, "t").unwrap();
    assert!(
        added.contains(
            "fn reduced_t_instances_check(instance: &'static str) {\n    \
             let rows: [(&str, u8); 1] = [(instance, 1)];\n    for row in rows { run(row); }\n}"
        ),
        "{added}"
    );
}

#[test]
fn a_constant_that_helpers_use_too_has_no_table() {
    let text = "const TEXT: &str = \"long\";\nfn help() { run(TEXT); }\n#[test]\nfn t() {\n    run(TEXT); help();\n}\n";
    assert_eq!(added(text, "t"), Err(NoInstancesTest::Elsewhere));
    let text =
        "const TEXT: &str = \"long\";\n#[test]\nfn t() {\n    run(format!(\"{TEXT}\"));\n}\n";
    assert_eq!(added(text, "t"), Err(NoInstancesTest::Elsewhere));
}

#[test]
fn a_part_of_a_format_string_has_no_table() {
    let text = "#[test]\nfn t() {\n    let x = 1; run(&format!(\"a{x}b\"));\n}\n";
    assert_eq!(added(text, "t"), Err(NoInstancesTest::FormatString));
}

#[test]
fn the_table_of_a_test_in_a_module_stands_in_it() {
    let text = "mod m {\n    #[test]\n    fn t() { run(\"long\"); }\n    fn other() {}\n}\n";
    let added = added(text, "m::t").unwrap();
    assert!(added.trim_end().ends_with("failing);\n}"), "{added}");
}

#[test]
fn the_table_of_an_async_test_awaits_each_row() {
    let text = "#[tokio::test(flavor = \"a\")]\nasync fn t() -> Result<(), E> {\n    run(\"long\").await\n}\n";
    let added = added(text, "t").unwrap();
    assert!(
        added.contains(
            "async fn reduced_t_instances_check(instance: &'static str) -> Result<(), E> {\n    run(instance).await\n}"
        ),
        "{added}"
    );
    assert!(
        added.contains("#[tokio::test(flavor = \"a\")]\nasync fn reduced_t_instances() {\n"),
        "{added}"
    );
    assert!(added.contains("if !matches!(outcome, Ok(Ok(_))) {"), "{added}");
}

#[test]
fn the_table_of_a_test_that_should_panic_fails_where_it_does_not() {
    let text = "#[test]\n#[should_panic]\nfn t() {\n    assert!(run(\"long\"));\n}\n";
    let added = added(text, "t").unwrap();
    assert!(added.contains("    assert!(run(instance));"), "{added}");
    assert!(added.contains("_instances_check(instance)).is_ok());"), "{added}");
    assert!(added.contains("#[test]\nfn reduced_t_instances() {"), "{added}");
    assert!(added.contains("{} of {} do not panic: {:?}"), "{added}");
}

#[test]
fn extern_crates_stay() {
    let text = "#[macro_use]\nextern crate json;\n\nmod pass {\n    use super::json::parse;\n\n    \
                #[test]\n    fn t() { parse(\"long\"); }\n}\n";
    let (krate, located, found) = read(&[("tests/a.rs", text)], "pass::t");
    let made = found.regression_file(&krate, &located, &reduced(&found), &in_tests());
    assert_eq!(
        made.text,
        "#[macro_use]\nextern crate json;\n\nmod pass {\nuse super::json::parse;\n\n#[test]\n    \
         fn reduced_t() { parse(\"x\"); }\n}\n"
    );
}

#[test]
fn the_example_of_reduced_name_holds() {
    assert_eq!(crate::source::reduced_name("tests::r#try"), "reduced_try");
    assert_eq!(
        crate::source::reduced_name("src/lib.rs - render (line 27)"),
        "reduced_src_lib_rs_render_line_27"
    );
}

#[track_caller]
fn made_of(text: &str) -> String {
    let (krate, located, found) = read(&[("tests/a.rs", text)], "t");
    found.regression_file(&krate, &located, &found.inputs, &in_tests()).text
}

#[test]
fn variants_that_nothing_makes_go_with_their_arms() {
    let text = "#[derive(Debug, Clone)]\nenum Step {\n    Add(u32),\n    Pop,\n    Show { all: bool },\n}\nuse Step::*;\n\n\
                fn play(steps: &[Step]) {\n    for step in steps {\n        match step {\n            Add(it) => put(*it),\n            \
                Pop => pop(),\n            Step::Show { all } => assert!(*all, \"{step:?}\"),\n        }\n    }\n}\n\
                fn put(_: u32) {}\nfn pop() {}\n\n#[test]\nfn t() {\n    play(&[Add(1)]);\n}\n";
    let made = made_of(text);
    assert!(made.contains("enum Step {\n    Add(u32),\n}"), "{made}");
    assert!(made.contains("match step {\n            Add(it) => put(*it),\n        }"), "{made}");
    assert!(!made.contains("fn pop"), "{made}");
    // What is a number elsewhere depends on those before it.
    let cast = text.replace("put(*it)", "put(*it as u32)");
    assert!(made_of(&cast).contains("Pop"), "{}", made_of(&cast));
    // One of them has to be left.
    let none = text.replace("Add(1)", "");
    assert!(made_of(&none).contains("Pop"), "{}", made_of(&none));
}

#[test]
fn fields_that_nothing_reads_go_with_what_fills_them() {
    let text = "struct Row {\n    size: u64,\n    text: &'static str,\n    billed: &'static str,\n}\n\n\
                fn row(size: u64, text: &'static str, billed: &'static str) -> Row {\n    Row { size, text, billed }\n}\n\n\
                fn rows() -> Vec<Row> {\n    vec![row(1, \"1 B\", \"one\"), row(2, \"2 B\", \"two\")]\n}\n\n\
                #[test]\nfn t() {\n    for row in rows() {\n        assert_eq!(show(row.size), row.text);\n    }\n}\n";
    let made = made_of(text);
    assert!(!made.contains("billed"), "{made}");
    assert!(
        made.contains("fn row(size: u64, text: &'static str) -> Row {\n    Row { size, text }\n")
    );
    assert!(made.contains("vec![row(1, \"1 B\"), row(2, \"2 B\")]"), "{made}");
    // Each of these reads it, or would be lost with it.
    for (of, with) in [
        ("Row { size, text, billed }", "{ println!(\"{billed}\"); Row { size, text, billed } }"),
        ("row.text);", "row.text); let Row { billed, .. } = row; drop(billed);"),
        ("row(1, \"1 B\", \"one\")", "row(1, \"1 B\", name())"),
        ("vec![", "let make = row; make(3, \"\", \"\"); vec!["),
        ("struct Row", "#[derive(PartialEq)]\nstruct Row"),
    ] {
        let other = text.replace(of, with);
        assert_ne!(other, text);
        assert!(made_of(&other).contains("billed: &'static str,\n}"), "{}", made_of(&other));
    }
}
