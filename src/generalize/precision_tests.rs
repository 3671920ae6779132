//! Patterns of predicates whose failing language is known: nearly all instances must fail, and the
//! evocative grammar must accept much of what fails.

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use super::fixtures::{
    EXPRESSIONS, HTML, INTEGER, TRIPLE, divide_by_zero, double_paren, middle, reduced,
    remove_html_markup, square_root,
};
use super::{Options, ddset, evocative_grammar, evocative_subtree, fuzz};
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

fn fails_if(condition: bool) -> Outcome {
    if condition {
        Outcome::Fail
    } else {
        Outcome::Pass
    }
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
        case(
            "doubled parentheses",
            &EXPRESSIONS,
            "1+((2*3/4))",
            double_paren,
            0.3,
        ),
        case(
            "division by zero",
            &EXPRESSIONS,
            "(1+2)*3/0",
            divide_by_zero,
            0.1,
        ),
        case(
            "unary plus",
            &EXPRESSIONS,
            "1+(2*+3)",
            |t| fails_if(t.contains("*+")),
            0.1,
        ),
        case(
            "decimal point",
            &EXPRESSIONS,
            "1+2.5-3",
            |t| fails_if(t.contains('.')),
            0.9,
        ),
        case("markup", &HTML, "<foo>\"bar</foo>", remove_html_markup, 0.0),
        case("negative", &INTEGER, "-25", square_root, 0.9),
        case("middle", &TRIPLE, "2, 1, 3", middle, 0.0),
        case(
            "three minus",
            &TRIPLE,
            "-1, -2, -3",
            |t| fails_if(t.matches('-').count() == 3),
            0.9,
        ),
        built_in(
            "json",
            r#"{"a": [1, null, "b"]}"#,
            |t| fails_if(t.contains("null")),
            0.3,
        ),
        built_in("semver", "1.2.3-rc.1+x", |t| fails_if(t.contains('+')), 0.9),
        built_in(
            "url",
            "http://a.b/c?d=e#f",
            |t| fails_if(t.contains('?') && t.contains('=')),
            0.0,
        ),
        built_in("ipv4", "10.0.0.1", |t| fails_if(t.starts_with("10.")), 0.9),
        built_in("integer", "-12", |t| fails_if(t.starts_with('-')), 0.9),
        built_in("csv", "a,b\nc,\"d\"\n", |t| fails_if(t.contains('"')), 0.1),
    ]
}

#[test]
fn patterns_are_precise_and_evocative_grammars_recall_what_fails() {
    let mut wrong = Vec::new();
    for Case {
        name,
        grammar,
        text,
        fails,
        recall,
    } in cases()
    {
        assert_eq!(fails(text), Outcome::Fail, "{name}");
        let (tree, candidates) = reduced(&grammar, text, fails, Strategy::Perses);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut ask = |text: &str| Ok(fails(text));
        let found = ddset(&grammar, &tree, &mut ask, Options::default(), &mut rng);
        let rate = fuzz(&found.pattern, 1000, &mut ask, &mut rng).unwrap().rate;
        // A pattern without placeholders is the failing text itself.
        let precision = rate.share().unwrap_or(1.0);
        let subtree = evocative_subtree(&found.pattern, &mut ask, 100, &mut rng).unwrap();
        let evocative = evocative_grammar(&grammar, &subtree);
        let measured = share_accepted(&grammar, &evocative, fails, &mut rng);
        let line = format!(
            "{name}: {:?} gives {}, {} + {candidates} tests, precision {precision:.3}, recall {measured:.2}",
            tree.text(),
            found.pattern,
            found.tests,
        );
        println!("{line}");
        if precision < 0.99 || measured < recall {
            wrong.push(line);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
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
    let texts = (0..2000).map(|_| generator.generate(grammar.start(), rng).text().to_owned());
    let failing: Vec<String> = texts
        .filter(|text| fails(text).is_fail())
        .take(200)
        .collect();
    let accepted = failing.iter().filter(|text| parser.accepts(text)).count();
    f64::from(u32::try_from(accepted).unwrap())
        / f64::from(u32::try_from(failing.len().max(1)).unwrap())
}
