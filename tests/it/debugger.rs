//! The regression test in a debugger, for which a script stands in.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::project::Project;

/// Says what it was called with, and tries to write beside the user's sources.
const SCRIPT: &str =
    "#!/bin/sh\necho \"watching $*\"\ntouch PLACE/escaped && echo escaped\nshift\nexec \"$@\"\n";

/// The command that starts the script.
fn debugger(project: &Project) -> String {
    let folder = project.root().join("target");
    fs::create_dir(&folder).unwrap();
    let script = folder.join("debugger.sh");
    fs::write(&script, SCRIPT.replace("PLACE", project.root().to_str().unwrap())).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    format!("{} --args", script.display())
}

#[test]
#[ignore = "takes long: `just slow`"]
fn a_debugger_is_started_on_the_test_of_reduced_code() {
    let project = Project::fixture("two-unwraps");
    let finished = project.code(["--debug"]).env("CARGO_REDUCE_DEBUGGER", debugger(&project)).run();
    finished.code(0).confirmed();
    finished.says("watching --args /").says(" --exact --nocapture").says("panicked at");
    assert_eq!(finished.summary()["artifacts"]["debug"]["build"][0], "test", "{finished}");
}

#[test]
fn a_debugger_is_started_on_the_regression_test_in_the_sandbox() {
    let project = Project::fixture("strings");
    let run = project.reduce(["--debug", "plain"]);
    let finished = run.env("CARGO_REDUCE_DEBUGGER", debugger(&project)).run();
    finished.reduced();
    finished.says("watching --args /").says(" reduced_plain --exact --nocapture");
    finished.says("tabs are not supported");
    let debug = &finished.summary()["artifacts"]["debug"];
    assert_eq!(debug["arguments"][0], "reduced_plain", "{finished}");
    assert_eq!(debug["build"][0], "test", "{finished}");
    assert!(!finished.stderr.contains("escaped\n"), "{finished}");
}

#[test]
fn an_editor_gets_a_configuration_that_builds_the_regression_test() {
    let finished = Project::fixture("strings").reduce(["--editor", "plain"]).for_people().run();
    finished.code(0);
    let launch: serde_json::Value = serde_json::from_str(&finished.stdout).unwrap();
    let configuration = &launch["configurations"][0];
    assert_eq!(configuration["args"][0], "reduced_plain", "{finished}");
    assert_eq!(configuration["cargo"]["args"][0], "test", "{finished}");
}

#[test]
fn where_nothing_may_be_watched_no_debugger_is_started() {
    let project = Project::fixture("strings");
    let run = project.reduce(["--debug", "plain"]).without_user_namespaces();
    let finished = run.run();
    finished.code(1).says("no debugger can run here").says("--test reduced_plain");
}
