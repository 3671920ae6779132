//! Grammars and predicates of the reference's worked examples.

use std::sync::LazyLock;

use crate::grammar::{Grammar, Parser, Tree};
pub(super) use crate::reduce::dd::conformance_tests::remove_html_markup;
use crate::reduce::{FromFn, Memory, Outcome, Problem};

fn read(json: &str) -> Grammar {
    Grammar::parse_json(json).unwrap()
}

/// Arithmetic expressions without spaces.
pub static EXPRESSIONS: LazyLock<Grammar> = LazyLock::new(|| {
    read(
        r#"{"<start>": ["<expr>"],
            "<expr>": ["<term>+<expr>", "<term>-<expr>", "<term>"],
            "<term>": ["<factor>*<term>", "<factor>/<term>", "<factor>"],
            "<factor>": ["+<factor>", "-<factor>", "(<expr>)", "<integer>.<integer>", "<integer>"],
            "<integer>": ["<digit><integer>", "<digit>"],
            "<digit>": ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]}"#,
    )
});

/// Texts and tags that need not match.
pub static HTML: LazyLock<Grammar> = LazyLock::new(|| {
    let list = |chars: &str| {
        let quoted: Vec<String> =
            chars.chars().map(|c| serde_json::to_string(&c.to_string()).unwrap()).collect();
        quoted.join(", ")
    };
    let letters: String = ('a'..='z').chain('A'..='Z').collect();
    let other: String =
        ('!'..='~').filter(|c| !c.is_ascii_alphanumeric() && !"<>".contains(*c)).collect();
    read(&format!(
        r#"{{"<start>": ["<html>"],
            "<html>": ["<plain-text>", "<tagged-text>"],
            "<plain-text>": ["", "<plain-char><plain-text>"],
            "<plain-char>": ["<letter>", "<digit>", "<other>", "<whitespace>"],
            "<letter>": [{}], "<digit>": [{}], "<other>": [{}], "<whitespace>": [{}],
            "<tagged-text>": ["<opening-tag><html><closing-tag>", "<self-closing-tag>", "<opening-tag>"],
            "<opening-tag>": ["<lt><id><gt>", "<lt><id><attrs><gt>"],
            "<lt>": ["<"], "<gt>": [">"],
            "<id>": ["<letter>", "<id><letter>", "<id><digit>"],
            "<closing-tag>": ["<lt>/<id><gt>"],
            "<self-closing-tag>": ["<lt><id><attrs>/<gt>"],
            "<attrs>": ["<attr>", "<attr><attrs>"],
            "<attr>": [" <id>='<plain-text>'", " <id>=\"<plain-text>\""]}}"#,
        list(&letters),
        list("0123456789"),
        list(&other),
        list(" \t\n\r\u{b}\u{c}"),
    ))
});

const NUMBERS: &str = r#""<int>": ["<positive-int>", "-<positive-int>"],
    "<positive-int>": ["<digit>", "<nonzero-digit><positive-int>"],
    "<nonzero-digit>": ["1", "2", "3", "4", "5", "6", "7", "8", "9"],
    "<digit>": ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]}"#;

/// One integer.
pub static INTEGER: LazyLock<Grammar> =
    LazyLock::new(|| read(&format!(r#"{{"<start>": ["<int>"], {NUMBERS}"#)));

/// Three integers.
pub static TRIPLE: LazyLock<Grammar> =
    LazyLock::new(|| read(&format!(r#"{{"<start>": ["<int>, <int>, <int>"], {NUMBERS}"#)));

/// Fails on negative numbers; zero is another error (a division by it).
pub fn square_root(text: &str) -> Outcome {
    match text.parse::<i128>() {
        Ok(0) | Err(_) => Outcome::Unresolved,
        Ok(x) => Outcome::fail_if(x < 0),
    }
}

/// Fails where the middle of three numbers comes out wrong.
pub fn middle(text: &str) -> Outcome {
    let numbers: Result<Vec<i128>, _> = text.split(", ").map(str::parse).collect();
    let Ok([x, y, z]) = numbers.as_deref() else { return Outcome::Unresolved };
    let middle = if y < z {
        if x < z { y } else { z }
    } else if x > y {
        y
    } else if x > z {
        x
    } else {
        z
    };
    let mut sorted = [x, y, z];
    sorted.sort();
    Outcome::fail_if(middle != sorted[1])
}

/// Fails where parentheses are doubled.
pub fn double_paren(text: &str) -> Outcome {
    let doubled = text.find("((").is_some_and(|at| text[at + 2..].contains("))"));
    Outcome::fail_if(doubled)
}

/// Fails where something is divided by a number that starts with zero.
pub fn divide_by_zero(text: &str) -> Outcome {
    Outcome::fail_if(text.contains("/0"))
}

/// The tree of `text`.
pub fn parse(grammar: &Grammar, text: &str) -> Tree {
    Parser::new(grammar).parse(text).unwrap()
}

/// The tree of `text`, reduced, and the number of candidates it took.
pub fn reduced(
    grammar: &Grammar,
    text: &str,
    fails: fn(&str) -> Outcome,
    strategy: crate::reduce::tree::Strategy,
) -> (Tree, u64) {
    let mut tree = parse(grammar, text);
    let mut oracle = FromFn(|tree: &Tree| fails(tree.text()));
    let mut problem = Problem::new(tree.clone(), &mut oracle, Memory::Remember);
    crate::reduce::tree::reduce(&mut problem, &mut tree, grammar, strategy, Tree::clone).unwrap();
    assert_eq!(problem.best(), &tree);
    (tree, problem.counts().candidates)
}
