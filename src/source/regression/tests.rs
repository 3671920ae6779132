//! Regression tests, before and after.

use std::path::Path;
use std::sync::Arc;

use super::*;
use crate::reduce::inputs::{Body, Inputs, Node, Value};
use crate::source::Found;
use crate::source::tests::krate;

/// All texts become "x".
fn reduced(found: &Found) -> Inputs {
    fn node(old: &Arc<Node>) -> Arc<Node> {
        let body = match &old.body {
            Body::Leaf(Value::Text(_)) => Body::Leaf(Value::Text("x".to_owned())),
            Body::Seq(nodes) => Body::Seq(nodes.iter().map(node).collect()),
            Body::Group(nodes) => Body::Group(nodes.iter().map(node).collect()),
            other => other.clone(),
        };
        Arc::new(Node { id: old.id, body })
    }
    Inputs(found.inputs.0.iter().map(node).collect())
}

#[test]
fn a_new_file_holds_what_the_test_needs_and_nothing_else() {
    let text = "//! Docs.\n#![allow(dead_code)]\nuse lib::{run, walk};\nuse std::collections::HashMap;\nmod common;\n\n\
        const LONG: &str = \"long\";\nconst OTHER: &str = \"other\";\n\n#[test]\nfn other() { walk(OTHER); }\n\n\
        /// Why.\n#[test]\nfn t() {\n    run(LONG, common::help());\n}\n";
    let common =
        "pub fn help() -> &'static str { include_str!(\"data.txt\") }\npub fn unused() {}\n";
    let krate = krate(&[("tests/a.rs", text), ("tests/common/mod.rs", common)]);
    let located = krate.find_test("t").unwrap();
    let found = krate.inputs(&located, |_| Err(std::io::ErrorKind::NotFound.into()));
    let header = ["Reduced from tests/a.rs.".to_owned()];
    let new = NewFile {
        directory: Path::new("tests"),
        header: &header,
    };
    let made = found.regression_file(&krate, &located, &reduced(&found), &new);
    assert_eq!(
        made.text,
        "// Reduced from tests/a.rs.\n\n#![allow(dead_code)]\nuse lib::{run};\n\nmod common {\n\
         pub fn help() -> &'static str { include_str!(\"common/data.txt\") }\n}\n\n\
         const LONG: &str = \"x\";\n\n/// Why.\n#[test]\nfn reduced_t() {\n    run(LONG, common::help());\n}\n"
    );
    assert_eq!(made.test, "reduced_t");
    let call = made.text.find("common::help()").unwrap();
    assert_eq!(
        made.origin(call),
        Some((FileIndex(0), text.find("common::help()").unwrap()))
    );
    assert_eq!(made.origin(3), None);
}

#[test]
fn an_included_file_becomes_a_literal() {
    let text =
        "#[test]\nfn t() { run(include_str!(\"data.txt\"), include_bytes!(\"data.txt\")); }\n";
    let krate = krate(&[("tests/a.rs", text)]);
    let located = krate.find_test("t").unwrap();
    let found = krate.inputs(&located, |_| Ok(b"content".to_vec()));
    let new = NewFile {
        directory: Path::new("tests"),
        header: &[],
    };
    let made = found.regression_file(&krate, &located, &reduced(&found), &new);
    assert_eq!(
        made.text,
        "#[test]\nfn reduced_t() { run(\"x\", b\"x\"); }\n"
    );
}

#[test]
fn a_unit_test_stands_beside_the_original_with_its_changed_constants_inside() {
    let text = "fn run(s: &str) {}\n#[cfg(test)]\nmod tests {\n    use super::*;\n    const LONG: &str = \"long\";\n    \
        const SAME: u8 = 1;\n    fn help() -> usize { LONG.len() }\n    #[test]\n    fn t() {\n        run(LONG); help(); SAME;\n    }\n}\n";
    let krate = krate(&[("src/lib.rs", text)]);
    let located = krate.find_test("tests::t").unwrap();
    let found = krate.inputs(&located, |_| Err(std::io::ErrorKind::NotFound.into()));
    let made = found.regression_beside(&krate, &located, &reduced(&found), &["Why.".to_owned()]);
    assert_eq!(
        made.text,
        "\n\n    // Why.\n    #[test]\n    fn reduced_t() {\n        const LONG: &str = \"x\";\n        \
         fn help() -> usize { LONG.len() }\n        run(LONG); help(); SAME;\n    }"
    );
    assert_eq!(made.test, "tests::reduced_t");
    assert_eq!(
        made.insert_at,
        Some((FileIndex(0), text.rfind("\n}\n").unwrap()))
    );
    let call = made.text.find("help(); SAME").unwrap();
    assert_eq!(
        made.origin(call),
        Some((FileIndex(0), text.find("help(); SAME").unwrap()))
    );
}
