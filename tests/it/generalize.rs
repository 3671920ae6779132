//! From a failing text to the pattern of the texts that fail.

use super::finished::Finished;
use super::project::Project;

/// `cargo reduce --generalize --seed 1 ARGS` in the fixture of functions whose failing inputs are known.
fn generalize<const N: usize>(args: [&str; N]) -> Finished {
    let mut all = vec!["--generalize", "--seed", "1"];
    all.extend(args);
    let finished = Project::fixture("predicates").reduce_with(&all).run();
    finished.code(0);
    assert_eq!(finished.summary()["confirmed"], true, "{finished}");
    finished
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
}

#[test]
fn negative_numbers_have_no_root() {
    let finished = generalize(["takes_roots"]);
    finished
        .pattern("integer", "-<digit+>")
        .at_least(0.98)
        .tier("in-process");
    let pattern = finished.events("pattern").next().unwrap();
    let count = |name: &str| pattern[name].as_u64().unwrap();
    assert!(
        count("unresolved") > 0,
        "-0 fails in another way\n{finished}"
    );
    assert_eq!(
        count("instances"),
        count("reproduced") + count("unresolved"),
        "{finished}"
    );
}

#[test]
fn doubled_parentheses_may_hold_anything() {
    let finished = generalize([
        "--strategy",
        "perses",
        "--grammar",
        "grammars/expressions.json",
        "measures_depth",
    ]);
    finished
        .to(["\"((4))\""])
        .pattern("expressions.json", "((<expr>))")
        .at_least(0.98);
}
