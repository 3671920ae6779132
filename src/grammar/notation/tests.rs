//! Reading, writing, and reading back.

use super::WriteError;
use crate::grammar::{Grammar, GrammarError};

const LISTS: &str = r#"
    list   ::= "[" (item ("," item)*)? "]" ;
    item   ::= list | number+ | "\"" [^"\\#x00-#x1F]* '"'
    number ::= [0-9]{1,3} /* as people write it */
"#;

#[test]
fn ebnf_comes_back_the_same() {
    let grammar = Grammar::parse_ebnf(LISTS).unwrap();
    let written = grammar.to_ebnf();
    let again = Grammar::parse_ebnf(&written).unwrap();
    assert_eq!(again.to_ebnf(), written);
    assert_eq!(again.rules().len(), grammar.rules().len());
}

#[test]
fn json_comes_back_the_same() {
    let grammar = Grammar::parse_ebnf(LISTS).unwrap();
    let written = grammar.to_json();
    assert_eq!(Grammar::parse_json(&written).unwrap().to_json(), written);
}

#[test]
fn bnf_in_angle_brackets_is_read() {
    let grammar = Grammar::parse_ebnf("<s> ::= <a-b> <s> | ε\n<a-b> ::= 'x' | #x41").unwrap();
    assert_eq!(grammar.to_ebnf(), "s ::= a-b s | \"\"\na-b ::= \"x\" | \"A\"\n");
}

#[test]
fn json_reads_texts_pairs_and_symbol_arrays() {
    let grammar = Grammar::parse_json(
        r#"{"<start>": ["<a b>", ["<x>", {"prob": 0.5}], ["<x>", "<", "<y z>"]],
            "<x>": ["<<x>>", "< x>", ""], "<y z>": [["", {"class": "[a-c]"}]]}"#,
    );
    assert_eq!(
        grammar.unwrap().to_ebnf(),
        "start ::= \"<a b>\" | x | x \"<\" <y z>\nx ::= \"<\" x \">\" | \"< x>\" | \"\"\n<y z> ::= [a-c]\n"
    );
}

#[test]
fn text_that_looks_like_a_name_is_spelled_in_json() {
    let grammar = Grammar::parse_ebnf(r#"s ::= "<b>" lt; lt ::= "x""#).unwrap();
    let again = Grammar::parse_json(&grammar.to_json()).unwrap();
    assert_eq!(again.smallest[again.start().index()].text(), "<b>x");
}

#[test]
fn errors_say_where_and_which_rule() {
    let error = |text: &str| Grammar::parse_ebnf(text).unwrap_err().to_string();
    assert_eq!(error("a ::= b"), "line 1, column 7: rule <a> uses <b>, which is not defined");
    assert_eq!(error("a ::= a 'x'"), "line 1, column 1: rule <a> has no finite expansion");
    assert_eq!(
        error("a ::= 'x'\na ::= 'y'"),
        "line 2, column 1, in rule <a>: this rule is defined twice"
    );
    assert_eq!(error("a ::= 'x'\n  b ::= ('y'"), "line 2, column 13, in rule <b>: expected )");
    assert_eq!(error("a ::= 'x"), "line 1, column 7: quoted text is not closed");
    assert_eq!(error(""), "the grammar has no rules");
    assert_eq!(
        error("a ::= 'x'\n  | (b c)+\nc ::= 'z'"),
        "line 2, column 6: rule <a-1> uses <b>, which is not defined"
    );
    assert_eq!(error("a ::= b\nb ::= 'x' b"), "line 1, column 1: rule <a> has no finite expansion");
    assert_eq!(
        error("a ::= [z-a]"),
        "line 1, column 7: the ends of a range are the wrong way round"
    );
    let json = |text: &str| Grammar::parse_json(text).unwrap_err();
    assert_eq!(
        json(r#"{"<a>": "x"}"#).to_string(),
        "line 1, column 2: rule <a>: expected an array of alternatives"
    );
    assert_eq!(
        json("{\"<a>\": [\"x<b>\"],\n \"<c>\": [\"<b>\"]}").to_string(),
        "line 1, column 12: rule <a> uses <b>, which is not defined"
    );
    assert!(matches!(json("{"), GrammarError::Json { .. }));
    assert_eq!(
        json("{\"<a>\": [\"x\"],\n\"<a>\": [\"y\"]}"),
        GrammarError::Placed {
            line: 2,
            column: 1,
            error: Box::new(GrammarError::Duplicate { rule: "a".into() })
        }
    );
}

#[test]
fn unreachable_rules_are_named() {
    let grammar = Grammar::parse_ebnf("a ::= 'x'; b ::= 'y'").unwrap();
    assert_eq!(grammar.unreachable(), ["b"]);
}

#[test]
fn pest_has_no_left_recursion() {
    let grammar = Grammar::parse_ebnf("e ::= e '+' t | t; t ::= [0-9] | '(' e ')'").unwrap();
    assert_eq!(
        grammar.to_pest().unwrap(),
        "whole_input = { SOI ~ e ~ EOI }\ne = { (t) ~ (\"+\" ~ t)* }\nt = { \"(\" ~ e ~ \")\" | ('0'..'9') }\n"
    );
    let grammar = Grammar::parse_ebnf("a ::= b 'x' | 'z'; b ::= a 'y'").unwrap();
    assert_eq!(grammar.to_pest(), Err(WriteError::LeftRecursion { rule: "a".into() }));
}

#[test]
fn regular_languages_become_expressions_that_match_them() {
    let cases: [(&str, &[&str], &[&str]); 3] = [
        ("s ::= '-'? n; n ::= d | d n; d ::= [0-9]", &["-1", "042"], &["", "-", "1-"]),
        ("s ::= ('ab' | 'c.')+ | ''", &["", "abc.ab"], &["abcx", "c"]),
        ("s ::= s [x-z] | 'a' | 'b'", &["a", "bxyz"], &["", "ax "]),
    ];
    for (ebnf, members, others) in cases {
        let regex = Grammar::parse_ebnf(ebnf).unwrap().to_regex().unwrap();
        let regex = regex::Regex::new(&format!("^(?:{regex})$")).unwrap();
        assert!(members.iter().all(|text| regex.is_match(text)), "{regex}");
        assert!(!others.iter().any(|text| regex.is_match(text)), "{regex}");
    }
    let nested = Grammar::parse_ebnf("s ::= '(' s ')' | ''").unwrap();
    assert_eq!(nested.to_regex(), Err(WriteError::NotRegular { rule: "s".into() }));
}
