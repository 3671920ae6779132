//! Tests of what is set beside the command line.

use serde_json::json;

use super::args::{Cli, Parsed};
use super::named_settings::Tables;
use super::settings::Settings;
use crate::app::failure::Result;
use crate::project::ManifestTable;

fn table(name: &str, content: serde_json::Value) -> ManifestTable {
    let manifest_path = format!("/{name}/Cargo.toml").into();
    ManifestTable { name: format!("{name}.metadata.reduce"), manifest_path, content }
}

fn set(tables: &[ManifestTable], variables: &[(&str, &str)]) -> Result<Settings> {
    let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Settings::new(&Cli::grouped(), tables, variables)
}

fn parsed(settings: &Settings, line: &str) -> Parsed {
    let words: Vec<_> = line.split_whitespace().map(Into::into).collect();
    let command = Cli::grouped();
    let given = Parsed::new(&words, &Settings::default()).unwrap();
    let beside = settings.clone().beside(&command, &given.matches);
    Parsed::new(&words, &beside).unwrap()
}

fn cli(settings: &Settings, line: &str) -> Cli {
    parsed(settings, line).cli
}

#[test]
fn the_command_line_wins_over_variables_and_these_over_the_package_and_that_over_the_workspace() {
    let tables = [
        table("workspace", json!({"memory": 1, "runs": 1, "jobs": 1, "max-candidates": 1})),
        table("package", json!({"memory": 2, "runs": 2, "jobs": 2})),
    ];
    let variables = [("CARGO_REDUCE_MEMORY", "3"), ("CARGO_REDUCE_RUNS", "3"), ("PATH", "x")];
    let settings = set(&tables, &variables).unwrap();
    let cli = cli(&settings, "cargo-reduce --memory 4 x");
    assert_eq!(cli.control.memory, 4);
    assert_eq!(cli.control.runs, Some(3));
    assert_eq!(cli.cargo.jobs, Some(2));
    assert_eq!(cli.control.max_candidates, Some(1));
}

#[test]
fn settings_with_a_name_win_where_they_are_asked_for() {
    let tables = || {
        let ci = json!({"runs": 9, "settings": {"ci": {"memory": 5, "runs": 5}}});
        let other = json!({"memory": 2, "settings": {"other": {"memory": 7}}});
        vec![table("workspace", ci), table("package", other)]
    };
    for (chosen, memory, runs) in [(None, 2, 9), (Some("ci"), 5, 5), (Some("other"), 7, 9)] {
        let tables = Tables::new(tables(), chosen).unwrap();
        let cli = cli(&set(&tables.used, &[]).unwrap(), "cargo-reduce x");
        assert_eq!((cli.control.memory, cli.control.runs), (memory, Some(runs)), "{chosen:?}");
        assert_eq!(tables.unused.len(), if chosen.is_some() { 1 } else { 2 });
    }
    let failure = Tables::new(tables(), Some("CI")).unwrap_err();
    assert_eq!(failure.message, "no settings are named `CI`");
    assert_eq!(failure.hints, ["available: ci, other"]);
    let failure = Tables::new(vec![table("package", json!({"settings": "ci"}))], None);
    assert!(failure.unwrap_err().message.contains("must hold tables"));
}

#[test]
fn flags_counts_and_lists_can_be_set() {
    let content = json!({"strict": true, "verbose": 2, "also-pass": ["a", "b"], "test": "t"});
    let tables = [table("package", content)];
    let variables = [("CARGO_REDUCE_FEATURES", "a b"), ("CARGO_REDUCE_ALLOW", "loopback,home")];
    let cli = cli(&set(&tables, &variables).unwrap(), "cargo-reduce x");
    assert!(cli.output.strict);
    assert_eq!(cli.output.verbose, 2);
    assert_eq!(cli.code.also_pass, ["a", "b"]);
    assert_eq!(cli.cargo.test, ["t"]);
    assert_eq!(cli.cargo.features, ["a", "b"]);
    assert_eq!(cli.safety.allow, ["loopback", "home"]);
}

#[test]
fn a_variable_takes_back_what_a_manifest_sets() {
    let tables = [table("package", json!({"strict": true, "also-pass": ["a"]}))];
    let variables = [("CARGO_REDUCE_STRICT", "0"), ("CARGO_REDUCE_ALSO_PASS", "")];
    let cli = cli(&set(&tables, &variables).unwrap(), "cargo-reduce x");
    assert!(!cli.output.strict);
    assert_eq!(cli.code.also_pass, [""; 0]);
}

