//! `--ice`, with a script that stands in for a compiler that crashes, and with a real one that is made to.

use super::finished::Finished;
use super::project::Project;
use super::texts::holds;

/// Runs `cargo reduce --ice input.rs ARGS` with the compiler of the fixture.
fn reduce<const N: usize>(args: [&str; N]) -> (Project, Finished) {
    reduce_file("input.rs", args)
}

fn reduce_file<const N: usize>(file: &str, args: [&str; N]) -> (Project, Finished) {
    let project = Project::fixture("crashes");
    let rustc = project.root().join("rustc");
    let run = project.reduce(["--ice", file]).args(args);
    let finished = run.env("RUSTC", rustc).run();
    (project, finished)
}

/// What is kept of `input.rs`, without the comment above it.
fn kept(project: &Project, name: &str) -> String {
    kept_in(project, "input", name)
}

fn kept_in(project: &Project, folder: &str, name: &str) -> String {
    let path = project.root().join("target/reduce").join(folder).join(name);
    let text = std::fs::read_to_string(path).unwrap();
    let code = text.lines().filter(|line| !line.starts_with("//"));
    code.collect::<Vec<_>>().join("\n").trim().to_owned()
}

#[test]
fn only_what_the_crash_needs_is_left() {
    let (project, finished) = reduce([]);
    finished.code(0);
    assert_eq!(finished.summary()["status"], "reduced", "{finished}");
    finished.confirmed();
    assert_eq!(finished.summary()["signature"]["kind"], "ice", "{finished}");
    assert_eq!(kept(&project, "input.rs"), "needle");
    let candidates = finished.summary()["candidates"].as_u64().unwrap();
    assert!(candidates <= 40, "{candidates}");
}

