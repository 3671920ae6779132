//! The worked examples of the reference, and what its few tries let slip.

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use super::evocative::{evocative_grammar, evocative_subtree};
use super::fixtures::{
    EXPRESSIONS, HTML, INTEGER, TRIPLE, divide_by_zero, double_paren, middle, parse, reduced,
    remove_html_markup, square_root,
};
use super::search::Generalized;
use super::{Fuzzed, Options, Pattern, Rate, ddset, fuzz, narrow};
use crate::grammar::{Generator, Grammar, Limits, Parser, Tree};
use crate::reduce::Outcome;
use crate::reduce::tree::Strategy;

type Predicate = fn(&str) -> Outcome;

fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// The setting of the reference: ten tries.
fn reference() -> Options {
    Options { tries: 10, covarying: false, gaps: false, narrowing: false, ..Options::default() }
}

fn generalized(
    grammar: &Grammar,
    tree: &Tree,
    fails: Predicate,
    options: Options,
    seed: u64,
) -> Generalized {
    let found = ddset(grammar, tree, &mut |text: &str| Ok(fails(text)), options, &mut rng(seed));
    assert!(found.stopped.is_none());
    found
}

fn pattern(grammar: &Grammar, text: &str, fails: Predicate, options: Options, seed: u64) -> String {
    assert_eq!(fails(text), Outcome::Fail);
    generalized(grammar, &parse(grammar, text), fails, options, seed).pattern.to_string()
}

/// The outcomes of a thousand instances.
fn rate(found: &Generalized, fails: Predicate) -> Rate {
    let Fuzzed { rate, .. } =
        fuzz(&found.pattern, 1000, &mut |text: &str| Ok(fails(text)), &mut rng(99)).unwrap();
    rate
}

#[test]
fn perses_reduces_the_doubled_parentheses_as_the_reference() {
    let (tree, candidates) = reduced(&EXPRESSIONS, "1+((2*3/4))", double_paren, Strategy::Perses);
    assert_eq!(tree.text(), "((4))");
    assert!(candidates < 30, "{candidates}");
}

#[test]
fn every_strategy_keeps_the_failure_and_the_language() {
    for strategy in [Strategy::Hdd, Strategy::Perses, Strategy::Choices, Strategy::All] {
        let text = "12*(3-4/(5+0.25))+((2*3/4))-+7*8";
        let (tree, _) = reduced(&EXPRESSIONS, text, double_paren, strategy);
        assert_eq!(double_paren(tree.text()), Outcome::Fail);
        assert!(tree.text().len() < text.len(), "{strategy:?}: {}", tree.text());
        assert!(Parser::new(&EXPRESSIONS).accepts(tree.text()), "{strategy:?}: {}", tree.text());
    }
    let (tree, _) = reduced(&EXPRESSIONS, "12*(3-4)+((2*3/4))", double_paren, Strategy::All);
    assert_eq!(tree.text(), "((0))");
}

#[test]
fn doubled_parentheses_are_abstracted_as_the_reference() {
    let (tree, _) = reduced(&EXPRESSIONS, "1+((2*3/4))", double_paren, Strategy::Perses);
    for options in [reference(), Options::default()] {
        let found = generalized(&EXPRESSIONS, &tree, double_paren, options, 1);
        assert_eq!(found.pattern.to_string(), "((<expr>))");
        assert_eq!(rate(&found, double_paren).passed, 0);
    }
}

#[test]
fn negative_numbers_are_abstracted_as_the_reference() {
    for options in [reference(), Options::default()] {
        let found = generalized(&INTEGER, &parse(&INTEGER, "-1"), square_root, options, 2);
        assert_eq!(found.pattern.to_string(), "-<positive-int>");
        let rate = rate(&found, square_root);
        assert_eq!(rate.share(), Some(1.0));
        assert!(rate.unresolved > 0, "-0 is another error");
    }
}

/// The first of the patterns of the reference setting that is this one.
fn lucky(grammar: &Grammar, text: &str, fails: Predicate, wanted: &str) -> Pattern {
    let tree = parse(grammar, text);
    (0..100)
        .map(|seed| generalized(grammar, &tree, fails, reference(), seed).pattern)
        .find(|pattern| pattern.to_string() == wanted)
        .unwrap()
}

#[test]
fn middle_with_ten_tries_is_as_the_reference_and_with_more_is_narrowed() {
    lucky(&TRIPLE, "2, 1, 3", middle, "2, 1, <positive-int>");
    for seed in 0..20 {
        let options = Options::default();
        let found = generalized(&TRIPLE, &parse(&TRIPLE, "2, 1, 3"), middle, options, seed);
        assert_eq!(found.pattern.to_string(), "2, 1, <some-positive-int>");
        let legend = found.pattern.legend();
        assert!(
            legend.starts_with("some-positive-int ::= some-digit | nonzero-digit positive-int\n"),
            "{legend}"
        );
        // 0, 1 and 2 pass.
        assert!(legend.contains("some-digit ::= [3-9]\n"), "{legend}");
        assert_eq!(rate(&found, middle).share(), Some(1.0));
    }
}

