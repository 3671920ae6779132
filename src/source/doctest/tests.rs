//! Doc tests, found and written back.

use super::*;

const TEXT: &str = "/// Docs.\n///\n/// ```should_panic\n/// use a::f;\n/// # let hidden = 1;\n/// let s = \"\\\n///   x\\n\\\n/// y\";\n/// f(s);\n/// ```\nfn f() {}\n";

#[test]
fn the_code_of_a_block_is_what_rustdoc_compiles() {
    let test = DocTest::find(TEXT, 3).unwrap();
    assert_eq!(test.code, "use a::f;\nlet hidden = 1;\nlet s = \"\\\n  x\\n\\\ny\";\nf(s);\n");
    assert!(test.should_panic());
    for (offset, char) in test.code.char_indices() {
        assert!(TEXT[test.to_file(offset)..].starts_with(char));
    }
    assert_eq!(DocTest::find(TEXT, 11), Err(DocTestError::NoComment(11)));
    assert_eq!(DocTest::find(TEXT, 1), Err(DocTestError::NoFence(1)));
}

#[test]
fn edits_go_through_the_marks_of_the_comment() {
    let test = DocTest::find(TEXT, 3).unwrap();
    let file = test.as_test("t");
    let literal = file.text.find("\"\\\n  x").unwrap()..file.text.find(";\nf(s)").unwrap();
    let mut edits = Edits::default();
    edits.replace(literal, "\"a\nb\"");
    let new = test.edits_of_file(&file.edits_of_code(&edits)).apply(TEXT);
    assert!(new.contains("/// # let hidden = 1;\n/// let s = \"a\n/// b\";\n/// f(s);\n"), "{new}");
}

#[test]
fn block_comments_have_code_too() {
    let text = "/** Docs.\n *\n * ```\n * f(1);\n * ```\n */\nfn f() {}\n";
    assert_eq!(DocTest::find(text, 3).unwrap().code, "f(1);\n");
    let text = "/**\nDocs.\n\n```\nif x {\n    f(1);\n}\n```\n*/\nfn f() {}\n";
    assert_eq!(DocTest::find(text, 4).unwrap().code, "if x {\n    f(1);\n}\n");
}

#[test]
fn the_code_is_wrapped_as_rustdoc_does() {
    let wrapped = |code: &str| {
        let doc = code.replace('\n', "\n//! ");
        DocTest::find(&format!("//! ```\n//! {doc}\n//! ```\n"), 1).unwrap().as_test("t").text
    };
    assert_eq!(wrapped("f(1);"), "#![allow(unused)]\n#[test]\nfn t() {\nf(1);\n}\n");
    assert_eq!(
        wrapped("#![feature(x)]\nfn main() {}"),
        "#![allow(unused)]\n#![feature(x)]\n#[test]\nfn t() { main(); }\nfn main() {}\n"
    );
    assert!(wrapped("f()?;\nOk::<(), E>(())").contains("impl core::fmt::Debug> {\nf()?;\n"));
}

#[test]
fn the_example_of_parse_holds() {
    let name = crate::source::DocTestName::parse("src/a.rs - a::B (line 7) - compile").unwrap();
    assert_eq!((name.path, name.item, name.line), ("src/a.rs", "a::B", 7));
}
