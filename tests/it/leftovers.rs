//! What candidates leave behind in a process, or do to it, misleads nobody.

use super::project::Project;

#[test]
fn a_failure_that_hides_the_next_one_is_run_in_fresh_processes() {
    let finished = Project::fixture("poisoned").reduce(["is_posted"]).run();
    finished.reduced().tier("process").fails_with("panic", "a line has no tabs").to([r#""\t""#]);
}

#[test]
fn candidates_that_pass_for_what_others_left_behind_are_run_again() {
    let finished = Project::fixture("poisoned").reduce(["has_columns"]).run();
    finished
        .reduced()
        .tier("in-process")
        .fails_with("panic", "there are too many rows with columns")
        .to([r#"&["|", "|", "|", "|"]"#]);
}

fn rude(test: &str, reduced: &str) {
    let finished = Project::fixture("rude").reduce([test]).run();
    finished.reduced().tier("in-process").to([reduced]);
}

#[test]
fn a_candidate_may_exit_with_any_status() {
    rude("leaves", r#""please\t""#);
    rude("finishes", r#""please\t""#);
}

#[cfg(target_os = "linux")]
#[test]
fn a_candidate_may_close_all_descriptors() {
    rude("closes", r#""please\t""#);
}

#[cfg(target_os = "linux")]
#[test]
fn a_candidate_that_writes_to_all_descriptors_is_judged_in_a_process_of_its_own() {
    rude("shouts", r#""\t""#);
}

#[cfg(unix)]
#[test]
fn what_a_killed_run_leaves_goes_with_the_next_one_which_ends_as_the_one_before() {
    let project = Project::fixture("slow");
    let temporary = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| {
        let args = [&["adds_up"], args].concat();
        project.reduce_with(&args).env("TMPDIR", temporary.path().to_str().unwrap())
    };
    let left = || {
        let entries = temporary.path().read_dir().unwrap().flatten();
        entries.map(|entry| entry.path()).collect::<Vec<_>>()
    };
    let first = run(&[]).run();
    let written = first.reduced().summary()["artifacts"]["regression_test"].clone();
    let before = std::fs::read_to_string(written.as_str().unwrap()).unwrap();
    for event in ["failure", "input", "progress"] {
        run(&["--fresh"]).kill_at(event);
        assert_eq!(left().len(), 1, "{:?}", left());
    }
    let again = run(&[]).run();
    again.reduced();
    let after = std::fs::read_to_string(written.as_str().unwrap()).unwrap();
    assert_eq!(after, before);
    assert!(left().is_empty(), "{:?}", left());
}
