//! Help, options that are set elsewhere, and what is said of a command line that asks for what there is not.

use std::fs;

use super::project::Project;

#[test]
fn help_is_shown_to_those_who_ask_for_it_as_for_a_command() {
    let project = Project::empty();
    let help = |word| project.reduce([word]).for_people().run();
    let asked = help("help");
    asked.code(0);
    assert_eq!(asked.stdout, help("--help").stdout);
}

#[test]
fn two_words_get_the_command_that_may_be_meant() {
    let project = Project::empty();
    for (words, meant) in [
        (["code", "my_test"], "did you mean `cargo reduce --code my_test`?"),
        (["test", "my_test"], "did you mean `cargo reduce my_test`?"),
        (["cdoe", "my_test"], "did you mean `cargo reduce --code my_test`?"),
        (["help", "code"], "`cargo reduce --help` explains all options"),
        (["my_test", "other"], "give one test, or use `--all` to reduce each failing test"),
    ] {
        let finished = project.reduce(words).for_people().run();
        finished.code(2).says(meant);
        assert!(!finished.stderr.contains("candidates"), "{finished}");
    }
}

#[test]
fn options_that_do_not_go_together_are_explained() {
    let project = Project::empty();
    let finished = project.reduce_with(&["--code", "--ice", "a.rs"]).for_people().run();
    finished
        .code(2)
        .says("tip: --code: Reduce the code that the test runs, instead of its inputs")
        .says("tip: --ice: Reduce FILE, or the package, while the compiler crashes");
}

#[test]
fn a_word_that_is_no_test_may_be_an_option() {
    let finished = Project::fixture("passing").reduce(["guide"]).for_people().run();
    finished.error("error", "no test matches `guide`", ["cargo reduce --guide"]);
}

#[test]
fn a_file_is_no_test() {
    let finished = Project::fixture("passing").reduce(["src/lib.rs"]).for_people().run();
    let hints = ["cargo reduce --ice src/lib.rs", "cargo reduce --oracle COMMAND src/lib.rs"];
    finished.error("error", "no test matches `src/lib.rs`", hints);
    assert!(!finished.stderr.contains("candidates"), "{finished}");
}

#[test]
fn a_test_of_another_package_is_named_with_the_options_that_lead_there() {
    let project = Project::fixture("workspace").package("crates/core");
    let finished = project.reduce(["--code", "quoted_arguments"]).run();
    let command = "cargo reduce --code -p fixture-app --test commands quoted_arguments";
    finished.error("error", "no test matches", [command]);
}

#[test]
fn a_test_behind_a_feature_is_named_with_the_feature() {
    let project = Project::fixture("passing");
    let root = project.root();
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    fs::write(root.join("Cargo.toml"), manifest + "[features]\nextra = []\n").unwrap();
    let gated = "#![cfg(feature = \"extra\")]\n#[test]\nfn behind_a_feature() { panic!() }\n";
    fs::write(root.join("tests/gated.rs"), gated).unwrap();
    let finished = project.reduce(["behind_a_feature"]).run();
    let command = "cargo reduce -p passing --test gated --features extra behind_a_feature";
    finished.error("error", "no test matches", [command]);
}

#[test]
fn options_are_set_in_manifests_and_by_variables() {
    let project = Project::fixture("workspace").package("crates/app");
    for (manifest, table) in [
        (project.root().join("../../Cargo.toml"), "workspace.metadata.reduce"),
        (project.root().join("Cargo.toml"), "package.metadata.reduce"),
    ] {
        let text = fs::read_to_string(&manifest).unwrap();
        let set = format!("{text}\n[{table}]\nmax-candidates = 7\nfeatures = [\"strict\"]\n");
        fs::write(&manifest, set).unwrap();
    }
    let shown = project.reduce(["--show-config", "--runs", "2"]).env("CARGO_REDUCE_MEMORY", "99");
    let shown = shown.run();
    shown.code(0);
    for (key, origin) in [
        ("max-candidates = 7", "[package.metadata.reduce] in "),
        ("memory = 99", "CARGO_REDUCE_MEMORY"),
        ("runs = 2", "command line"),
    ] {
        let mut lines = shown.stdout.lines();
        assert!(lines.any(|line| line.contains(key) && line.contains(origin)), "{shown}");
    }
    // It only fails with the feature.
    let finished = project.reduce(["only_with_a_feature"]).run();
    assert_eq!(finished.reduced().asked(), 7, "{finished}");
}

#[test]
fn what_is_set_and_is_no_option_is_wrong_usage() {
    let project = Project::fixture("passing");
    let manifest = project.root().join("Cargo.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text + "[package.metadata.reduce]\nmax_time = 3\n").unwrap();
    let finished = project.reduce(["counts_vowels"]).run();
    finished.code(2).says("`max_time` of [package.metadata.reduce] in ").says("`max-time`");
}

#[test]
fn options_that_say_something_of_a_test_are_refused_for_files() {
    let project = Project::empty();
    for args in [
        &["--ice", "--list", "crash.rs"][..],
        &["--ice", "--tier", "rebuild", "crash.rs"],
        &["--oracle", "true", "--features", "x", "file"],
        &["--oracle", "true", "--write", "file"],
    ] {
        project.reduce_with(args).for_people().run().code(2).says("cannot be used with");
    }
    let finished = project.reduce(["--ice", "--features", "x", "crash.rs"]).for_people().run();
    finished
        .code(2)
        .says("`--features` has no effect on a single file")
        .says("pass flags to rustc after `--`");
}

#[test]
fn shells_and_man_are_told_of_the_options() {
    let project = Project::empty();
    for (shell, command) in [
        ("bash", "complete -F _cargo__reduce"),
        ("zsh", "#compdef cargo-reduce"),
        ("fish", "complete -c cargo "),
    ] {
        let finished = project.reduce(["--completions", shell]).for_people().run();
        let text = &finished.code(0).stdout;
        assert!(text.contains(command) && text.contains("generalize"), "{shell}: {text}");
    }
    let finished = project.reduce(["--man"]).for_people().run();
    let page = &finished.code(0).stdout;
    assert!(page.contains(".TH cargo-reduce 1") && page.contains("generalize"), "{page}");
}