#[test]
fn the_command_line_takes_back_flags_that_are_set() {
    let tables = [table("package", json!({"strict": true, "verbose": 2, "all-features": true}))];
    let settings = set(&tables, &[]).unwrap();
    let line = "cargo-reduce --no-strict --no-verbose --no-all-features x";
    let undone = cli(&settings, line);
    assert!(!undone.output.strict && !undone.cargo.all_features);
    assert_eq!(undone.output.verbose, 0);
    assert!(cli(&settings, "cargo-reduce --no-strict --strict x").output.strict);
    assert!(!cli(&settings, "cargo-reduce --strict --no-strict x").output.strict);
    let parsed = parsed(&settings, "cargo-reduce --no-strict x");
    let shown = settings.show(&Cli::grouped(), &parsed.matches);
    let strict = shown.lines().find(|line| line.starts_with("strict")).unwrap();
    assert!(
        strict.starts_with("strict = false ") && strict.ends_with("# command line"),
        "{strict}"
    );
    assert!(!shown.contains("no-strict"), "{shown}");
}

#[test]
fn what_is_set_asks_for_no_other_option_and_gives_way_to_those_it_excludes() {
    let tables = [table("package", json!({"contrast": "tests", "strategy": "hdd"}))];
    let settings = set(&tables, &[]).unwrap();
    assert!(cli(&settings, "cargo-reduce x").texts.strategy.is_some());
    assert!(cli(&settings, "cargo-reduce --diff x").texts.strategy.is_none());
}

#[test]
fn what_cannot_be_set_is_refused_with_what_to_do() {
    let refused = |key: &str, value: serde_json::Value| {
        let failure = set(&[table("package", json!({key: value}))], &[]).unwrap_err();
        assert!(failure.is_usage);
        format!("{}; {}", failure.message, failure.hints.join("; "))
    };
    for (key, value, message, hint) in [
        (
            "max_time",
            json!(1),
            "`max_time` of [package.metadata.reduce] in /package/Cargo.toml",
            "`max-time`",
        ),
        ("strickt", json!(true), "is not an option", "did you mean `strict`?"),
        ("write", json!(true), "belongs to a single run", "`cargo reduce --write`"),
        ("sandbox", json!("off"), "access to the machine", "CARGO_REDUCE_SANDBOX"),
        ("timeout", json!("soon"), "invalid value 'soon': expected a number of seconds", ""),
        ("tier", json!("fast"), "invalid value 'fast'", "possible values: in-process"),
        ("memory", json!([1, 2]), "expected one value", ""),
        ("memory", json!({"a": 1}), "expected a string", ""),
    ] {
        let said = refused(key, value);
        assert!(said.contains(message) && said.contains(hint), "{said}");
    }
    let failure = set(&[], &[("CARGO_REDUCE_MAXTIME", "1")]).unwrap_err();
    assert!(failure.message.contains("`CARGO_REDUCE_MAXTIME` is not an option"), "{failure}");
    assert!(failure.hints[0].contains("CARGO_REDUCE_MAX_TIME"), "{:?}", failure.hints);
    let failure = set(&[table("package", json!(3))], &[]).unwrap_err();
    assert!(failure.message.contains("is not a table"), "{failure}");
}

#[test]
fn all_that_is_set_is_shown_with_its_origin_as_toml() {
    let tables = [table("package", json!({"memory": 2, "also-pass": ["a", "b"]}))];
    let settings = set(&tables, &[("CARGO_REDUCE_MATCH", "any")]).unwrap();
    let parsed = parsed(&settings, "cargo-reduce --runs 4 x");
    let shown = settings.show(&Cli::grouped(), &parsed.matches);
    let line = |key: &str| shown.lines().find(|line| line.contains(&format!("{key} ="))).unwrap();
    let [start, origin] = [line("memory"), "# [package.metadata.reduce] in /package/Cargo.toml"];
    assert!(start.starts_with("memory = 2") && start.ends_with(origin), "{shown}");
    assert!(line("also-pass").starts_with("also-pass = [\"a\", \"b\"]"), "{shown}");
    assert!(line("match").ends_with("# CARGO_REDUCE_MATCH"), "{shown}");
    assert!(line("runs").ends_with("# command line"), "{shown}");
    assert!(line("strict").starts_with("strict = false") && line("strict").ends_with("# default"));
    assert_eq!(line("grammar"), "# grammar =");
    shown.parse::<toml_edit::DocumentMut>().unwrap();
}

#[test]
fn names_in_the_lists_of_what_cannot_be_set_are_options() {
    let mut command = Cli::grouped();
    command.build();
    let known: Vec<&str> = command.get_arguments().filter_map(clap::Arg::get_long).collect();
    for name in super::settings::PER_CALL.iter().chain(super::settings::OF_THE_USER) {
        assert!(known.contains(name), "there is no option `--{name}`");
    }
}
