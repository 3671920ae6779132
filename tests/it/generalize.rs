//! From a failing text to the pattern of the texts that fail.

use std::fs;
use std::path::Path;

use super::finished::Finished;
use super::project::Project;
use super::texts::holds;

/// `cargo reduce --generalize --seed 1 ARGS` in the fixture of functions whose failing inputs are known.
fn generalize(args: &[&str]) -> Finished {
    generalize_in(&Project::fixture("predicates"), args)
}

fn generalize_in(project: &Project, args: &[&str]) -> Finished {
    let seed: &[&str] = if args.contains(&"--seed") { &[] } else { &["--seed", "1"] };
    let all = [&["--generalize"], seed, args].concat();
    let finished = project.reduce_with(&all).run();
    finished.code(0);
    let summary = finished.summary();
    assert_eq!(summary["confirmed"], true, "{finished}");
    assert!(summary["builds"].as_u64().unwrap() <= 3, "{finished}");
    finished
}

/// As [`generalize`], with a grammar of the fixture and the reduction of the reference.
fn by_grammar(grammar: &str, args: &[&str]) -> Finished {
    by_grammar_in(&Project::fixture("predicates"), grammar, args)
}

fn by_grammar_in(project: &Project, grammar: &str, args: &[&str]) -> Finished {
    let grammar = format!("grammars/{grammar}");
    generalize_in(project, &[&["--strategy", "perses", "--grammar", &grammar], args].concat())
}

impl Finished {
    /// Expects this one pattern by that grammar.
    fn pattern(&self, grammar: &str, pattern: &str) -> &Self {
        let patterns: Vec<_> = self.events("pattern").collect();
        assert_eq!(patterns.len(), 1, "{self}");
        assert_eq!(patterns[0]["grammar"], grammar, "{self}");
        assert_eq!(patterns[0]["pattern"], pattern, "{self}");
        self
    }

    /// Expects that the share of instances that fail is sure to be above this.
    fn at_least(&self, share: f64) -> &Self {
        let pattern = self.events("pattern").next().unwrap();
        assert!(pattern["interval"][0].as_f64().unwrap() > share, "{self}");
        self
    }

    fn count(&self, name: &str) -> u64 {
        self.events("pattern").next().unwrap()[name].as_u64().unwrap()
    }
}

#[test]
fn negative_numbers_have_no_root() {
    let finished = generalize(&["takes_roots"]);
    finished.pattern("integer", "-<digit+>").at_least(0.98).tier("in-process");
    assert!(finished.count("unresolved") > 0, "-0 fails in another way\n{finished}");
    let resolved = finished.count("instances") - finished.count("unresolved");
    assert_eq!(finished.count("reproduced"), resolved, "{finished}");
}

#[test]
fn a_text_in_bytes_is_a_text() {
    let finished = generalize(&["reads_a_header"]);
    finished.to(["b\"-\""]).pattern("text", "<some-part*>-<part*>").at_least(0.98);
    // A length may not start before the sign.
    let pattern = finished.events("pattern").next().unwrap();
    assert_eq!(pattern["reproduced"], pattern["instances"], "{finished}");
    let file = finished.regression_test();
    holds(file, ["header(instance.as_bytes())"]);
}

#[test]
fn doubled_parentheses_may_hold_anything() {
    let project = Project::fixture("predicates");
    let finished = by_grammar_in(&project, "expressions.json", &["measures_depth"]);
    finished.to(["\"((4))\""]).pattern("expressions.json", "((<expr>))").at_least(0.98);
    // The page tells of each character, though only whole nodes were removed.
    let page = finished.left("report.html");
    for said in [
        "2 of 5 parts: without it, the test passes",
        "1 of 5 parts: without it, it fails in the same way, but the grammar does not parse it",
    ] {
        assert!(page.contains(said), "{said}: {page}");
    }
}

#[test]
fn a_division_by_zero_is_one_after_any_operand() {
    let finished = by_grammar("expressions.json", &["counts_operators"]);
    finished.pattern("expressions.json", "<factor>/0").at_least(0.98);
}

