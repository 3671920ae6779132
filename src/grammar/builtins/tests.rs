//! Each grammar parses realistic samples of its format and refuses others.

use super::{BUILTINS, best_builtin_for, builtin};
use crate::grammar::Parser;

/// A grammar, texts that it must take, and texts that it must refuse.
type Case = (&'static str, &'static [&'static str], &'static [&'static str]);

const CASES: &[Case] = &[
    ("integer", &["0", "-12", "+007"], &["", "1.5", "-", "1 "]),
    ("decimal", &["1", "1.", ".5", "-1.5e-10", "6.02E23"], &["", ".", "e5", "1e"]),
    ("ipv4", &["127.0.0.1", "255.255.255.255"], &["256.1.1.1", "1.2.3", "01.2.3.4"]),
    ("semver", &["1.0.0", "1.0.0-alpha.1+build.5", "0.0.4--x"], &["1.0", "01.0.0", "1.0.0-01"]),
    (
        "date-time",
        &["1985-04-12T23:20:50.52Z", "1996-12-19T16:39:57-08:00", "1990-12-31", "23:59:60"],
        &["1985-13-12", "24:00:00", "1985-04-12T23:20:50"],
    ),
    (
        "ipv6",
        &["::", "::1", "2001:db8::8a2e:370:7334", "1:2:3:4:5:6:7:8", "::ffff:192.0.2.1", "fe80::"],
        &["1:2:3", "1::2::3", "12345::", ":::"],
    ),
    ("identifier", &["a", "_x1", "camelCase"], &["", "1a", "a-b"]),
    (
        "email",
        &["a@b.c", "john.doe+tag@mail.example.org", "\"odd name\"@example.com", "x@[127.0.0.1]"],
        &["a@", "@b", "a..b@c", "a@-b"],
    ),
    (
        "url",
        &[
            "http://example.com",
            "https://u:p@host:80/a/b%20c?x=1&y#frag",
            "ftp://[::1]/f",
            "file:///etc/x",
        ],
        &["example.com", "http//x", "http://a b", "http://a/%zz"],
    ),
    (
        "json",
        &[
            "null",
            " [1, -2.5e3, \"a\\u00e9\\n\", {}] ",
            "{\"a\": {\"b\": [true, false]}}\n",
            "[\"é→\"]",
        ],
        &["", "[1,]", "{a: 1}", "01", "\"\t\"", "'a'"],
    ),
    (
        "arithmetic",
        &["1", " 1 + 2*(3 - -4)^2 / x", "sin(x, 1) % 2.5", "((4))"],
        &["", "1 +", "(1", "1 2", "*1"],
    ),
    (
        "s-expression",
        &["(define (f x) (* x x)) ; square\n", "(a \"b \\\" c\" 'd [1 2])", "()"],
        &["a", "(a", "(a))", "[package]\nname = \"x\"\n"],
    ),
    (
        "sql",
        &[
            "SELECT a.b, count(*) FROM t AS x WHERE y >= 1.5 AND z = 'it''s' -- ok\nGROUP BY 1;",
            "insert into t (a, b) values (1, 'x'), (2, NULL); update t set a = a || 'y';",
            "CREATE TABLE \"t\" (id INTEGER PRIMARY KEY /* key */, name TEXT)",
        ],
        &["hello", "SELECT (a", "select 'a"],
    ),
    (
        "toml",
        &[
            "[package]\nname = \"x\" # name\nversion = '1.0'\n\n[dependencies]\na.b = { version = \"1\", features = [\"c\", 'd'] }\n",
            "t = 1979-05-27T07:32:00Z\nn = [\n  1, # one\n  2.5e3,\n]\nx = \"\"\"two\nlines\"\"\"\n[[bin]]\nhex = 0xDEAD_beef\nok = true",
        ],
        &["[a", "a = ", "= 1", "a = \"x", "a = 1 b = 2"],
    ),
    (
        "csv",
        &["a,b\n", "a,b\r\n1,\"x, \"\"y\"\"\nz\"\r\n,\r\n", "name,age\nAnn,3\n"],
        &["a,b", "a\nb", "a,b\n\"b", "a,b\n\"b\"c"],
    ),
    (
        "ini",
        &["; comment\n[section]\nkey = value\nother: x = y\n\nflag\n", "a=1\r\n[b]\r\n"],
        &["[a", "=x"],
    ),
    (
        "html",
        &[
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=utf-8><br/></head><body>a &amp; b</body></html>",
            "<?xml version=\"1.0\"?><a b='c'><!-- x - y --><d/><![CDATA[1 < 2]]>&#65;&#x41;</a>",
            "<foo>\"bar</foo>",
            "<input disabled >AT&T",
        ],
        &["<a", "a < b", "<a b=\"c>", "<>"],
    ),
    (
        "regex",
        &[
            "a(b|c)*?d{2,3}$",
            "^[^\\]a-z[:digit:]]+\\p{Greek}\\x{1F600}",
            "(?P<y>\\d{4})-(?i:x)|",
            "[]a]",
        ],
        &["(", "*a", "[a", "\\"],
    ),
    (
        "markdown",
        &[
            "# Title\n\nSome *emphasis*, **strong** and `code`.\n\n* a [link](http://x.y)\n  1. one\n> quote\n```rust\nfn f() {}\n```\n---\n",
            "![image](a.png) <http://x> 1 * 2 \\* [a][b]",
        ],
        &[],
    ),
    (
        "rust",
        &[
            "x.iter().map(|&(a, ref b)| a as u32 + 0xff_u32 - 1.5e-3f64).collect::<Vec<_>>()",
            "match c { 'a'..='z' => b\"x\\\"\", '\\u{1F600}' => r#\"raw \"q\" \"#, _ => 'l: loop { break 'l; } } // end\n",
        ],
        &["(", "(]", "\"a"],
    ),
    ("text", &["", "Hello, wörld!\n\t\0→", "a"], &[]),
];

#[test]
fn each_grammar_takes_its_format_and_refuses_others() {
    for (name, members, others) in CASES {
        let grammar = builtin(name).unwrap();
        assert_eq!(grammar.unreachable(), Vec::<&str>::new(), "{name}");
        let parser = Parser::new(&grammar);
        for text in *members {
            match parser.parse(text) {
                Ok(tree) => assert_eq!(&tree.text(), text, "{name}"),
                Err(error) => panic!("{name} should take {text:?}: {error}"),
            }
        }
        for text in *others {
            assert!(!parser.accepts(text), "{name} should refuse {text:?}");
        }
    }
}

#[test]
fn every_grammar_has_samples_and_a_place_in_the_guide_and_every_file_is_registered() {
    let sampled: Vec<&str> = CASES.iter().map(|case| case.0).collect();
    let registered: Vec<&str> = BUILTINS.iter().map(|builtin| builtin.name).collect();
    assert_eq!(sampled, registered);
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/grammar/builtin");
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), registered.len());
    let guide = include_str!("../../../docs/src/patterns.md");
    let unnamed = registered.iter().find(|name| !guide.contains(&format!("`{name}`")));
    assert_eq!(unnamed, None, "the guide lists the built-in grammars");
}

#[test]
fn the_most_specific_grammar_is_found() {
    let found = |text: &str| best_builtin_for(text).0.name;
    assert_eq!(found("42"), "integer");
    assert_eq!(found("10.0.0.1"), "ipv4");
    assert_eq!(found("1.2.3-rc.1"), "semver");
    assert_eq!(found("{\"a\": 1}"), "json");
    assert_eq!(found("<p>Hello</p>"), "html");
    assert_eq!(found("a,b\n1,2\n"), "csv");
    assert_eq!(found("1 + (2 * x)"), "arithmetic");
    assert_eq!(found("https://example.com/?q=1"), "url");
    assert_eq!(found("SELECT 1"), "sql");
    assert_eq!(found("Hello, world!"), "text");
}

#[test]
fn files_of_other_languages_are_no_expressions() {
    for text in [
        "[server]\nhost = gate.example\n; a comment\n[log]\npath=/var/log\n",
        "A=1\nB=\"two words\"\nexport C=3\n# comment\n",
        "all: a.o b.o\n\tcc -o all a.o b.o\n\n.PHONY: all\n",
        "FROM rust:1.90\nWORKDIR /app\nCOPY . .\nCMD [\"app\"]\n",
        "2024-01-01T10:00:00Z INFO started (pid 12)\n[1/3] build\n",
        "key: value\nlist:\n  - a\n  - b\n",
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
    ] {
        assert_eq!(best_builtin_for(text).0.name, "text", "{text:?}");
    }
    assert_eq!(best_builtin_for("a,b,c\n1,2,3\n").0.name, "csv");
    assert_eq!(best_builtin_for("(a b)").0.name, "s-expression");
}
