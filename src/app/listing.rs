//! What there is to choose from: the targets of the project, their sources, and the tests of those that are built.

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use camino::Utf8Path;

use super::chosen::{Chosen, Wanted};
use super::failure::{Failure, Result};
use super::session::Session;
use crate::exec::{Interrupt, run_tool};
use crate::oracle::libtest::parse_list;
use crate::oracle::runner::TestRunner;
use crate::project::{
    Built, CargoOptions, CargoTest, ProjectError, TargetChoice, TestBinary, TestTarget,
    has_own_harness,
};
use crate::source::Crate;

/// How long listing the tests of a binary may take.
const LIST_LIMIT: Duration = Duration::from_secs(20);

/// The targets of the selected packages that the user allows.
///
/// # Errors
/// When there are none.
pub fn allowed_targets(session: &Session) -> Result<Vec<TestTarget>> {
    let all = session.workspace.test_targets()?;
    if session.config.targets.is_empty() {
        return Ok(all.into_iter().filter(|target| !target.is_on_demand).collect());
    }
    let allowed: Vec<TestTarget> = all
        .iter()
        .filter(|target| session.config.targets.contains(&target.choice))
        .cloned()
        .collect();
    if allowed.is_empty() {
        let names: Vec<String> = all.iter().map(|target| target.choice.args().join(" ")).collect();
        return Err(Failure::error(format!(
            "the selected packages have no target `{}`",
            session.config.targets[0].args().join(" ")
        ))
        .hint(format!("available: {}", names.join(", "))));
    }
    Ok(allowed)
}

/// The sources of a target, where they can be read.
pub fn sources(target: &TestTarget) -> Option<Crate> {
    let package = target.manifest_path.parent()?.as_std_path();
    Crate::load(target.src_path.as_std_path(), package, |path| fs::read_to_string(path)).ok()
}

/// Builds these targets and lists their tests.
///
/// # Errors
/// When they do not build or cannot be run.
pub(super) fn build_and_list(session: &Session, targets: &[TestTarget]) -> Result<Vec<Wanted>> {
    session.stage("Building", describe(targets));
    let target_dir = session.config.target_dir();
    let manifest = session.manifest_path();
    let built = build(session, &manifest, target_dir.as_deref(), &session.config.cargo, targets)?;
    if !built.success {
        return Err(does_not_build(&built));
    }
    let mut tests = Vec::new();
    for binary in &built.binaries {
        let workspace = &session.workspace;
        let package = workspace
            .package(&binary.package_id)
            .map_or_else(String::new, |package| workspace.spec(package));
        let (runner, names) = list(&session.interrupt, binary)?;
        tests.extend(names.into_iter().map(|test| {
            Wanted::Built(Chosen { binary: binary.clone(), test, package: package.clone(), runner })
        }));
    }
    session.built.replace(Arc::new(built));
    Ok(tests)
}

/// Builds these targets of the project with this manifest, and counts that; what the compiler says is in the answer.
///
/// # Errors
/// When cargo cannot be run or is interrupted.
pub(super) fn build(
    session: &Session,
    manifest: &Utf8Path,
    target_dir: Option<&Utf8Path>,
    options: &CargoOptions,
    targets: &[TestTarget],
) -> Result<Built> {
    let choices: Vec<TargetChoice> = targets.iter().map(|target| target.choice.clone()).collect();
    let cargo_test = CargoTest { manifest, target_dir, options, packages: &packages_of(targets) };
    let built = cargo_test.build(&choices, &session.interrupt)?;
    session.count_build(built.success);
    Ok(built)
}

/// The packages of these targets.
pub(super) fn packages_of(targets: &[TestTarget]) -> Vec<String> {
    let mut packages: Vec<String> = targets.iter().map(|target| target.package.clone()).collect();
    packages.sort();
    packages.dedup();
    packages
}

fn describe(targets: &[TestTarget]) -> String {
    match targets {
        [one] => describe_choice(&one.choice),
        _ => format!("{} test targets", targets.len()),
    }
}

fn describe_choice(choice: &TargetChoice) -> String {
    choice.args().join(" ").trim_start_matches('-').to_owned()
}

/// What the compiler says of a project that does not build.
pub fn does_not_build(built: &Built) -> Failure {
    let rendered = if built.errors.is_empty() {
        built.stderr.trim().to_owned()
    } else {
        let errors: Vec<&str> =
            built.errors.iter().map(|error| error.rendered.trim_end()).collect();
        errors.join("\n\n")
    };
    ProjectError::DoesNotBuild { rendered }.into()
}

/// The tests of a binary, and what runs them. A harness of the target's own that does not answer as
/// libtest does is one test, which is named as the target.
///
/// # Errors
/// When it cannot be run, or does not list them.
pub fn list(interrupt: &Interrupt, binary: &TestBinary) -> Result<(TestRunner, Vec<String>)> {
    let job =
        TestRunner::Own.job(binary, "", &[]).args(["--list", "--format", "terse"]).time(LIST_LIMIT);
    let finished = run_tool(&job, interrupt)?;
    let names =
        if finished.exit.is_success() { parse_list(&finished.stdout.text()) } else { Vec::new() };
    if names.is_empty() && has_own_harness(&binary.manifest_path, &binary.choice) {
        let package = binary.cwd.file_name().unwrap_or("lib").to_owned();
        let name = binary.choice.name.clone().unwrap_or(package);
        return Ok((TestRunner::Own, vec![name]));
    }
    if names.is_empty() && !finished.exit.is_success() {
        let target = describe_choice(&binary.choice);
        let said = finished.stderr.text();
        return Err(Failure::error(format!(
            "the tests of {target} cannot be listed: {}",
            said.trim()
        )));
    }
    Ok((TestRunner::Libtest, names))
}