#[test]
fn few_tries_let_a_pattern_slip_whose_rate_is_told() {
    let finished =
        by_grammar("numbers.json", &["--tries", "10", "--seed", "19", "finds_the_middle"]);
    finished.pattern("numbers.json", "2, 1, <positive-int>");
    let share = finished.count("reproduced") * 100 / finished.count("instances");
    assert!((70..95).contains(&share), "{share} %\n{finished}");
}

#[test]
fn many_tries_narrow_what_only_luck_has_allowed() {
    let finished = by_grammar("numbers.json", &["-v", "finds_the_middle"]);
    finished.pattern("numbers.json", "2, 1, <some-positive-int>").at_least(0.98);
    assert_eq!(finished.count("reproduced"), finished.count("instances"));
}

#[test]
fn tags_around_a_quote_leave_markup() {
    let finished = by_grammar("html.ebnf", &["--tries", "10", "--seed", "3", "removes_markup"]);
    finished.pattern("html.ebnf", "<opening-tag>\"<plain-text><closing-tag>");
}

#[test]
fn many_tries_narrow_the_opening_tag() {
    let finished = by_grammar("html.ebnf", &["removes_markup"]);
    let pattern = finished.events("pattern").next().unwrap();
    let text = pattern["pattern"].as_str().unwrap();
    assert!(
        text.starts_with("<some-opening-tag>\"") && text.ends_with("<closing-tag>"),
        "{finished}"
    );
    finished.at_least(0.98);
}

#[test]
fn the_regression_file_has_a_table_of_instances() {
    let finished = generalize(&["takes_roots"]);
    let file = finished.regression_test();
    let table = file.lines().find(|line| line.contains("let instances = "));
    let rows = table.map(|table| table.matches("\"-").count());
    assert_eq!(rows, Some(8), "{file}");
    assert!(
        file.contains(
            "// Texts of the pattern -<digit+>\nfn reduced_takes_roots_instances_check(instance"
        ),
        "{file}"
    );
    holds(file, ["    let _ = square_root(instance);"]);
}

#[test]
fn a_constant_that_varies_has_a_table_of_instances() {
    let finished = generalize(&["takes_the_root_of_a_constant"]);
    finished.pattern("integer", "-<digit+>");
    let file = finished.regression_test();
    holds(file, ["const NUMBER: &str = \"-"]);
    assert!(
        file.contains("    let number: &str = instance;\n    let _ = square_root(number);"),
        "{file}"
    );
}

#[test]
fn the_table_of_a_test_that_should_panic_shows_that_it_does_not() {
    let finished = generalize(&[
        "--strategy",
        "perses",
        "--grammar",
        "grammars/signed.ebnf",
        "refuses_negative_numbers",
    ]);
    finished.pattern("signed.ebnf", "+<digit><digit*>");
    assert!(!finished.stderr.contains("left out"), "{finished}");
    let file = finished.regression_test();
    assert!(
        file.contains("{} of {} do not panic: {:?}") && file.contains(".is_ok()\n    });"),
        "{file}"
    );
}

#[test]
fn rules_that_are_never_used_are_told() {
    let project = Project::fixture("predicates");
    fs::create_dir_all(project.root().join("target")).unwrap();
    let grammar = "number ::= '-' [0-9]+\ndigit ::= [0-9]\n";
    fs::write(project.root().join("target/g.ebnf"), grammar).unwrap();
    let finished = project.reduce(["--grammar", "target/g.ebnf", "takes_roots"]).run();
    finished.code(0);
    let told = "rule <digit> of the grammar `g.ebnf` is never used";
    assert!(finished.stderr.contains(told), "{finished}");
}

