//! Formulas against the enumeration of small grammars.

use super::*;
use crate::generalize::evocative::evocative_grammar;
use crate::grammar::{Edit, Nonterminal, Parser, enumerate};

/// Whether the subtree at `at` is an instance of `fragment` at `part`.
fn matches(tree: &Tree, at: usize, fragment: &Tree, part: usize) -> bool {
    match fragment.kind(part) {
        NodeKind::Open(symbol) => tree.symbol(at) == Some(symbol),
        NodeKind::Terminal => {
            tree.symbol(at).is_none() && tree.text_of(at) == fragment.text_of(part)
        }
        kind @ NodeKind::Nonterminal { .. } => {
            let children: Vec<usize> = tree.children(at).collect();
            let parts: Vec<usize> = fragment.children(part).collect();
            let is_list = |symbol| symbol == tree.symbol(at);
            (tree.kind(at) == kind
                || is_list(fragment.symbol(part)) && children.len() == parts.len())
                && children.len() == parts.len()
                && children.iter().zip(parts).all(|(&at, part)| matches(tree, at, fragment, part))
        }
    }
}

fn contains(tree: &Tree, fragment: &Tree) -> bool {
    (0..tree.len()).any(|at| matches(tree, at, fragment, 0))
}

/// An unambiguous grammar, and parts of its derivations.
fn sample(ebnf: &str, text: &str, below: &str, open: &str) -> (Grammar, Tree) {
    let grammar = Grammar::parse_ebnf(ebnf).unwrap();
    let from = grammar.starting_at(grammar.nonterminal(below).unwrap());
    let tree = Parser::new(&from).parse(text).unwrap();
    let open = grammar.nonterminal(open);
    let edits: Vec<_> = (1..tree.len())
        .filter_map(|at| {
            open.filter(|_| tree.symbol(at) == open).map(|open| (at, Edit::Open(open)))
        })
        .collect();
    let fragment = tree.edit(&edits);
    (grammar, fragment)
}

fn agree(grammar: &Grammar, formula: &Formula, holds: impl Fn(&Tree) -> bool) {
    let derived = formula.grammar(grammar).unwrap();
    let parser = Parser::new(&derived);
    let trees = enumerate(grammar, grammar.start(), 10, 3000);
    assert!(trees.len() > 10);
    assert!(trees.iter().any(&holds) && !trees.iter().all(&holds));
    for tree in &trees {
        assert_eq!(parser.accepts(tree.text()), holds(tree), "{}", tree.text());
    }
    // And the other way round: all that the new grammar makes are of the old one, and fulfil it.
    let old = Parser::new(grammar);
    for tree in enumerate(&derived, derived.start(), 10, 1000) {
        assert!(holds(&old.parse(tree.text()).unwrap()), "{}", tree.text());
    }
}

const NESTED: &str = "s ::= s a | a; a ::= '(' s ')' | c; c ::= [xy]";

#[test]
fn and_or_and_not_agree_with_enumeration() {
    let (grammar, doubled) = sample(NESTED, "((x))", "a", "c");
    let (_, letter) = sample(NESTED, "y", "a", "none");
    let (one, two) = (Formula::Contains(doubled.clone()), Formula::Contains(letter.clone()));
    let (has_one, has_two) =
        (|tree: &Tree| contains(tree, &doubled), |tree: &Tree| contains(tree, &letter));
    agree(&grammar, &one, has_one);
    agree(&grammar, &one.clone().not(), |tree| !has_one(tree));
    agree(&grammar, &one.clone().and(two.clone()), |tree| has_one(tree) && has_two(tree));
    agree(&grammar, &one.clone().or(two.clone()), |tree| has_one(tree) || has_two(tree));
    let neither = one.clone().or(two).not();
    agree(&grammar, &neither, |tree| !has_one(tree) && !has_two(tree));
    let impossible = one.clone().and(one.not());
    assert_eq!(impossible.grammar(&grammar), Err(AlgebraError::Empty));
}

#[test]
fn lists_are_understood() {
    let ebnf = "s ::= '[' e* ']'; e ::= s | c; c ::= [xy]";
    let (grammar, fragment) = sample(ebnf, "[xy]", "s", "c");
    agree(&grammar, &Formula::Contains(fragment.clone()), |tree| contains(tree, &fragment));
    agree(&grammar, &Formula::Contains(fragment.clone()).not(), |tree| !contains(tree, &fragment));
}

#[test]
fn the_evocative_grammar_contains_what_it_should() {
    for (ebnf, text, below) in
        [(NESTED, "((x))", "a"), ("s ::= '[' e* ']'; e ::= s | c; c ::= [xy]", "[xy]", "s")]
    {
        let (grammar, fragment) = sample(ebnf, text, below, "c");
        let evocative = evocative_grammar(&grammar, std::slice::from_ref(&fragment));
        let parser = Parser::new(&evocative);
        for tree in enumerate(&grammar, grammar.start(), 10, 3000) {
            assert_eq!(parser.accepts(tree.text()), contains(&tree, &fragment), "{}", tree.text());
        }
    }
}

#[test]
fn a_narrowed_placeholder_stands_for_its_part_alone() {
    // `some-…` are made as narrowing makes them: less of the rules of the others.
    let grammar = Grammar::parse_ebnf(
        "s ::= '[' e* ']'; e ::= s | c; c ::= [w-z]; \
         some-s ::= '[' some-e* ']'; some-e ::= some-s | some-c; some-c ::= [xy]; \
         more ::= some-e+",
    )
    .unwrap();
    let symbol = |name: &str| grammar.nonterminal(name).unwrap();
    let tree = Parser::new(&grammar).parse("[x]").unwrap();
    let at = |name: &str| (0..tree.len()).find(|&at| tree.symbol(at) == grammar.nonterminal(name));
    let fragment = |from: &str, to: Nonterminal| tree.edit(&[(at(from).unwrap(), Edit::Open(to))]);
    let list = symbol("e*");
    let contains = |tree: &Tree, holds: &dyn Fn(&str) -> bool| {
        (0..tree.len()).any(|at| {
            tree.symbol(at) == Some(symbol("s"))
                && holds(&tree.text_of(at)[1..tree.text_of(at).len() - 1])
        })
    };
    let is_some = |text: &str| !text.contains(['w', 'z']);
    // One element of the part; a list of them; such a list that is not empty.
    let one = |text: &str| {
        let rules = grammar.starting_at(symbol("some-e"));
        Parser::new(&rules).accepts(text)
    };
    let formula = Formula::Contains(fragment("e", symbol("some-e")));
    agree(&grammar, &formula, |tree| contains(tree, &one));
    agree(&grammar, &formula.not(), |tree| !contains(tree, &one));
    let formula = Formula::Contains(fragment("e*", symbol("some-e*")));
    agree(&grammar, &formula, |tree| contains(tree, &is_some));
    let formula = Formula::Contains(fragment("e*", symbol("some-e+")));
    let is_more = |text: &str| !text.is_empty() && is_some(text);
    agree(&grammar, &formula, |tree| contains(tree, &is_more));
    let formula = Formula::Contains(fragment("e*", list));
    assert_eq!(formula.not().grammar(&grammar), Err(AlgebraError::Empty));
}
