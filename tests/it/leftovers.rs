//! What candidates leave behind in a process, or do to it, misleads nobody.

use super::project::Project;

#[test]
fn a_failure_that_hides_the_next_one_is_run_in_fresh_processes() {
    let finished = Project::fixture("poisoned").reduce(["is_posted"]).run();
    finished
        .reduced()
        .tier("process")
        .fails_with("panic", "a line has no tabs")
        .to([r#""\t""#]);
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