#[test]
fn instances_are_shown_with_their_outcomes() {
    let finished = generalize(&["--fuzz", "20", "takes_roots"]);
    let instances: Vec<_> = finished.events("instance").collect();
    assert_eq!(instances.len(), 20, "{finished}");
    for instance in instances {
        let text = instance["text"].as_str().unwrap();
        let zero = text.trim_matches(['-', '0']).is_empty();
        assert_eq!(instance["outcome"], if zero { "Unresolved" } else { "Fail" }, "{text}");
    }
}

#[test]
fn counterexamples_narrow_a_pattern_that_few_tries_have_found() {
    let finished = by_grammar(
        "numbers.json",
        &["--tries", "10", "--seed", "19", "--fuzz", "100", "finds_the_middle"],
    );
    finished.pattern("numbers.json", "2, 1, <some-positive-int>");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn the_evocative_grammar_takes_the_cause_in_any_context() {
    let project = Project::fixture("predicates");
    for extension in ["ebnf", "json", "pest"] {
        let file = format!("target/fault.{extension}");
        let finished = project
            .reduce([
                "--generalize",
                "--strategy",
                "perses",
                "--grammar",
                "grammars/expressions.json",
                "--emit-grammar",
                &file,
                "measures_depth",
            ])
            .run();
        finished.code(0);
        let text = fs::read_to_string(project.root().join(&file)).unwrap();
        holds(&text, ["factor"]);
        if extension == "pest" {
            continue;
        }
        // It is a grammar of failing texts: by it nothing but the cause can be left.
        let again =
            project.reduce(["--grammar", &file, "--strategy", "perses", "measures_depth"]).run();
        again.code(0).to(["\"((4))\""]);
    }
}

#[test]
fn texts_that_fulfil_a_formula_are_run_in_place_of_a_pattern() {
    let project = Project::fixture("predicates");
    let run = |formula: &str| {
        let finished = project
            .reduce([
                "--generalize",
                "--grammar",
                "grammars/expressions.json",
                "--pattern",
                formula,
                "--fuzz",
                "60",
                "measures_depth",
            ])
            .run();
        finished.code(0);
        let event = finished.events("pattern").next().unwrap().clone();
        assert_eq!(event["pattern"], formula, "{finished}");
        assert_eq!(event["instances"], 60, "{finished}");
        let texts: Vec<String> = finished
            .events("instance")
            .map(|event| event["text"].as_str().unwrap().to_owned())
            .collect();
        (event["reproduced"].as_u64().unwrap(), texts)
    };
    let (reproduced, texts) = run(r#""((<expr>))" & !"<factor>/<term>""#);
    assert_eq!(reproduced, 60);
    assert!(texts.iter().all(|text| text.contains("((") && !text.contains('/')));
    assert!(texts.iter().any(|text| !text.starts_with("((")), "{texts:?}");
    assert_eq!(run(r#"!"(<expr>)""#).0, 0);
}

#[test]
fn a_formula_that_cannot_be_read_is_told_before_anything_is_built() {
    let project = Project::fixture("predicates");
    let finished = project
        .reduce([
            "--generalize",
            "--grammar",
            "grammars/expressions.json",
            "--pattern",
            "'1' &",
            "measures_depth",
        ])
        .run();
    finished.code(1);
    assert!(finished.stderr.contains("expected a pattern in quotes"), "{finished}");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn a_strategy_works_without_a_pattern() {
    let project = Project::fixture("predicates");
    for (strategy, reduced) in [
        ("hdd", "0+((0))"),
        ("perses", "((4))"),
        ("choices", "0+((0))"),
        ("auto", "(())"),
        ("chars", "(())"),
    ] {
        let finished = project
            .reduce([
                "--strategy",
                strategy,
                "--grammar",
                "grammars/expressions.json",
                "measures_depth",
            ])
            .run();
        finished.code(0);
        assert_eq!(finished.events("pattern").count(), 0, "{finished}");
        finished.to([&format!("\"{reduced}\"")]);
        let is_outside = finished.stderr.contains("the grammar no longer parses the result");
        assert_eq!(is_outside, strategy == "auto", "{finished}");
    }
}

#[test]
fn an_input_that_does_not_parse() {
    let project = Project::fixture("predicates");
    let finished = project.reduce(["--generalize", "--grammar", "json", "measures_depth"]).run();
    finished.code(0).says("does not parse as `json`: line 1, column 2: expected");
    finished.says("the most specific built-in grammar that parses it is used instead");
    assert_eq!(finished.events("pattern").count(), 1, "{finished}");
    assert!(finished.stderr.contains("found \"+((2*3/4))\""), "{finished}");
}

#[test]
fn a_grammar_file_that_is_wrong() {
    let project = Project::fixture("predicates");
    let cases = [
        ("g.ebnf", "a ::= b c\nb ::= [a-z\n", "line 2, column 7: character class is not closed"),
        (
            "g.json",
            "{\n  \"<start>\": [\"<word>\"]\n}",
            "line 2, column 16: rule <start> uses <word>, which is not defined",
        ),
        ("g.ebnf", "a ::= '(' a ')'\n", "line 1, column 1: rule <a> has no finite expansion"),
    ];
    for (file, text, message) in cases {
        fs::create_dir_all(project.root().join("target")).unwrap();
        fs::write(project.root().join("target").join(file), text).unwrap();
        let finished = project
            .reduce(["--generalize", "--grammar", &format!("target/{file}"), "measures_depth"])
            .run();
        finished.error("error", message, []);
        assert!(finished.stderr.contains(file), "{finished}");
    }
    let finished =
        project.reduce(["--generalize", "--grammar", "nowhere.ebnf", "measures_depth"]).run();
    finished.error("error", "cannot read the grammar", []);
}

#[test]
fn a_test_without_a_text() {
    let finished = Project::fixture("numbers").reduce(["--generalize", "negative"]).run();
    finished.error("error", "nothing to generalize", ["--list"]);
}

#[test]
fn a_failure_that_is_none() {
    let finished = Project::fixture("passing").reduce(["--generalize", "counts_vowels"]).run();
    finished.error("not-failing", "`counts_vowels` passes", []);
    let finished = Project::fixture("flaky").reduce(["--generalize", "finds_room"]).run();
    finished.code(1);
}

#[test]
fn a_property_test_takes_any_text_of_the_pattern() {
    let project = Project::fixture("properties");
    let finished = project
        .reduce(["--generalize", "--grammar", "integer", "--property", "proptest", "counts"])
        .env("CARGO_TARGET_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("properties"))
        .run();
    finished.code(0);
    finished.pattern("integer", "-<digit+>");
    let file = finished.regression_test();
    holds(file, ["fn reduced_counts_instances() {"]);
    let property = r#"fn reduced_counts_property(instance in r"\-[0-9][0-9]*") {"#;
    assert!(file.contains(property), "{file}");
    assert!(!finished.stderr.contains("left out"), "{finished}");
}

#[test]
fn a_property_test_needs_proptest() {
    let project = Project::fixture("predicates");
    let finished = project.reduce(["--generalize", "--property", "proptest", "takes_roots"]).run();
    finished.error(
        "error",
        "the package `predicates` does not depend on proptest",
        ["cargo add --dev proptest"],
    );
}

#[test]
fn wrong_usage() {
    let project = Project::fixture("predicates");
    let cases: [(&[&str], &str); 5] = [
        (
            &["--generalize", "--grammar", "xmlish"],
            "`xmlish` is neither a file nor a built-in grammar; the built-in ones are integer",
        ),
        (&["--generalize", "--grammar", "g.txt"], "must end in .json, .ebnf or .bnf"),
        (&["--generalize", "--emit-grammar", "g.y"], "must end in .json, .ebnf or .pest"),
        (&["--fuzz", "5"], "--generalize"),
        (&["--generalize", "--maximize"], "cannot be used with"),
    ];
    for (args, message) in cases {
        let finished = project.reduce_with(&[args, &["takes_roots"]].concat()).run();
        finished.code(2);
        assert!(finished.stderr.contains(message), "{finished}");
    }
}
