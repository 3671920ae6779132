//! Trees, preferences, errors, and linear time.

use crate::grammar::{Grammar, Parser, Tree};

fn grammar(ebnf: &str) -> Grammar {
    Grammar::parse_ebnf(ebnf).unwrap()
}

/// The tree as nested calls: `s(a "x")`.
fn shape(grammar: &Grammar, tree: &Tree, at: usize) -> String {
    let Some(symbol) = tree.symbol(at) else { return format!("{:?}", tree.text_of(at)) };
    let children: Vec<_> = tree.children(at).map(|child| shape(grammar, tree, child)).collect();
    format!("{}({})", grammar.rule(symbol).name, children.join(" "))
}

fn parsed(ebnf: &str, text: &str) -> String {
    let grammar = grammar(ebnf);
    let tree = Parser::new(&grammar).parse(text).unwrap();
    assert_eq!(tree.text(), text);
    shape(&grammar, &tree, 0)
}

#[test]
fn left_and_right_recursion_give_the_right_trees() {
    assert_eq!(parsed("s ::= s 'a' | 'b'", "baa"), r#"s(s(s("b") "a") "a")"#);
    assert_eq!(parsed("s ::= 'a' s | 'b'", "aab"), r#"s("a" s("a" s("b")))"#);
    assert_eq!(parsed("s ::= 'a' t; t ::= s | 'b'", "aab"), r#"s("a" t(s("a" t("b"))))"#);
    assert_eq!(parsed("s ::= '(' s ')' s | ''", "()()"), r#"s("(" s() ")" s("(" s() ")" s()))"#);
}

#[test]
fn lists_are_flat() {
    assert_eq!(parsed("s ::= 'a'* [bc]+", "aab"), r#"s(s-1*("a" "a") s-1+("b"))"#);
    assert_eq!(parsed("s ::= 'a'* [bc]+", "cb"), r#"s(s-1*() s-1+("c" "b"))"#);
    assert_eq!(parsed("s ::= n (',' n)*; n ::= '1'", "1,1"), r#"s(n("1") s-1*(s-1("," n("1"))))"#);
}

#[test]
fn the_first_alternative_is_preferred() {
    assert_eq!(parsed("s ::= a | b; a ::= 'x'; b ::= 'x'", "x"), r#"s(a("x"))"#);
    assert_eq!(parsed("s ::= b | a; a ::= 'x'; b ::= 'x'", "x"), r#"s(b("x"))"#);
}

#[test]
fn later_symbols_take_less_but_elements_take_more() {
    assert_eq!(parsed("s ::= a a; a ::= 'x'*", "xx"), r#"s(a(a-1*("x" "x")) a(a-1*()))"#);
    assert_eq!(parsed("s ::= w+; w ::= 'x'+", "xx"), r#"s(w+(w(w-1+("x" "x"))))"#);
    assert_eq!(parsed("s ::= s s | 'x'", "xxx"), r#"s(s(s("x") s("x")) s("x"))"#);
}

#[test]
fn nullable_and_circular_rules_end() {
    assert_eq!(parsed("s ::= a b 'x'; a ::= ''; b ::= a a", "x"), r#"s(a() b(a() a()) "x")"#);
    assert_eq!(parsed("s ::= s | 'x'", "x"), r#"s(s("x"))"#);
    assert_eq!(parsed("s ::= a; a ::= s | 'x'", "x"), r#"s(a("x"))"#);
    assert_eq!(parsed("s ::= 'x' | a s b; a ::= ''; b ::= ''", "x"), r#"s("x")"#);
    assert_eq!(parsed("s ::= ('x'?)*", "xx"), r#"s(s-1?*(s-1?("x") s-1?("x")))"#);
    assert_eq!(parsed("s ::= ('x'?)+", ""), "s(s-1?+(s-1?()))");
    assert_eq!(parsed("s ::= 'x'?", ""), "s(s-1?())");
}

#[test]
fn unicode_is_matched_by_character() {
    assert_eq!(parsed("s ::= [α-ω]+ '→' [^a]", "λμ→é"), r#"s(s-1+("λ" "μ") "→" "é")"#);
}

#[test]
fn errors_say_where_and_what() {
    let error = |ebnf: &str, text: &str| {
        let grammar = grammar(ebnf);
        Parser::new(&grammar).parse(text).unwrap_err()
    };
    let list = "s ::= '[' (n (',' n)*)? ']'; n ::= [0-9]+";
    assert_eq!(error(list, "[1,\n2;]").to_string(), "line 1, column 4: expected <n>");
    assert_eq!(
        error(list, "[1;]").to_string(),
        r#"line 1, column 3: expected "," or "]" or [0-9]"#
    );
    assert_eq!(error(list, "").to_string(), "line 1, column 1: expected <s>");
    assert_eq!(error(list, "[]]").to_string(), "line 1, column 3: expected the end of the text");
    assert_eq!(error("s ::= 'é' 'x'", "éy").offset, 2);
}

/// Number of items in all sets: what time and memory are proportional to.
fn items(ebnf: &str, text: &str) -> usize {
    let grammar = grammar(ebnf);
    let compiled = super::compiled::Compiled::new(&grammar);
    let chart = super::chart::recognize(&compiled, text);
    (0..=text.len()).map(|at| chart.set(at).items.len()).sum()
}

#[test]
fn work_is_linear_on_lr_grammars() {
    let grammars = [
        ("s ::= 'a' s | 'a'", "a"),
        ("s ::= s 'a' | 'a'", "a"),
        ("s ::= 'a' t; t ::= u | ''; u ::= s", "a"),
        ("s ::= e; e ::= t '+' e | t; t ::= [0-9] | '(' e ')'", "1+(2)+"),
        ("s ::= [a-z]* ('-' [a-z]*)*", "ab-c"),
    ];
    for (ebnf, unit) in grammars {
        let text = |times: usize| unit.repeat(times).trim_end_matches('+').to_owned();
        let (short, long) = (items(ebnf, &text(100)), items(ebnf, &text(1000)));
        assert!(long < short * 11, "{ebnf}: {short} items, then {long}");
    }
}

#[test]
fn deep_trees_do_not_exhaust_the_stack() {
    let grammar = grammar("s ::= 'a' s | 'a'; t ::= 'x'");
    let text = "a".repeat(20_000);
    let tree = Parser::new(&grammar).parse(&text).unwrap();
    assert_eq!(tree.len(), 40_000);
}

mod against_enumeration {
    //! Random small grammars: the parser accepts exactly the texts that a naive membership test
    //! accepts, and its trees are derivations.

    use std::collections::HashSet;

    use proptest::prelude::*;

    use crate::grammar::{Grammar, NodeKind, Parser, Symbol, Tree};

    /// A symbol of a random grammar: below 2 a terminal, else a nonterminal.
    type Rules = Vec<Vec<Vec<usize>>>;

    fn rules() -> impl Strategy<Value = Rules> {
        let alternative = prop::collection::vec(0..5usize, 0..4);
        let rule = prop::collection::vec(alternative, 1..4);
        prop::collection::vec(rule, 3)
    }

    fn ebnf(rules: &Rules) -> String {
        let symbol = |&symbol: &usize| ["'a'", "'b'", "r0", "r1", "r2"][symbol].to_owned() + " ";
        let alternative = |symbols: &Vec<usize>| symbols.iter().map(symbol).collect::<String>();
        let rule = |(index, alternatives): (usize, &Vec<Vec<usize>>)| {
            let written: Vec<String> = alternatives.iter().map(alternative).collect();
            format!("r{index} ::= {}\n", written.join("| "))
        };
        rules.iter().enumerate().map(rule).collect()
    }

    /// All spans that each rule derives in `text`, by a fixed point.
    fn spans(rules: &Rules, text: &str) -> HashSet<(usize, usize, usize)> {
        let mut known = HashSet::new();
        loop {
            let before = known.len();
            for (rule, alternatives) in rules.iter().enumerate() {
                for symbols in alternatives {
                    for start in 0..=text.len() {
                        let mut ends = HashSet::from([start]);
                        for &symbol in symbols {
                            ends = step(symbol, &ends, text, &known);
                        }
                        known.extend(ends.into_iter().map(|end| (rule, start, end)));
                    }
                }
            }
            if known.len() == before {
                return known;
            }
        }
    }

    fn step(
        symbol: usize,
        starts: &HashSet<usize>,
        text: &str,
        known: &HashSet<(usize, usize, usize)>,
    ) -> HashSet<usize> {
        let terminal = |start: usize| text[start..].starts_with(["a", "b"][symbol]);
        match symbol {
            0 | 1 => starts.iter().filter(|&&at| terminal(at)).map(|at| at + 1).collect(),
            _ => {
                let from = known
                    .iter()
                    .filter(|(rule, start, _)| *rule == symbol - 2 && starts.contains(start));
                from.map(|(_, _, end)| *end).collect()
            }
        }
    }

    /// Whether each node was expanded as its alternative says.
    fn is_derivation(grammar: &Grammar, tree: &Tree) -> bool {
        (0..tree.len()).all(|at| match tree.kind(at) {
            NodeKind::Open(_) => false,
            NodeKind::Terminal => true,
            NodeKind::Nonterminal { symbol, alternative } => {
                let symbols = &grammar.rule(symbol).alternatives[alternative as usize];
                let children: Vec<usize> = tree.children(at).collect();
                children.len() == symbols.len()
                    && children.iter().zip(symbols).all(|(&child, symbol)| match symbol {
                        Symbol::Text(text) => tree.text_of(child) == &**text,
                        Symbol::Class(_) => false,
                        Symbol::Nonterminal(n) => tree.symbol(child) == Some(*n),
                    })
            }
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1500))]
        #[test]
        fn the_language_is_right_and_trees_are_derivations(
            rules in rules(),
            texts in prop::collection::vec("[ab]{0,6}", 8),
        ) {
            let Ok(grammar) = Grammar::parse_ebnf(&ebnf(&rules)) else { return Ok(()) };
            let parser = Parser::new(&grammar);
            for text in texts {
                let member = spans(&rules, &text).contains(&(0, 0, text.len()));
                let parsed = parser.parse(&text);
                prop_assert_eq!(parsed.is_ok(), member, "{:?} in {}", text, ebnf(&rules));
                if let Ok(tree) = parsed {
                    prop_assert_eq!(tree.text(), text);
                    prop_assert!(is_derivation(&grammar, &tree));
                }
            }
        }
    }
}
