//! Documentation tests: finding them, and seeing them fail with the plain `cargo test --doc`.

use std::sync::Arc;
use std::time::Duration;

use camino::Utf8Path;

use super::chosen::ChosenDocTest;
use super::config::Config;
use super::failure::{Failure, Result};
use super::listing::{does_not_build, packages_of};
use super::plain_test::{PlainTest, Tree};
use super::session::Session;
use crate::exec::run_tool;
use crate::oracle::libtest::{Verdict, parse_list};
use crate::oracle::runner::{TestRunner, failed_doc_tests};
use crate::project::{Built, CargoTest, TargetChoice, TargetKind, TestTarget};
use crate::report::Status;

/// How long the doc tests of a package may take to be built and run.
const DOC_LIMIT: Duration = Duration::from_mins(10);

/// How cargo selects documentation tests.
pub const DOC_TARGET: TargetChoice = TargetChoice { kind: TargetKind::Doc, name: None };

/// The doc tests of these targets.
///
/// # Errors
/// When the library does not build.
pub fn list_doc_tests_of(session: &Session, targets: &[TestTarget]) -> Result<Vec<ChosenDocTest>> {
    session.stage("Building", "what the doc tests need");
    let mut all: Option<Built> = None;
    let mut tests = Vec::new();
    // One package at a time, since the names do not say to which one they belong.
    for target in targets {
        let target_dir = session.config.target_dir();
        let cargo_test = CargoTest {
            manifest: &session.manifest_path(),
            target_dir: target_dir.as_deref(),
            options: &session.config.cargo,
            packages: &packages_of(std::slice::from_ref(target)),
        };
        let (built, printed) = cargo_test.list_doc_tests(&session.interrupt)?;
        // The library is compiled, but nothing is linked.
        session.count_build(false);
        if !built.success {
            return Err(does_not_build(&built));
        }
        let names = parse_list(&printed);
        tests.extend(names.iter().filter_map(|name| ChosenDocTest::new(session, target, name)));
        match &mut all {
            None => all = Some(built),
            Some(all) => {
                all.artifacts.extend(built.artifacts);
                all.build_scripts.extend(built.build_scripts);
            }
        }
    }
    let built = all.ok_or_else(|| Failure::error("the selected packages have no doc tests"))?;
    session.built.replace(Arc::new(built));
    Ok(tests)
}

/// Those of these doc tests that fail.
///
/// # Errors
/// When cargo cannot be run.
pub fn failing_doc_tests(
    session: &Session,
    tests: Vec<ChosenDocTest>,
) -> Result<Vec<ChosenDocTest>> {
    let mut packages: Vec<&str> = tests.iter().map(|test| test.package.as_str()).collect();
    packages.dedup();
    let mut failed = Vec::new();
    for package in packages {
        let manifest = session.manifest_path();
        let target_dir = session.config.target_dir();
        // An empty name selects them all.
        let all = plain_doc_test(&session.config, &manifest, target_dir.as_deref(), package, "");
        let finished = run_tool(&all.job().time(DOC_LIMIT), &session.interrupt)?;
        session.count_build(true);
        let names = failed_doc_tests(&finished.stdout.text());
        failed.extend(names.into_iter().map(|name| (package.to_owned(), name)));
    }
    let has_failed = |test: &ChosenDocTest| {
        failed.iter().any(|(package, name)| *package == test.package && *name == test.test)
    };
    Ok(tests.into_iter().filter(has_failed).collect())
}

/// The plain `cargo test --doc` of one doc test of the user's own sources, with this manifest and target directory.
pub fn plain_doc_test<'a>(
    config: &'a Config,
    manifest: &'a Utf8Path,
    target_dir: Option<&'a Utf8Path>,
    package: &'a str,
    test: &'a str,
) -> PlainTest<'a> {
    PlainTest {
        config,
        manifest,
        target_dir,
        package,
        target: &DOC_TARGET,
        runner: TestRunner::Rustdoc,
        test,
        tree: Tree::Users,
    }
}

/// Sees that a doc test fails with the plain `cargo test --doc`.
///
/// # Errors
/// When it passes or does not build.
pub fn see_it_fail(session: &Session, chosen: &ChosenDocTest) -> Result<()> {
    session.stage("Running", format!("{} with `cargo test --doc`", chosen.test));
    let manifest = session.manifest_path();
    let target_dir = session.config.target_dir();
    let target_dir = target_dir.as_deref();
    let plain =
        plain_doc_test(&session.config, &manifest, target_dir, &chosen.package, &chosen.test);
    let (verdict, said) = plain.observe(DOC_LIMIT, &session.interrupt)?;
    session.count_build(verdict != Verdict::NotRun);
    match verdict {
        Verdict::Failed(_) => Ok(()),
        Verdict::Passed => Err(Failure::new(
            Status::NotFailing,
            format!("`{}` passes: there is no failure to reduce", chosen.test),
        )),
        Verdict::NotRun => Err(Failure::error(format!(
            "`{}` does not build, or is not run\n{}",
            chosen.test,
            said.trim_end()
        ))
        .hint(format!("the command was: {}", plain.shown()))),
    }
}