#[test]
fn a_real_compiler_crashes_where_errors_are_bugs() {
    let project = Project::fixture("crashes");
    let run = project.reduce(["--ice", "mistaken.rs"]);
    let run = run.handing_on(["-Ztreat-err-as-bug"]);
    let finished = run.env("RUSTC_BOOTSTRAP", "1").run();
    finished.code(0);
    let summary = finished.summary();
    assert_eq!(summary["status"], "reduced", "{finished}");
    assert_eq!(summary["confirmed"], true, "{finished}");
    assert_eq!(summary["signature"]["kind"], "ice", "{finished}");
    let location = summary["signature"]["location"].as_str().unwrap();
    assert!(location.starts_with("compiler/"), "{finished}");
    // One function with one value of a wrong type is all it takes.
    let kept = kept_in(&project, "mistaken", "mistaken.rs");
    assert!(kept.len() < 50 && !kept.contains("shapes"), "{kept}");
    let page = kept_in(&project, "mistaken", "report.html");
    holds(&page, [r#"data-without="the compiler does not crash""#]);
}

#[test]
fn the_result_says_how_to_see_the_crash_and_the_report_is_ready_to_paste() {
    let (project, _) = reduce([]);
    let folder = project.root().join("target/reduce/input");
    let result = std::fs::read_to_string(folder.join("input.rs")).unwrap();
    assert!(
        result.starts_with("// rustc --edition=2024 input.rs\n// rustc 1.0.0-fixture\n"),
        "{result}"
    );
    let report = std::fs::read_to_string(folder.join("report.md")).unwrap();
    for part in ["```rust\nneedle", "host: x86_64", "#0 [typeck]"] {
        assert!(report.contains(part), "{part}: {report}");
    }
}

#[test]
fn markdown_is_all_that_is_printed_when_it_is_asked_for() {
    let project = Project::fixture("crashes");
    let rustc = project.root().join("rustc");
    let run = project.reduce(["--ice", "--markdown", "input.rs"]);
    let finished = run.for_people().env("RUSTC", rustc).run();
    assert!(finished.stdout.starts_with("### Code"), "{finished}");
    assert!(!finished.stdout.contains("bytes"), "{finished}");
}

#[test]
fn another_crash_on_the_way_is_told_and_kept() {
    let (project, finished) = reduce([]);
    let others: Vec<_> = finished.events("other-failure").collect();
    assert_eq!(others.len(), 1, "{finished}");
    let message = others[0]["signature"]["message"].as_str().unwrap();
    holds(message, ["thistle"]);
    assert!(kept(&project, "other-crash-1.rs").contains("thistle"));
}

#[test]
fn errors_can_be_forbidden() {
    let (_, finished) = reduce_file("broken.rs", ["--errors", "forbid"]);
    finished.error("not-failing", "errors besides the crash", ["--errors allow"]);
    for rule in ["keep", "allow"] {
        let (_, finished) = reduce_file("broken.rs", ["--errors", rule]);
        finished.code(0);
    }
}

#[test]
fn other_toolchains_have_a_say() {
    let (_, finished) = reduce(["--must-compile", "+fixed", "--also-crash", "older"]);
    finished.code(0);
    finished.confirmed();
    let (_, finished) = reduce(["--also-crash", "+fixed"]);
    finished.error("not-failing", "toolchain `fixed` does not crash", []);
    let (_, finished) = reduce(["--must-not-crash", "+older"]);
    finished.error("not-failing", "toolchain `older` crashes too", []);
}

#[test]
fn a_crash_that_comes_and_goes_needs_runs() {
    let (project, finished) = reduce(["--toolchain", "moody", "--runs", "2"]);
    finished.code(0);
    assert_eq!(kept(&project, "input.rs"), "needle");
}

#[test]
fn a_source_that_does_not_crash_is_told_so() {
    let (_, finished) = reduce(["--toolchain", "fixed"]);
    finished.error("not-failing", "the compiler does not crash", ["after `--`"]);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn a_compilation_that_does_not_end_is_a_crash() {
    let (_, finished) = reduce_file("endless.rs", ["--timeout", "1"]);
    finished.code(0);
    let summary = finished.summary();
    assert_eq!(summary["signature"]["kind"], "timeout", "{finished}");
    assert_eq!(summary["confirmed"], true, "{finished}");
}

#[test]
fn the_time_of_the_job_counts_from_the_first_call_of_the_compiler() {
    let (_, finished) = reduce_file("endless.rs", ["--max-time", "1"]);
    finished.error("error", "`--max-time` (1s) ran out", ["a multiple"]);
}

#[test]
fn crashes_that_are_no_panics_have_kinds_of_their_own() {
    for (word, kind, message) in
        [("lava", "ice", "LLVM ERROR"), ("flood", "ice", ""), ("abyss", "signal", "SIGSEGV")]
    {
        let project = Project::fixture("crashes");
        let text = format!("fn hay() {{}}\nfn {word}() {{}}\nfn straw() {{}}\n");
        std::fs::write(project.root().join("input.rs"), text).unwrap();
        let run = project.reduce(["--ice", "input.rs"]);
        let finished = run.env("RUSTC", project.root().join("rustc")).run();
        finished.code(0);
        assert_eq!(kept(&project, "input.rs"), word);
        let signature = &finished.summary()["signature"];
        assert_eq!(signature["kind"], kind, "{finished}");
        let shown = signature["message"].as_str().unwrap();
        assert!(shown.contains(message), "{finished}");
    }
}

#[test]
fn the_files_of_modules_become_a_part_of_the_root() {
    let (project, finished) = reduce_file("modules.rs", []);
    finished.code(0);
    assert_eq!(kept_in(&project, "modules", "modules.rs"), "needle");
    assert!(!project.root().join("target/reduce/modules/part.rs").exists());
}

#[test]
fn a_macro_in_the_way_is_expanded_if_that_is_shorter() {
    let (project, finished) = reduce_file("concealed.rs", []);
    finished.code(0);
    finished.confirmed();
    assert_eq!(kept_in(&project, "concealed", "concealed.rs"), "needle");
}

#[test]
fn what_is_not_a_file_or_no_toolchain_is_told_so() {
    let (_, finished) = reduce_file(".", []);
    finished.error("error", "`.` is a folder", ["without FILE"]);
    let (_, finished) = reduce(["--toolchain", "absent"]);
    let message = "cannot use toolchain `absent`: error: toolchain 'absent' is not installed";
    finished.error("error", message, []);
}

#[test]
fn what_is_known_from_an_earlier_run_is_not_compiled_again() {
    let (project, first) = reduce([]);
    let candidates = |finished: &Finished| finished.summary()["candidates"].as_u64().unwrap();
    assert!(candidates(&first) > 5, "{first}");
    let again = |how: &str| {
        let run = project.reduce(["--ice", "input.rs", how]);
        run.env("RUSTC", project.root().join("rustc")).run()
    };
    let second = again("--verbose");
    assert_eq!(candidates(&second), 0, "{second}");
    assert_eq!(kept(&project, "input.rs"), "needle");
    assert_eq!(candidates(&again("--fresh")), candidates(&first));
}

#[test]
fn where_nothing_goes_in_time_the_source_stays_as_it_was() {
    let project = Project::fixture("crashes");
    let text = "fn needle(){[[[[[[1]]]]]]}fn main(){needle()}";
    std::fs::write(project.root().join("input.rs"), text).unwrap();
    let run = project.reduce(["--ice", "--max-candidates", "0", "input.rs"]);
    let finished = run.env("RUSTC", project.root().join("rustc")).run();
    finished.code(0).says("before anything could be removed");
    let path = project.root().join("target/reduce/input/input.rs");
    assert_eq!(std::fs::read_to_string(path).unwrap(), text, "{finished}");
    let file = finished.events("file").next().unwrap();
    assert_eq!(file["bytes_after"], file["bytes_before"], "{finished}");
}
