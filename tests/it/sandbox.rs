//! What the sandbox gives to tests, what the user can open, and what is said where it is in the way.

#![cfg(target_os = "linux")]

use super::finished::Finished;
use super::project::Project;

/// The text that the failure needs, as JSON has it.
const X: &str = r#""text":"\"x\"""#;

/// Checks that the failure was reduced to that text.
fn reduced_to_x(finished: &Finished) {
    finished.reduced();
    assert!(finished.stdout.contains(X), "{finished}");
}

#[test]
fn the_loopback_the_home_and_shared_memory_are_private_and_there() {
    let project = Project::fixture("needs-world");
    for test in ["asks_a_server_on_the_loopback", "writes_to_its_home_and_to_shared_memory"] {
        let finished = project.reduce([test]).run();
        reduced_to_x(&finished);
    }
}

#[test]
fn strict_mode_has_no_loopback_unless_it_is_allowed() {
    let project = Project::fixture("needs-world");
    let strict = ["asks_a_server_on_the_loopback", "--sandbox", "strict"];
    let refused = project.reduce(strict).run();
    refused.error(
        "not-reproduced",
        "the sandbox denies something that the test needs",
        ["--allow loopback"],
    );
    let allowed = project.reduce(strict).args(["--allow", "loopback"]).run();
    reduced_to_x(&allowed);
}

#[test]
fn a_folder_that_a_test_needs_is_asked_for_and_can_be_allowed() {
    let project = Project::fixture("needs-world");
    let refused = project.reduce(["writes_where_nobody_else_does"]).run();
    let why = "the sandbox denies something that the test needs";
    refused.error("not-reproduced", why, ["--allow PATH", "--sandbox off"]);
    for opened in [["--allow", "/var/tmp"], ["--sandbox", "off"]] {
        let run = project.reduce(["writes_where_nobody_else_does"]).args(opened);
        reduced_to_x(&run.run());
    }
    let wrong = project.reduce(["writes", "--allow", "/no/such"]).run();
    wrong.code(2).says("no such file or folder");
}

#[test]
fn a_variable_that_a_test_needs_can_be_handed_on() {
    let project = Project::fixture("needs-world");
    let run = |more: &[&str]| {
        let args = [&["needs_a_variable"], more].concat();
        project.reduce_with(&args).env("NEEDS_WORLD_KIND", "all").run()
    };
    run(&[]).error("not-reproduced", "the sandbox denies", ["--env NAME"]);
    run(&["--env", "NEEDS_WORLD_KIND"]).reduced();
}

#[test]
fn without_user_namespaces_it_is_said_once_what_is_not_enforced_and_strict_mode_stops() {
    let project = Project::fixture("needs-world");
    let test = "writes_to_its_home_and_to_shared_memory";
    let finished = project.reduce([test, "--sandbox", "strict"]).without_user_namespaces().run();
    finished.error(
        "error",
        "no sandbox is available on this system",
        ["needs Linux user namespaces"],
    );
    let refused = project.reduce([test]).without_user_namespaces().run();
    refused.error("not-reproduced", "the sandbox denies", ["--allow home"]);
    let sandbox = refused.events("sandbox").next().unwrap();
    assert!(
        sandbox["gaps"].as_str().unwrap().contains("user namespaces are not available"),
        "{refused}"
    );
}

#[test]
fn pipes_and_sockets_in_the_project_are_left_alone() {
    let project = Project::fixture("slow");
    let root = project.root();
    let _listener = std::os::unix::net::UnixListener::bind(root.join("socket")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(root.join("tests/pipe")).status();
    assert!(made.unwrap().success());
    project.reduce(["adds_up"]).run().reduced();
    // Without user namespaces, what a run changes is put back by hand.
    let run = project.reduce(["adds_up", "--fresh"]);
    run.without_user_namespaces().run().reduced();
    let code = project.code(["adds_up", "--max-time", "5"]);
    let code = code.run();
    assert_eq!(code.summary()["confirmed"], true, "{code}");
}

#[test]
#[ignore = "takes long: `just slow`"]
fn a_wrapper_of_the_compiler_that_the_sandbox_would_stop_is_left_out() {
    use std::os::unix::fs::PermissionsExt;
    let project = Project::fixture("slow");
    let outside = tempfile::tempdir().unwrap();
    let (wrapper, log) = (outside.path().join("wrapper"), outside.path().join("log"));
    // As one that cannot work without its server.
    let script = format!("#!/bin/sh\necho called >> {} && exec \"$@\"\n", log.display());
    std::fs::write(&wrapper, script).unwrap();
    std::fs::set_permissions(&wrapper, PermissionsExt::from_mode(0o755)).unwrap();
    for more in [&[][..], &["--code", "--max-time", "5"]] {
        let args = [&["adds_up"], more].concat();
        let run = project.reduce_with(&args).env("RUSTC_WRAPPER", &wrapper);
        let finished = run.run();
        finished.confirmed();
    }
    assert!(log.exists(), "the user's own build has it");
}
