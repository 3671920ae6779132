//! Patterns of predicates whose failing language is known: nearly all instances must fail, and the
//! evocative grammar must accept much of what fails.

use std::cell::Cell;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use super::fixtures::{
    EXPRESSIONS, HTML, INTEGER, TRIPLE, divide_by_zero, double_paren, middle, reduced,
    remove_html_markup, square_root,
};
use super::{Options, Rate, causes, ddset, fuzz};
use crate::grammar::{Generator, Grammar, Limits, Parser, builtin};
use crate::reduce::Outcome;
use crate::reduce::tree::Strategy;

struct Case {
    name: &'static str,
    grammar: Grammar,
    text: &'static str,
    fails: fn(&str) -> Outcome,
    /// The least share of the failing texts of the grammar that the evocative grammar must accept.
    recall: f64,
}

fn cases() -> Vec<Case> {
    let case = |name, grammar: &Grammar, text, fails, recall| Case {
        name,
        grammar: grammar.clone(),
        text,
        fails,
        recall,
    };
    let built_in = |name, text, fails, recall| Case {
        name,
        grammar: builtin(name).unwrap(),
        text,
        fails,
        recall,
    };
    vec![
        case("doubled parentheses", &EXPRESSIONS, "1+((2*3/4))", double_paren, 0.35),
        case("division by zero", &EXPRESSIONS, "(1+2)*3/0", divide_by_zero, 0.95),
        case("unary plus", &EXPRESSIONS, "1+(2*+3)", |t| Outcome::fail_if(t.contains("*+")), 0.95),
        case("decimal point", &EXPRESSIONS, "1+2.5-3", |t| Outcome::fail_if(t.contains('.')), 0.9),
        case("markup", &HTML, "<foo>\"bar</foo>", remove_html_markup, 0.0),
        case("negative", &INTEGER, "-25", square_root, 0.9),
        case("middle", &TRIPLE, "2, 1, 3", middle, 0.0),
        case(
            "three minus",
            &TRIPLE,
            "-1, -2, -3",
            |t| Outcome::fail_if(t.matches('-').count() == 3),
            0.9,
        ),
        built_in(
            "json",
            r#"{"a": [1, null, "b"]}"#,
            |t| Outcome::fail_if(t.contains("null")),
            0.95,
        ),
        built_in("semver", "1.2.3-rc.1+x", |t| Outcome::fail_if(t.contains('+')), 0.9),
        built_in(
            "url",
            "http://a.b/c?d=e#f",
            |t| Outcome::fail_if(t.contains('?') && t.contains('=')),
            0.95,
        ),
        built_in("ipv4", "10.0.0.1", |t| Outcome::fail_if(t.starts_with("10.")), 0.9),
        built_in("integer", "-12", |t| Outcome::fail_if(t.starts_with('-')), 0.9),
        built_in("csv", "a,b\nc,\"d\"\n", |t| Outcome::fail_if(t.contains('"')), 0.95),
    ]
}

#[test]
fn patterns_are_precise_and_evocative_grammars_recall_what_fails() {
    let mut wrong = Vec::new();
    for case in cases() {
        let (text, grammar) = (case.text, &case.grammar);
        assert_eq!((case.fails)(text), Outcome::Fail, "{}", case.name);
        let (tree, _) = reduced(grammar, text, case.fails, Strategy::Perses);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let asked = Cell::new(0);
        let mut ask = |text: &str| {
            asked.set(asked.get() + 1);
            Ok((case.fails)(text))
        };
        let found = ddset(grammar, &tree, &mut ask, Options::default(), &mut rng);
        let causes = causes(&found.pattern, &mut ask, Options::default(), &mut rng);
        assert!(found.stopped.is_none() && causes.stopped.is_none());
        let tests = asked.get() - found.tests;
        let evocative = causes.evocative_grammar();
        // A pattern without placeholders is the failing text itself.
        let rate = fuzz(&found.pattern, 1000, &mut ask, &mut rng).unwrap().rate;
        let precision = rate.share().unwrap_or(1.0);
        let of_evocative = share_failing(&evocative, case.fails, &mut rng);
        let recall = share_accepted(grammar, &evocative, case.fails, &mut rng);
        let line = format!(
            "{}: {:?} gives {}, {} tests, precision {precision:.3}; {} causes, {tests} tests, precision \
             {of_evocative:.3}, recall {recall:.2}",
            case.name,
            tree.text(),
            found.pattern,
            found.tests,
            causes.subtrees.len(),
        );
        println!("{line}");
        if precision < 0.99 || of_evocative < 0.99 || recall < case.recall {
            wrong.push(line);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The share of random texts of `evocative` that fail.
fn share_failing(
    evocative: &Grammar,
    fails: fn(&str) -> Outcome,
    rng: &mut Xoshiro256PlusPlus,
) -> f64 {
    let mut generator = Generator::new(evocative, Limits::default());
    let mut rate = Rate::default();
    for _ in 0..1000 {
        rate.add(fails(generator.generate(evocative.start(), rng).text()));
    }
    rate.share().unwrap_or(1.0)
}

/// The share of random failing texts that `evocative` accepts.
fn share_accepted(
    grammar: &Grammar,
    evocative: &Grammar,
    fails: fn(&str) -> Outcome,
    rng: &mut Xoshiro256PlusPlus,
) -> f64 {
    let mut generator = Generator::new(grammar, Limits::default());
    let parser = Parser::new(evocative);
    let texts = (0..15_000).map(|_| generator.generate(grammar.start(), rng).text().to_owned());
    let failing: Vec<String> = texts.filter(|text| fails(text).is_fail()).take(100).collect();
    let accepted = failing.iter().filter(|text| parser.accepts(text)).count();
    f64::from(u32::try_from(accepted).unwrap())
        / f64::from(u32::try_from(failing.len().max(1)).unwrap())
}

/// For `benches/generalize_reference.py`, which reads these lines.
#[test]
#[ignore = "it prints the cases for the reference implementation"]
fn cases_for_the_reference() {
    for case in cases() {
        let (tree, _) = reduced(&case.grammar, case.text, case.fails, Strategy::Perses);
        let grammar: serde_json::Value = serde_json::from_str(&case.grammar.to_json()).unwrap();
        let line =
            serde_json::json!({ "name": case.name, "text": tree.text(), "grammar": grammar });
        println!("{line}");
    }
}
