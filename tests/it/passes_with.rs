//! `--passes-with`: a candidate counts only if the test passes with another version of a package.

use std::fs;
use std::process::Command;

use super::project::Project;

fn project() -> Project {
    Project::fixture("two-versions").package("app")
}

#[test]
fn inputs_have_to_pass_with_the_other_version() {
    let project = project();
    let test = "shares_are_percentages";
    let alone = project.reduce([test]).run();
    alone.to(["&[12, 0, 48, 7, 31]", "&[2, 5]"]);
    assert_eq!(alone.summary()["status"], "limited");
    let args = [test, "--passes-with", "scale@../scale-2"];
    let finished = project.reduce(args).run();
    // Without the divisors, the sound version fails as well.
    finished.reduced_in(5).to(["&[1]", "&[2, 5]", "100"]);
}

#[test]
fn what_an_assertion_expects_shrinks_along() {
    let project = project();
    let args = ["shares_are_known", "--passes-with", "scale@../scale-2"];
    let finished = project.reduce(args).run();
    finished.reduced_in(5).to(["&[1]", "vec![1000]"]);
}

#[test]
fn tests_that_become_plain_ones_have_to_pass_with_the_other_version() {
    let reduced = |test: &str| {
        let args = ["--test", "made", test, "--passes-with", "scale@../scale-2"];
        let finished = project().reduce(args).run();
        finished.reduced_in(5);
        finished
    };
    reduced("shares_of_a_few").to(["&[1]", "[1000]"]);
    let equal = reduced("shares_are_equal");
    assert!(equal.regression_test().contains("assert_eq!(scale::shares(&[1]), [1000])"));
    reduced("shares_are_listed").to(["&[1]", "\"{share}\"", "\"1000\""]);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn code_has_to_pass_with_the_other_version() {
    let project = project();
    let finished = project
        .code([
            "shares_are_percentages",
            "--max-candidates",
            "40",
            "--passes-with",
            "scale@../scale-2",
        ])
        .run();
    finished.code(0).fails_with("panic", "a share of");
    assert!(!finished.stderr.contains("; 0 places run"), "{finished}");
    let folder = finished.package();
    let sound = project.root().join("../scale-2/src/lib.rs");
    fs::copy(sound, folder.join("scale-1/src/lib.rs")).unwrap();
    let output = Command::new(env!("CARGO"))
        .args(["test", "--offline"])
        .current_dir(folder.join("app"))
        .env("CARGO_TARGET_DIR", folder.join("target/plain"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}

#[test]
fn what_cannot_be_taken_is_told() {
    let project = project();
    let told = [
        ("shares_are_percentages", "none@1.0.0", "no dependency has that name"),
        ("shares_are_percentages", "scale@./nowhere", "there is no `Cargo.toml`"),
        ("shares_are_large", "scale@../scale-2", "the test fails with `scale@../scale-2`, too"),
        ("shares_are_percentages", "scale@no-such-branch", "cannot use `scale@no-such-branch`"),
    ];
    for (test, other, why) in told {
        let finished = project.reduce([test, "--passes-with", other]).run();
        finished.code(1);
        assert!(finished.stderr.contains(why), "{finished}");
    }
    let finished = project.reduce(["shares_are_large", "--passes-with", "scale"]).run();
    finished.code(2);
}

/// A repository with both versions of `scale`, the sound one tagged; the program depends on the other
/// one.
fn project_with_repository() -> Project {
    let project = project();
    let root = project.root().join("..");
    let repository = root.join("repository");
    let git = |args: &[&str]| {
        let output = Command::new("git")
            .args(["-c", "user.name=test", "-c", "user.email=test@localhost"])
            .args(args)
            .current_dir(&repository)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    fs::rename(root.join("scale-1"), &repository).unwrap();
    git(&["init", "--quiet"]);
    git(&["add", "."]);
    git(&["commit", "--quiet", "-m", "one"]);
    let buggy = git(&["rev-parse", "HEAD"]);
    let sound = root.join("scale-2/src/lib.rs");
    fs::copy(sound, repository.join("src/lib.rs")).unwrap();
    git(&["commit", "--quiet", "-a", "-m", "two"]);
    git(&["tag", "sound"]);
    let url = format!("file://{}", repository.canonicalize().unwrap().display());
    let manifest = project.root().join("Cargo.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    let dependency = format!("scale = {{ git = {url:?}, rev = {buggy:?} }}");
    let text = text.replace("scale = { path = \"../scale-1\" }", &dependency);
    assert!(text.contains(&url), "{text}");
    fs::write(manifest, text).unwrap();
    fs::remove_file(root.join("Cargo.lock")).unwrap();
    let locked =
        Command::new(env!("CARGO")).arg("generate-lockfile").current_dir(project.root()).status();
    assert!(locked.unwrap().success());
    project
}

#[test]
fn another_version_may_be_a_revision() {
    let project = project_with_repository();
    let args = ["shares_are_percentages", "--passes-with", "scale@sound"];
    let finished = project.reduce(args).run();
    finished.reduced_in(5).to(["&[1]", "&[2, 5]", "100"]);
}

#[test]
#[ignore = "takes long: `just slow`"]
fn code_that_is_left_passes_with_another_revision() {
    let project = project_with_repository();
    let args = ["--code", "--contrast=none", "shares_are_percentages"];
    let more = ["--passes-with", "scale@sound", "--max-candidates", "20"];
    let finished = project.reduce(args).args(more).run();
    finished.code(0).fails_with("panic", "a share of").confirmed();
}

#[test]
#[ignore = "takes long: `just slow`"]
fn what_the_other_version_computes_is_expected_of_smaller_inputs() {
    let project = project();
    for (test, expected) in
        [("prices_are_added", "10"), ("each_price_is_read", "vec![(\"\".to_owned(), 10)]")]
    {
        let finished = project.reduce([test, "--passes-with", "scale@../scale-2"]).run();
        finished.reduced_in(5);
        let texts: Vec<String> = finished
            .events("reduced")
            .map(|event| event["text"].as_str().unwrap().to_owned())
            .collect();
        assert!(texts[0].len() < 40, "{texts:?}");
        assert_eq!(texts[1], expected, "{finished}");
        assert!(finished.asked() < 3_000, "{finished}");
    }
}
