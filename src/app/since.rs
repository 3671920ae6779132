//! Which of the failing tests pass in an earlier revision of the repository.

use super::chosen::{Chosen, Wanted};
use super::failure::{Failure, Result};
use super::limits::SUITE_LIMIT;
use super::listing::{build, does_not_build, list};
use super::session::Session;
use crate::exec::run_tool;
use crate::oracle::libtest::Verdict;
use crate::project::{CargoOptions, TestTarget, Workspace, check_out, name_in_spec};
use crate::report::Status;

/// Those of the failing tests that pass in the revision that the user names; all, if none is named.
///
/// # Errors
/// When there is no such revision, its tests cannot be built or run, or none of them passes.
pub fn recent(session: &Session, failing: Vec<Wanted>) -> Result<Vec<Wanted>> {
    let Some(revision) = &session.config.since else { return Ok(failing) };
    let mut built = Vec::new();
    for test in failing {
        match test {
            Wanted::Built(chosen) => built.push(chosen),
            Wanted::Doc(_) | Wanted::OneOf(_) => {
                session.warn(format!(
                    "doc tests cannot be run in {revision}, so this one is left out: {}",
                    test.name()
                ));
            }
        }
    }
    let passing = passing_in(session, revision, &built)?;
    if passing.is_empty() {
        return Err(Failure::new(
            Status::NotFailing,
            format!("none of the failing tests passes in revision `{revision}`"),
        )
        .hint("leave out `--since` to reduce them anyway"));
    }
    Ok(passing.into_iter().map(Wanted::Built).collect())
}

/// Those of `tests` that pass in `revision`, built there in a folder of their own.
fn passing_in(session: &Session, revision: &str, tests: &[Chosen]) -> Result<Vec<Chosen>> {
    session.stage("Building", format!("the tests of revision {revision}"));
    let trouble = |error: std::io::Error| {
        Failure::error(format!("cannot create a folder for revision {revision}: {error}"))
    };
    let target = session.workspace.target_directory();
    std::fs::create_dir_all(&target).map_err(trouble)?;
    let temporary = tempfile::Builder::new().prefix("reduce-since-").tempdir_in(&target);
    let temporary = temporary.map_err(trouble)?;
    let folder = camino::Utf8PathBuf::from_path_buf(temporary.path().to_owned())
        .map_err(|path| Failure::error(format!("`{}` is not valid UTF-8", path.display())))?;
    let root = check_out(session.workspace.root(), revision, &folder, &session.interrupt)?;
    let manifest_path = root.join("Cargo.toml");
    let options = CargoOptions {
        manifest_path: Some(manifest_path.clone()),
        target_dir: Some(folder.join("target")),
        ..session.workspace.options().clone()
    };
    let workspace = Workspace::load(&root, &options)?;
    let holds_one = |target: &TestTarget| {
        tests.iter().any(|test| {
            is_of(test, name_in_spec(&target.package)) && test.binary.choice == target.choice
        })
    };
    let mut targets = workspace.all_test_targets();
    targets.retain(holds_one);
    if targets.is_empty() {
        return Ok(Vec::new());
    }
    let target_dir = options.target_dir.as_deref();
    let built = build(session, &manifest_path, target_dir, &options, &targets)?;
    if !built.success {
        let failure = does_not_build(&built);
        let message = format!("in {revision} {}", failure.message);
        return Err(Failure::error(message).hint("name a revision whose tests build"));
    }
    let mut passing = Vec::new();
    for binary in &built.binaries {
        let (runner, names) = list(&session.interrupt, binary)?;
        let package = workspace.package(&binary.package_id).map(|package| package.name.as_str());
        let is_here = |test: &&Chosen| {
            package.is_some_and(|package| is_of(test, package))
                && test.binary.choice == binary.choice
                && names.contains(&test.test)
        };
        for test in tests.iter().filter(is_here) {
            let limit = session.config.control.timeout.unwrap_or(SUITE_LIMIT);
            let job = runner.job(binary, &test.test, &session.config.test_args).time(limit);
            let finished = run_tool(&job, &session.interrupt)?;
            if runner.interpret(&finished, &test.test) == Verdict::Passed {
                passing.push(test.clone());
            }
        }
    }
    Ok(passing)
}

fn is_of(test: &Chosen, package: &str) -> bool {
    name_in_spec(&test.package) == package
}
