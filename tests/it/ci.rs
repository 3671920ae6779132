//! What build servers need: reports, several tests in one run, and those that have failed before.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::project::Project;

/// A report as nextest writes it.
const NEXTEST: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="nextest-run" tests="3" failures="1" errors="0">
    <testsuite name="regressions::middle" tests="3" failures="1" errors="0">
        <testcase name="of_a_sentence" classname="regressions::middle" time="0.004"></testcase>
        <testcase name="of_umlauts" classname="regressions::middle" time="0.004">
            <failure message="it panicked" type="test failure">thread 'of_umlauts' panicked</failure>
        </testcase>
    </testsuite>
</testsuites>
"#;

#[test]
fn a_workflow_gets_annotations_and_a_summary_of_what_a_report_says_has_failed() {
    let project = Project::fixture("regressions");
    let report = project.root().join("target/junit.xml");
    fs::create_dir(project.root().join("target")).unwrap();
    fs::write(&report, NEXTEST).unwrap();
    let summary = project.root().join("target/summary.md");
    let run = project.reduce(["--from-junit", "target/junit.xml", "--message-format", "github"]);
    let run = run.env("GITHUB_STEP_SUMMARY", &summary);
    let finished = run.env("GITHUB_WORKSPACE", project.root().parent().unwrap()).for_people().run();
    finished.code(0);
    let folder = project.root().file_name().unwrap().to_str().unwrap().to_owned();
    let start = format!(
        "::error file={folder}/src/lib.rs,line=5,col=10,title=of_umlauts fails with 1 element instead of 30::"
    );
    assert!(finished.stdout.starts_with(&start), "{finished}");
    assert!(finished.stderr.contains("Finished reduced"), "{finished}");
    let summary = fs::read_to_string(summary).unwrap();
    for said in ["### of_umlauts fails with 1 element", "fn reduced_of_umlauts() {"] {
        assert!(summary.contains(said), "{summary}");
    }
}

#[test]
fn all_failing_tests_are_reduced_though_one_cannot_be() {
    let finished = Project::fixture("regressions").reduce(["--all", "--max-time", "60"]).run();
    finished.code(1).says("in_halves was not reduced: nothing to reduce in `in_halves`");
    let statuses: Vec<_> =
        finished.events("summary").map(|summary| summary["status"].clone()).collect();
    assert_eq!(statuses, ["error", "reduced"], "{finished}");
}

#[test]
fn machines_share_the_tests_that_fail() {
    let project = Project::fixture("regressions");
    let shard = |shard| project.reduce(["--all", "--list", "--shard", shard]).run();
    let second = shard("2/2");
    second.code(0).says("1 of 2 failing tests (shard 2/2)");
    let lines: Vec<_> = second.events("input").map(|input| input["line"].clone()).collect();
    assert_eq!(lines, [10], "{second}");
    let third = shard("3/3");
    third.code(0).says("0 of 2 failing tests (shard 3/3)");
    assert_eq!(third.events("input").count(), 0, "{third}");
    shard("0/2").code(2).says("shards are numbered from 1");
    project.reduce(["--shard", "1/2", "of_umlauts"]).for_people().run().code(2);
}

#[test]
fn a_report_without_failures_or_of_other_tests_is_told_so() {
    let project = Project::fixture("regressions");
    let folder = project.root().join("target");
    fs::create_dir(&folder).unwrap();
    for (report, status, message) in [
        ("<testsuites/>".to_owned(), "not-failing", "lists no failed test"),
        ("<testsuites".to_owned(), "error", "is not a JUnit report"),
        (NEXTEST.replace("of_umlauts", "gone"), "error", "none of the failed tests in"),
    ] {
        fs::write(folder.join("junit.xml"), report).unwrap();
        let finished = project.reduce(["--from-junit", "target/junit.xml"]).run();
        finished.error(status, message, []);
    }
}

fn git(folder: &Path, args: &[&str]) {
    let identity = ["-c", "user.name=a", "-c", "user.email=a@b.invalid"];
    let output =
        Command::new("git").args(identity).args(args).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn tests_that_failed_before_are_left_alone() {
    let project = Project::fixture("regressions");
    let root = project.root();
    let source = root.join("src/lib.rs");
    let broken = fs::read_to_string(&source).unwrap();
    let mended =
        broken.replace("&text[1..text.len() - 1]", "text.trim_matches(['ö', 'ü', 'a', 'e'])");
    fs::write(&source, mended).unwrap();
    fs::write(root.join(".gitignore"), "target\n").unwrap();
    git(&root, &["init", "-q"]);
    git(&root, &["add", "-A"]);
    git(&root, &["commit", "-q", "-m", "Good"]);
    fs::write(&source, broken).unwrap();
    let listed = project.reduce(["--all", "--since", "HEAD", "--list"]).run();
    listed.code(0);
    let inputs: Vec<_> = listed.events("input").map(|input| input["line"].clone()).collect();
    assert_eq!(inputs, [10], "{listed}");
    let finished = project.reduce(["--since", "HEAD", "in_halves"]).run();
    finished.error("not-failing", "none of the failing tests passes in revision `HEAD`", []);
    let finished = project.reduce(["--since", "nowhere", "of_umlauts"]).run();
    finished.error("error", "cannot use revision `nowhere`", []);
    let left: Vec<_> = fs::read_dir(root.join("target")).unwrap().map(Result::unwrap).collect();
    let is_of_ours = |name: &str| name.starts_with("reduce-since-");
    assert!(!left.iter().any(|entry| is_of_ours(entry.file_name().to_str().unwrap())), "{left:?}");
}