#[test]
fn without_narrowing_middle_is_refused() {
    for seed in 0..20 {
        let options = Options { narrowing: false, ..Options::default() };
        assert_eq!(pattern(&TRIPLE, "2, 1, 3", middle, options, seed), "2, 1, 3");
    }
}

#[test]
fn markup_with_ten_tries_is_as_the_reference_and_with_more_is_narrowed() {
    let (text, as_printed) = ("<foo>\"bar</foo>", "<opening-tag>\"<plain-text><closing-tag>");
    lucky(&HTML, text, remove_html_markup, as_printed);
    let options = Options::default();
    for seed in 0..5 {
        let found = generalized(&HTML, &parse(&HTML, text), remove_html_markup, options, seed);
        // A second quote is rare enough in plain texts that they may pass for any.
        let texts = found.pattern.to_string().replace("some-plain-text", "plain-text");
        assert_eq!(texts, "<some-opening-tag>\"<plain-text><closing-tag>");
        assert!(rate(&found, remove_html_markup).share() >= Some(0.99));
        let instances = found.pattern.to_grammar();
        let parser = Parser::new(&instances);
        for failing in ["<a b='c'>\"</d>", "<a b=\"!\" c=''>\"x y</d>", "<foo>\"bar</foo>"] {
            assert_eq!(remove_html_markup(failing), Outcome::Fail);
            assert!(parser.accepts(failing), "{failing}");
        }
        let passing = "<foo attr=\"'\">\"bar</foo>";
        assert_eq!(remove_html_markup(passing), Outcome::Pass);
        assert!(!parser.accepts(passing));
    }
}

/// `pattern`, narrowed by counterexamples until there are none.
fn narrowed(mut pattern: Pattern, fails: Predicate, options: Options) -> Pattern {
    let ask = &mut |text: &str| Ok(fails(text));
    let mut random = rng(4);
    for _ in 0..20 {
        let fuzzed = fuzz(&pattern, 500, ask, &mut random).unwrap();
        let Some(counterexample) = fuzzed.counterexamples().next() else { break };
        pattern = narrow(&pattern, counterexample, ask, options, &mut random).unwrap();
    }
    pattern
}

#[test]
fn counterexamples_narrow_a_pattern() {
    let as_printed = "<opening-tag>\"<plain-text><closing-tag>";
    let pattern = lucky(&HTML, "<foo>\"bar</foo>", remove_html_markup, as_printed);
    let with_more = narrowed(pattern.clone(), remove_html_markup, Options::default());
    assert_eq!(with_more.to_string(), "<some-opening-tag>\"<some-plain-text><closing-tag>");
    // Without narrowed placeholders, those in question become concrete, but for what is inside of them.
    let plain = Options { narrowing: false, ..Options::default() };
    let refused = narrowed(pattern, remove_html_markup, plain);
    assert_eq!(refused.to_string(), "<<id>>\"<letter>{3}<closing-tag>");
}

fn evocative(text: &str, fails: Predicate) -> (Tree, Grammar) {
    let (tree, _) = reduced(&EXPRESSIONS, text, fails, Strategy::Perses);
    let found = generalized(&EXPRESSIONS, &tree, fails, Options::default(), 1);
    let subtree =
        evocative_subtree(&found.pattern, &mut |text: &str| Ok(fails(text)), 100, &mut rng(5))
            .unwrap();
    let grammar = evocative_grammar(&EXPRESSIONS, std::slice::from_ref(&subtree));
    (subtree, grammar)
}

fn all_fail(grammar: &Grammar, fails: Predicate) {
    let mut generator = Generator::new(grammar, Limits::default());
    let mut random = rng(6);
    for _ in 0..500 {
        let tree = generator.generate(grammar.start(), &mut random);
        assert_eq!(fails(tree.text()), Outcome::Fail, "{}", tree.text());
        assert!(Parser::new(&EXPRESSIONS).accepts(tree.text()));
    }
}

#[test]
fn the_evocative_grammar_of_doubled_parentheses_is_right() {
    let (subtree, grammar) = evocative("1+((2*3/4))", double_paren);
    assert_eq!(subtree.symbol(0), EXPRESSIONS.nonterminal("factor"));
    assert_eq!(subtree.text(), "(())");
    all_fail(&grammar, double_paren);
    let parser = Parser::new(&grammar);
    for text in ["1+((2*3/4))", "((1))", "-((2+3))*4", "(((7)))"] {
        assert!(parser.accepts(text), "{text}");
    }
    for text in ["1", "(1)", "(1+(2))"] {
        assert!(!parser.accepts(text), "{text}");
    }
}

