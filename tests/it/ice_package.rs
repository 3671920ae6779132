//! `--ice` on a package, with a script that stands in for a compiler that crashes.

use super::project::Project;
use super::texts::{holds, lacks};

#[test]
fn the_crate_becomes_one_file_in_a_package_with_what_it_needs() {
    let project = Project::fixture("crashes-package");
    let run = project.reduce(["--ice", "--offline", "--out", "target/out"]);
    let finished = run.env("RUSTC", project.root().join("rustc")).run();
    finished.code(0);
    let summary = finished.summary();
    assert_eq!(summary["confirmed"], true, "{finished}");
    let folder = project.root().join("target/out");
    assert_eq!(summary["artifacts"]["package"], folder.to_str().unwrap());
    let source = std::fs::read_to_string(folder.join("src/lib.rs")).unwrap();
    assert!(source.ends_with("\n\nneedle\n"), "{source}");
    assert!(!folder.join("src/inner.rs").exists());
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    holds(&manifest, ["needed = { path = "]);
    for gone in ["spare", "straw"] {
        assert!(!manifest.contains(gone), "{manifest}");
    }
}

#[test]
fn a_crash_that_needs_flags_of_the_compiler_comes_with_arguments() {
    let project = Project::fixture("crashes-package");
    let script = project.root().join("rustc");
    let text = std::fs::read_to_string(&script).unwrap();
    let demanding = r#"case $* in *-Copt-level=s*) ;; *) needed= ;; esac; if [ "$needed" ]"#;
    let demanding = text.replace(r#"if [ "$needed" ]"#, demanding);
    assert_ne!(demanding, text);
    std::fs::write(&script, demanding).unwrap();
    let without = project.reduce(["--ice", "--offline"]).env("RUSTC", &script);
    without.run().error("not-failing", "does not crash", []);
    let run = project.reduce(["--ice", "--offline", "--lib", "--out", "target/out"]);
    let finished = run.handing_on(["-Copt-level=s"]).env("RUSTC", &script);
    let finished = finished.run();
    finished.code(0).says("cargo rustc");
    finished.confirmed();
    let source = std::fs::read_to_string(project.root().join("target/out/src/lib.rs")).unwrap();
    assert!(source.ends_with("\n\nneedle\n"), "{source}");
    assert!(project.root().join("target/out/Cargo.toml").exists());
}

#[test]
fn a_package_that_does_not_crash_is_told_so() {
    let finished = Project::fixture("passing").reduce(["--ice", "--ice-command", "build"]).run();
    finished.error("not-failing", "does not crash when you run `cargo build`", ["--ice-command"]);
}

#[test]
fn a_package_that_merely_does_not_build_is_told_so() {
    let finished = Project::fixture("broken").reduce(["--ice", "--ice-command", "test"]).run();
    finished.error("not-failing", "but the compiler does not crash", []);
}

#[test]
fn a_dependency_that_the_crash_needs_can_become_a_part_of_the_file() {
    let project = Project::fixture("crashes-package");
    let run = project.reduce(["--ice", "--inline-deps", "--offline", "--out", "target/out"]);
    let finished = run.env("RUSTC", project.root().join("rustc")).run();
    finished.code(0);
    finished.confirmed();
    let folder = project.root().join("target/out");
    let source = std::fs::read_to_string(folder.join("src/lib.rs")).unwrap();
    assert!(source.contains("needle") && source.contains("fn needed"), "{source}");
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    lacks(&manifest, ["needed"]);
}

#[test]
fn a_dependency_with_a_build_script_stays_outside() {
    let project = Project::fixture("crashes-package");
    std::fs::write(project.root().join("needed/build.rs"), "fn main() {}").unwrap();
    let run = project.reduce(["--ice", "--inline-deps", "--offline", "--out", "target/out"]);
    let finished = run.env("RUSTC", project.root().join("rustc")).run();
    finished.code(0);
    let why = "`needed` stays a dependency: `needed` has a build script";
    assert!(finished.stderr.contains(why), "{finished}");
    let manifest = project.root().join("target/out/Cargo.toml");
    let manifest = std::fs::read_to_string(manifest).unwrap();
    holds(&manifest, ["needed = { path = "]);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn a_compilation_that_does_not_end_is_found_under_cargo_too() {
    let project = Project::fixture("crashes-package");
    std::fs::write(project.root().join("src/lib.rs"), "fn hay() {}\nfn forever() {}\n").unwrap();
    let run = project.reduce(["--ice", "--offline", "--timeout", "1", "--out", "target/out"]);
    let finished = run.env("RUSTC", project.root().join("rustc")).run();
    finished.code(0);
    let summary = finished.summary();
    assert_eq!(summary["signature"]["kind"], "timeout", "{finished}");
    assert_eq!(summary["confirmed"], true, "{finished}");
    let source = std::fs::read_to_string(project.root().join("target/out/src/lib.rs")).unwrap();
    assert!(source.ends_with("\n\nforever\n"), "{source}");
}

#[test]
fn miri_is_left_to_a_script() {
    let finished = Project::fixture("passing").reduce(["--ice", "--ice-command", "miri"]).run();
    finished.error("error", "cannot rerun the compiler as `cargo miri`", ["--oracle SCRIPT src"]);
}
