//! Sizes, counted from the reduced text in the unit of the case.

use proc_macro2::{TokenStream, TokenTree};
use serde_json::Value;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Block, Expr, Lit, Stmt, Token};

/// The library's own reading of format strings, which is no part of its interface.
#[allow(dead_code, reason = "only sizes are asked for")]
#[path = "../../src/source/format_string.rs"]
mod format_string;

use format_string::format_texts;

/// The size of a reduced input.
pub fn size(event: &Value, unit: &str, kind: &str) -> u64 {
    let text = event["text"].as_str().unwrap();
    if kind == "file" {
        return event["elements_after"].as_u64().unwrap();
    }
    let unit = unit.split([' ', ';']).next().unwrap_or(unit);
    match unit {
        "bytes" if matches!(kind, "int" | "float" | "bool" | "char") => 0,
        "bytes" if kind == "str" => length_of_str(text, event["elements_after"].as_u64().unwrap()),
        "bytes" => bytes_of(&text.parse().unwrap()),
        "integers" => u64::from(kind == "int"),
        _ if kind == "seq" => elements_of(text),
        _ => 0,
    }
}

/// The bytes of one string; of a format string, whose placeholders are no elements, only its texts.
fn length_of_str(literal: &str, elements: u64) -> u64 {
    let text: syn::LitStr = syn::parse_str(literal).unwrap();
    let is_plain = length(text.value().chars().count()) == elements;
    match format_texts(literal) {
        Some(texts) if !is_plain => texts.iter().map(|text| length(text.text.len())).sum(),
        _ => length(text.value().len()),
    }
}

/// The bytes of all strings; of format strings only their texts.
fn bytes_of(tokens: &TokenStream) -> u64 {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let formats = |index: usize| {
        index >= 2 && matches!(&tokens[index - 2], TokenTree::Ident(name) if *name == "format")
    };
    tokens
        .iter()
        .enumerate()
        .map(|(index, token)| match token {
            TokenTree::Group(group) if formats(index) => {
                let mut arguments = group.stream().into_iter();
                let string = arguments.next().map_or(String::new(), |first| first.to_string());
                let texts = format_texts(&string).unwrap_or_default();
                let texts: u64 = texts.iter().map(|text| length(text.text.len())).sum();
                texts + bytes_of(&arguments.collect())
            }
            TokenTree::Group(group) => bytes_of(&group.stream()),
            TokenTree::Literal(literal) => match Lit::new(literal.clone()) {
                Lit::Str(text) => length(text.value().len()),
                Lit::ByteStr(bytes) => length(bytes.value().len()),
                Lit::CStr(text) => length(text.value().as_bytes().len()),
                // The elements of a byte array.
                Lit::Int(_) | Lit::Byte(_) => 1,
                _ => 0,
            },
            _ => 0,
        })
        .sum()
}

/// The elements of a sequence, or its statements.
fn elements_of(text: &str) -> u64 {
    if let Ok(expr) = syn::parse_str::<Expr>(text) {
        return elements_of_expr(&expr);
    }
    let block: Block = syn::parse_str(&format!("{{{text}}}")).unwrap();
    length(block.stmts.iter().filter(|stmt| !matches!(stmt, Stmt::Item(_))).count())
}

fn elements_of_expr(expr: &Expr) -> u64 {
    match expr {
        Expr::Array(array) => length(array.elems.len()),
        Expr::Reference(reference) => elements_of_expr(&reference.expr),
        Expr::Macro(mac) => {
            let parser = Punctuated::<Expr, Token![,]>::parse_terminated;
            length(parser.parse2(mac.mac.tokens.clone()).map_or(1, |elements| elements.len()))
        }
        _ => 1,
    }
}

fn length(length: usize) -> u64 {
    length as u64
}

#[test]
fn sizes_are_counted_in_the_unit_of_the_case() {
    let event = |text: &str| serde_json::json!({ "text": text, "elements_after": 3 });
    assert_eq!(size(&event(r#""a\n\u{e9}""#), "bytes in 2 chunks", "str"), 4);
    assert_eq!(size(&event(r#"">\u{e9}{x}\n""#), "bytes", "str"), 4);
    let statement = r#"doc += &format!("{}. {}\n", x, "a");"#;
    assert_eq!(size(&event(statement), "bytes", "seq"), 4);
    assert_eq!(size(&event(r#"[b"ab", b"", b"\xff"]"#), "bytes", "seq"), 3);
    assert_eq!(size(&event("vec![1, (2, 3)]"), "elements; and more", "seq"), 2);
    assert_eq!(size(&event("&[Op::Insert(1)]"), "operations", "seq"), 1);
    assert_eq!(size(&event("m.insert(1); m.remove(2);"), "operations", "seq"), 2);
    assert_eq!(size(&event("12"), "elements", "int"), 0);
    assert_eq!(size(&event(r#"include_str!("a.md")"#), "bytes", "file"), 3);
}