#[test]
fn the_evocative_grammar_of_divisions_by_zero_is_right() {
    let (subtree, grammar) = evocative("(1+2)*3/0", divide_by_zero);
    assert_eq!(subtree.symbol(0), EXPRESSIONS.nonterminal("term"));
    all_fail(&grammar, divide_by_zero);
    assert!(Parser::new(&grammar).accepts("1+(2-3/0)*4"));
}

#[test]
fn what_must_be_equal_is_one_placeholder() {
    let matching = |text: &str| {
        let inner = text.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
        let parts = inner.and_then(|inner| inner.split_once(">\"</"));
        Outcome::fail_if(parts.is_some_and(|(open, close)| open == close))
    };
    let found = generalized(&HTML, &parse(&HTML, "<ab>\"</ab>"), matching, Options::default(), 3);
    assert_eq!(found.pattern.to_string(), "<<id:1>>\"</<id:1>>");
    assert_eq!(rate(&found, matching).share(), Some(1.0));
}

#[test]
fn invalid_inputs_do_not_count_against_a_node() {
    // Numbers with an even number of digits only are valid; those that start with 1 fail.
    let picky = |text: &str| match text.len() % 2 {
        0 if text.starts_with('1') => Outcome::Fail,
        0 => Outcome::Pass,
        _ => Outcome::Unresolved,
    };
    let grammar = Grammar::parse_ebnf("s ::= [0-9] t; t ::= [0-9]+").unwrap();
    let found = generalized(&grammar, &parse(&grammar, "1234"), picky, Options::default(), 1);
    assert_eq!(found.pattern.to_string(), "1<t>");
    assert!(rate(&found, picky).unresolved > 0);
}

#[test]
fn a_pattern_with_mostly_invalid_instances_is_narrowed_to_valid_ones() {
    // One pair of braces, with words and dashes in it.
    let named = |text: &str| {
        let inside = text.split_once('{').and_then(|(_, rest)| rest.split_once('}'));
        let is_name = |c: char| c == '-' || !c.is_ascii() || c.is_ascii_alphanumeric();
        match inside {
            Some((name, rest))
                if name.chars().all(is_name) && !name.is_empty() && !rest.contains(['{', '}']) =>
            {
                Outcome::Fail
            }
            _ => Outcome::Unresolved,
        }
    };
    let grammar = crate::grammar::builtin("text").unwrap();
    for seed in 0..5 {
        let options = Options::default();
        let found = generalized(&grammar, &parse(&grammar, "{ab}"), named, options, seed);
        let rate = rate(&found, named);
        assert!(rate.unresolved < rate.reproduced, "{}: {rate:?}", found.pattern);
        assert!(found.pattern.to_string().contains("{<some-part"), "{}", found.pattern);
    }
}

#[test]
fn trees_need_fewer_candidates_than_characters() {
    use crate::reduce::dd::{shrink_list, without};
    use crate::reduce::{FromFn, Memory, Problem};

    let json = crate::grammar::builtin("json").unwrap();
    let fails = |text: &str| {
        let valid = serde_json::from_str::<serde_json::Value>(text).is_ok();
        match (valid, text.contains("null")) {
            (false, _) => Outcome::Unresolved,
            (true, true) => Outcome::Fail,
            (true, false) => Outcome::Pass,
        }
    };
    let text =
        format!("{{\"list\": [{}{{\"key\": [null]}}], \"x\": \"y\"}}", "1, [2, {}], ".repeat(20));
    let (tree, by_tree) = reduced(&json, &text, fails, Strategy::All);
    assert_eq!(tree.text(), "null");
    let mut oracle = FromFn(|chars: &Vec<char>| fails(&chars.iter().collect::<String>()));
    let mut problem = Problem::new(text.chars().collect(), &mut oracle, Memory::Remember);
    shrink_list(&mut problem, Vec::len, |c, removed| without(c, removed)).unwrap();
    let by_chars = problem.counts().candidates;
    assert!(by_tree * 5 < by_chars, "{by_tree} against {by_chars}");
    assert!(tree.text().len() <= problem.best().len());
}

#[test]
fn each_character_of_a_long_word_is_a_placeholder() {
    let fails = |text: &str| {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric());
        Outcome::fail_if(words.map(str::len).max() >= Some(30))
    };
    for (name, wanted) in [
        ("identifier", "<some-first><some-rest>{29}"),
        ("text", "<part*><some-word-char>{30}<part*>"),
    ] {
        let grammar = crate::grammar::builtin(name).unwrap();
        let tree = parse(&grammar, &"a".repeat(30));
        let found = generalized(&grammar, &tree, fails, Options::default(), 0);
        assert_eq!(found.pattern.to_string(), wanted);
        // Most characters are opened at once.
        assert!(found.tests < 3000, "{}", found.tests);
    }
}
