//! What is shown and what is written.

use std::fs;
use std::path::Path;
use std::time::Duration;

use super::project::Project;
use super::texts::holds;

#[test]
fn the_inputs_are_listed_and_nothing_is_run() {
    let finished = Project::fixture("strings").reduce(["--list", "byte_string"]).run();
    finished.code(0).kinds(["bytes"]).tier("in-process");
    let input = finished.events("input").next().unwrap();
    assert_eq!(input["file"], "tests/strings.rs");
    assert_eq!(input["line"], 28);
    assert_eq!(input["elements"], 23);
    assert_eq!(finished.events("reduced").count(), 0);
}

#[test]
fn the_printed_command_shows_the_failure_again() {
    let project = Project::fixture("release-notes");
    let finished = project.reduce(["-vv", "keeps_every_version"]).for_people().run();
    finished.code(0).says("        Step ").says("        Fail ").says("        Pass ");
    let replayed = finished.replay(&project.root());
    holds(&replayed, ["begin > end (1 > 0) when slicing", "src/inline.rs:51:24"]);
}

#[test]
fn the_regression_test_holds_only_what_is_needed_and_the_page_shows_why() {
    let project = Project::fixture("strings");
    let opened = tempfile::tempdir().unwrap();
    let browser = format!("cp -t {}", opened.path().display());
    let finished = project.reduce(["--open", "plain"]).env("BROWSER", &browser).run();
    // Nobody waits for a browser.
    let is_open = || opened.path().join("report.html").exists();
    let wait = || std::thread::sleep(Duration::from_millis(50));
    assert!(
        (0..200).any(|_| is_open() || {
            wait();
            false
        }),
        "{finished}"
    );
    let page = finished.left("report.html");
    let named = finished.summary()["artifacts"]["page"].as_str().map(Path::new).map(Path::to_owned);
    assert_eq!(named, Some(finished.package().join("report.html")));
    assert!(page.contains("<h1>plain</h1>") && page.contains("tabs are not supported"), "{page}");
    holds(&page, [r#"data-without="it fails in another way""#]);
    let test = finished.regression_test();
    holds(test, [r#"words("\t")"#]);
    assert!(test.contains("tabs are not supported"), "says what it shows: {test}");
    assert!(!test.contains("c_string"), "leaves other tests out: {test}");
}

#[test]
fn results_go_where_they_are_wanted() {
    let project = Project::fixture("strings");
    let folder = project.root().join("target/elsewhere");
    let finished = project.reduce(["--out", "target/elsewhere", "plain"]).run();
    finished.reduced();
    assert!(finished.package().starts_with(&folder), "{finished}");
}

#[test]
fn the_regression_test_is_written_into_the_tree_on_demand() {
    let project = Project::fixture("strings");
    let before = project.snapshot();
    let finished = project.reduce(["--write", "plain"]).run_and_write();
    finished.reduced();
    let after = project.snapshot();
    let new: Vec<_> = after.keys().filter(|path| !before.contains_key(*path)).collect();
    assert_eq!(new.len(), 1, "{new:?}");
    assert!(new[0].ends_with("tests/reduced_plain.rs"), "{new:?}");
    assert!(before.iter().all(|(path, content)| after.get(path) == Some(content)));
}

#[test]
fn a_second_run_finds_the_same() {
    let project = Project::fixture("strings");
    for _ in 0..2 {
        project.reduce(["plain"]).run().reduced().to([r#""\t""#]);
    }
}

#[test]
fn the_process_tier_finds_the_same() {
    let finished = Project::fixture("strings").reduce(["--tier", "process", "byte_string"]).run();
    finished.reduced().tier("process").to([r#"b"\x1b""#]);
}

#[test]
fn the_rebuild_tier_finds_the_same() {
    let finished = Project::fixture("tables").reduce(["--tier", "rebuild", "constant"]).run();
    finished.code(0).tier("rebuild").to([r#""""#]);
    assert_eq!(finished.summary()["status"], "reduced", "{finished}");
    finished.confirmed();
}

#[test]
fn a_list_without_a_type_is_emptied_in_the_rebuild_tier() {
    let project = Project::fixture("sequences");
    let finished = project.reduce(["--tier", "rebuild", "without_a_type"]).run();
    finished.code(0).to(["0", r#"["one"; 0]"#]);
}

#[test]
fn the_largest_passing_variant_is_found_on_demand() {
    let project = Project::fixture("sequences");
    let finished = project.reduce(["--maximize", "vector"]).run();
    finished.code(0);
    assert_eq!(finished.summary()["status"], "reduced");
    let difference = finished.events("difference").next().unwrap();
    let passing = difference["passing"].as_str().unwrap();
    let left_out = difference["difference"].as_str().unwrap();
    assert_eq!(passing, "vec![3, 7, 8, 15, 20, 22, 30, 41, 55, 60, 72, 80]");
    assert_eq!(left_out, "vec![21]");
    let page = finished.summary()["artifacts"]["page"].as_str().unwrap().to_owned();
    let page = std::fs::read_to_string(page).unwrap();
    let said =
        "without it, the failing input passes; with it, the passing input fails in the same way";
    assert!(
        page.contains(&format!("data-without=\"{said}\"><span class=\"number\">21</span>")),
        "{page}"
    );
    let shown = project.reduce(["--diff", "vector", "--fresh"]).for_people().run();
    shown.code(0).says("Finished found a passing and a failing input, confirmed");
}

#[test]
fn the_page_counts_as_the_text_does() {
    let finished = Project::fixture("release-notes").reduce(["keeps_every_version"]).run();
    let reduced = finished.events("reduced").next().unwrap();
    let summary = finished.summary();
    let page = summary["artifacts"]["page"].as_str().unwrap().to_owned();
    let page = std::fs::read_to_string(page).unwrap();
    let sizes = [&reduced["elements_before"], &reduced["elements_after"]];
    assert_eq!(sizes.map(|size| size.as_u64().unwrap()), [11_222, 11]);
    holds(&page, ["The size fell from 11,222 to 11 elements"]);
    let [run, known] = ["candidates", "cached"].map(|key| summary[key].as_u64().unwrap());
    assert!(page.contains(&format!(", {} candidates with repeats", run + known)), "{page}");
}

#[test]
fn no_difference_is_shown_of_what_has_no_elements() {
    let finished = Project::fixture("numbers").reduce(["--diff", "floats"]).run();
    finished.error("error", "no difference found", ["leave out `--diff`"]);
}

#[test]
fn a_limit_of_candidates_ends_the_search_with_the_best_so_far() {
    let project = Project::fixture("release-notes");
    let finished = project.reduce(["--max-candidates", "20", "keeps_every_version"]).run();
    finished.reduced();
    assert_eq!(finished.asked(), 20);
    let after = finished.events("reduced").next().unwrap()["elements_after"].as_u64().unwrap();
    assert!((12..11_222).contains(&after), "{finished}");
}

#[test]
fn nothing_is_called_minimal_that_a_limit_has_ended() {
    let project = Project::fixture("release-notes");
    std::fs::write(project.root().join("hay.txt"), "straw\nneedle\n").unwrap();
    for (subject, status) in [
        (&["keeps_every_version"][..], "limited"),
        // The other tests of its target are gone before any candidate is asked.
        (&["--code", "--contrast=none", "keeps_every_version"], "reduced"),
        (&["--oracle", "grep -q needle", "hay.txt"], "limited"),
    ] {
        let run = project.reduce_with(subject);
        let finished = run.args(["--max-candidates", "0"]).run();
        finished.code(0);
        assert_eq!(finished.summary()["status"], status, "{finished}");
    }
}

#[test]
fn an_interrupt_ends_the_search_with_the_best_so_far() {
    let project = Project::fixture("slow");
    let finished = project.reduce(["adds_up"]).interrupt_at("progress");
    finished.code(130);
    assert_eq!(finished.summary()["status"], "interrupted", "{finished}");
    finished.confirmed();
}

#[test]
fn an_interrupt_while_a_candidate_is_built_ends_the_search_with_the_best_so_far() {
    let project = Project::fixture("slow");
    for _ in 0..3 {
        let run = project.reduce(["adds_up", "--tier", "rebuild", "--fresh"]);
        let finished = run.interrupt_at("progress");
        finished.code(130);
        assert_eq!(finished.summary()["status"], "interrupted", "{finished}");
        // The first run has left a result, which one with nothing smaller does not replace.
        let is_left = finished.stderr.contains("the earlier result is still in");
        let confirmed = &finished.summary()["confirmed"];
        assert!(confirmed == true || is_left, "{finished}");
    }
}

#[test]
fn two_signals_at_once_are_one_interrupt() {
    let project = Project::fixture("slow");
    let finished = project.reduce(["adds_up"]).interrupt_twice_at("progress");
    finished.code(130);
    finished.confirmed();
}

#[test]
fn every_option_is_in_the_guide() {
    let guide = include_str!("../../docs/src/reference.md");
    let help = Project::empty().reduce(["--help"]).for_people().run();
    help.code(0);
    let options: Vec<&str> = help
        .stdout
        .split_whitespace()
        .filter(|word| word.starts_with("--") && word.len() > 2)
        .map(|word| word.trim_end_matches([',', '.', ':', '`', ';', ')']))
        .collect();
    assert!(options.len() > 20, "{options:?}");
    for option in options {
        assert!(guide.contains(option), "docs/src/reference.md lacks `{option}`");
    }
}

#[test]
fn the_short_help_fits_a_screen_and_leads_to_the_long_one() {
    let project = Project::empty();
    let help = |option| project.reduce([option]).for_people().env("COLUMNS", "80").run().stdout;
    let (short, long) = (help("-h"), help("--help"));
    // The prompt has a line of the screen, too.
    assert!(short.lines().count() < 24, "{short}");
    assert!(short.lines().all(|line| line.len() <= 80), "{short}");
    holds(&short, ["--help: all options"]);
    let options = |text: &str| -> Vec<String> {
        let words = text.split_whitespace().filter(|word| word.starts_with("--"));
        words.map(|word| word.trim_end_matches([':', '.', ',', ';']).to_owned()).collect()
    };
    let all = options(&long);
    assert!(options(&short).len() * 2 < all.len(), "{short}");
    for option in options(&short) {
        assert!(all.contains(&option), "{option}");
    }
}

#[test]
fn exit_codes_are_in_the_guide() {
    let guide = include_str!("../../docs/src/reference.md");
    for code in ["| 0 |", "| 1 |", "| 2 |", "| 3 |", "| 101 |", "| 130 |"] {
        assert!(guide.contains(code), "docs/src/reference.md lacks the exit code {code}");
    }
}

#[test]
fn the_version_has_its_place_in_the_changelog() {
    let changelog = include_str!("../../CHANGELOG.md");
    assert!(changelog.contains("## [Unreleased]"));
    let finished = Project::empty().reduce(["--version"]).for_people().run();
    finished.code(0);
    assert!(finished.stdout.contains(env!("CARGO_PKG_VERSION")), "{finished}");
}

/// The files in a folder for results, but for those below its target directory.
fn files(folder: &Path) -> Vec<String> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        if !entry.path().is_dir() {
            files.push(name);
        } else if name != "target" {
            let inner = self::files(&entry.path());
            files.extend(inner.into_iter().map(|file| format!("{name}/{file}")));
        }
    }
    files.sort();
    files
}

#[test]
#[ignore = "takes long: `just slow`"]
fn what_an_earlier_result_has_left_goes_and_what_is_the_users_stays() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    fs::write(folder.path().join("notes.txt"), "mine").unwrap();
    let numbers = Project::fixture("numbers");
    for (test, other) in [("negative", "floats"), ("floats", "negative")] {
        numbers.reduce(["--out", out, test]).run().code(0);
        let files = files(folder.path());
        let has = |name: &str| files.contains(&format!("tests/reduced_{name}.rs"));
        assert!(has(test) && !has(other), "{files:?}");
    }
    let hidden = Project::fixture("hidden");
    let args = ["--code", "--contrast=none", "--max-candidates", "1", "--out", out];
    hidden.reduce(args).args(["--keep-layout"]).run().code(0);
    assert!(files(folder.path()).len() > 5, "{:?}", files(folder.path()));
    hidden.reduce(args).run().code(0);
    let expected =
        ["Cargo.lock", "Cargo.toml", "notes.txt", "report.html", "report.md", "src/lib.rs"];
    assert_eq!(files(folder.path()), expected);
}
