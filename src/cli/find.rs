//! Finding the test: from what the user typed to one test of one built binary.

use std::fs;
use std::time::Duration;

use super::config::Config;
use super::failure::Failure;
use super::session::Session;
use crate::exec::{ExecError, run};
use crate::oracle::baseline::test_job;
use crate::oracle::libtest::{Verdict, interpret, parse_list};
use crate::project::{Built, TargetChoice, TargetKind, TestBinary, TestTarget, build_tests};
use crate::report::Status;
use crate::source::Crate;

/// How long listing the tests of a binary may take.
const LIST_LIMIT: Duration = Duration::from_secs(20);
/// How long one test of a suite may take before it counts as hanging.
const SUITE_LIMIT: Duration = Duration::from_secs(20);
/// How many names are shown to choose from.
const SHOWN_NAMES: usize = 12;

/// A test of a built binary.
#[derive(Debug, Clone)]
pub struct Chosen {
    /// The binary.
    pub binary: TestBinary,
    /// The test's name.
    pub test: String,
    /// The package's name.
    pub package: String,
}

/// Finds what the user asked for; several tests only with `--all`.
///
/// # Errors
/// When there is no such test, it does not build, several match, or none fails.
pub fn find(session: &mut Session, config: &Config) -> Result<(Built, Vec<Chosen>), Failure> {
    let targets = allowed_targets(session, config)?;
    let Some(subject) = &config.subject else {
        let (built, tests) = build_and_list(session, config, &targets)?;
        return Ok((built, failing(session, config, tests, None)?));
    };
    let likely = likely_targets(&targets, subject);
    if !likely.is_empty() {
        let (built, tests) = build_and_list(session, config, &likely)?;
        let matching = matching(&tests, subject);
        if !matching.is_empty() {
            return Ok((built, failing(session, config, matching, Some(subject))?));
        }
    }
    let (built, tests) = build_and_list(session, config, &targets)?;
    let matching = matching(&tests, subject);
    if matching.is_empty() {
        return Err(no_such_test(subject, &tests));
    }
    Ok((built, failing(session, config, matching, Some(subject))?))
}

fn allowed_targets(session: &Session, config: &Config) -> Result<Vec<TestTarget>, Failure> {
    let all = session.workspace.test_targets()?;
    if config.targets.is_empty() {
        return Ok(all);
    }
    let allowed: Vec<TestTarget> = all
        .iter()
        .filter(|target| config.targets.contains(&target.choice))
        .cloned()
        .collect();
    if allowed.is_empty() {
        let names: Vec<String> = all
            .iter()
            .map(|target| target.choice.args().join(" "))
            .collect();
        return Err(Failure::error(format!(
            "no target `{}` in the selected packages",
            config.targets[0].args().join(" ")
        ))
        .hint(format!("there are: {}", names.join(", "))));
    }
    Ok(allowed)
}

/// The targets whose sources hold a test of that name: so that only they need to be built.
fn likely_targets(targets: &[TestTarget], subject: &str) -> Vec<TestTarget> {
    let holds = |target: &&TestTarget| -> bool {
        if target.choice.kind == TargetKind::Doc {
            return false;
        }
        let Some(package) = target.manifest_path.parent() else {
            return false;
        };
        Crate::load(
            target.src_path.as_std_path(),
            package.as_std_path(),
            |path| fs::read_to_string(path),
        )
        .is_ok_and(|krate| !krate.tests_named(subject).is_empty())
    };
    targets.iter().filter(holds).cloned().collect()
}

fn build_and_list(
    session: &mut Session,
    config: &Config,
    targets: &[TestTarget],
) -> Result<(Built, Vec<Chosen>), Failure> {
    let choices: Vec<TargetChoice> = targets
        .iter()
        .map(|target| target.choice.clone())
        .filter(|choice| choice.kind != TargetKind::Doc)
        .collect();
    let mut packages: Vec<String> = targets
        .iter()
        .map(|target| target.package.clone())
        .collect();
    packages.sort();
    packages.dedup();
    session.stage("Building", describe(&choices));
    let built = build_tests(
        &session.manifest_path(),
        config
            .cargo
            .target_dir
            .as_deref()
            .map(|folder| config.cwd.join(folder))
            .as_deref(),
        &config.cargo,
        &packages,
        &choices,
        &session.interrupt,
    )?;
    session.count_build(built.success);
    if !built.success {
        return Err(does_not_build(&built));
    }
    let mut tests = Vec::new();
    for binary in &built.binaries {
        let package = session
            .workspace
            .package(&binary.package_id)
            .map_or_else(String::new, |package| package.name.to_string());
        for test in list(session, binary)? {
            tests.push(Chosen {
                binary: binary.clone(),
                test,
                package: package.clone(),
            });
        }
    }
    Ok((built, tests))
}

fn describe(choices: &[TargetChoice]) -> String {
    match choices {
        [one] => one.args().join(" ").trim_start_matches('-').to_owned(),
        _ => format!("{} test targets", choices.len()),
    }
}

/// What the compiler says of a project that does not build.
#[must_use]
pub fn does_not_build(built: &Built) -> Failure {
    let rendered = if built.errors.is_empty() {
        built.stderr.trim().to_owned()
    } else {
        let errors: Vec<&str> = built
            .errors
            .iter()
            .map(|error| error.rendered.trim_end())
            .collect();
        errors.join("\n\n")
    };
    crate::project::ProjectError::DoesNotBuild { rendered }.into()
}

/// The tests of a binary; none when its harness is its own and does not know `--list`.
fn list(session: &Session, binary: &TestBinary) -> Result<Vec<String>, ExecError> {
    let mut job = test_job(binary, "", &[]).time(LIST_LIMIT);
    job.args = ["--list", "--format", "terse"].map(Into::into).to_vec();
    let finished = run(&job, &session.interrupt)?;
    if !finished.exit.is_success() {
        return Ok(Vec::new());
    }
    Ok(parse_list(&finished.stdout.text()))
}

/// An exact name wins over those that only contain the subject.
fn matching(tests: &[Chosen], subject: &str) -> Vec<Chosen> {
    let exact: Vec<Chosen> = tests
        .iter()
        .filter(|test| test.test == subject)
        .cloned()
        .collect();
    if !exact.is_empty() {
        return exact;
    }
    tests
        .iter()
        .filter(|test| test.test.contains(subject))
        .cloned()
        .collect()
}

/// The failing ones among several; a single test is taken as it is.
fn failing(
    session: &mut Session,
    config: &Config,
    tests: Vec<Chosen>,
    subject: Option<&str>,
) -> Result<Vec<Chosen>, Failure> {
    if subject.is_some() && tests.len() == 1 {
        return Ok(tests);
    }
    session.stage("Running", format!("{} tests", tests.len()));
    let failing = run_all(session, config, &tests)?;
    match failing.len() {
        0 => Err(Failure::new(
            Status::NotFailing,
            "all tests pass: there is no failure to reduce",
        )),
        1 => Ok(failing),
        _ if config.all => Ok(failing),
        count => {
            let what =
                subject.map_or_else(String::new, |subject| format!(" that match `{subject}`"));
            let mut failure = Failure::error(format!("{count} tests{what} fail"));
            for test in failing.iter().take(SHOWN_NAMES) {
                let target = test.binary.choice.args().join(" ");
                failure = failure.hint(format!(
                    "cargo reduce -p {} {target} {}",
                    test.package, test.test
                ));
            }
            Err(failure.hint("give the exact name of one, or `--all` to reduce each"))
        }
    }
}

fn run_all(session: &Session, config: &Config, tests: &[Chosen]) -> Result<Vec<Chosen>, Failure> {
    let interrupt = &session.interrupt;
    let fails = |chosen: &Chosen| -> Result<bool, ExecError> {
        let job = test_job(&chosen.binary, &chosen.test, &config.test_args)
            .time(config.control.timeout.unwrap_or(SUITE_LIMIT));
        Ok(matches!(
            interpret(&run(&job, interrupt)?, &chosen.test),
            Verdict::Failed(_)
        ))
    };
    let mut failing = Vec::new();
    for group in tests.chunks(config.workers) {
        let answers: Vec<Result<bool, ExecError>> = std::thread::scope(|scope| {
            let threads: Vec<_> = group
                .iter()
                .map(|test| scope.spawn(|| fails(test)))
                .collect();
            threads
                .into_iter()
                .filter_map(|thread| thread.join().ok())
                .collect()
        });
        for (test, answer) in group.iter().zip(answers) {
            if answer? {
                failing.push(test.clone());
            }
        }
    }
    Ok(failing)
}

fn no_such_test(subject: &str, tests: &[Chosen]) -> Failure {
    let last = |name: &str| name.rsplit("::").next().unwrap_or(name).to_owned();
    let mut near: Vec<(usize, &str)> = tests
        .iter()
        .map(|test| {
            (
                strsim::damerau_levenshtein(&last(&test.test), &last(subject)),
                test.test.as_str(),
            )
        })
        .collect();
    near.sort_unstable();
    let failure = Failure::error(format!("no test matches `{subject}`"));
    if near.is_empty() {
        return failure
            .hint("the selected targets hold no tests; see `-p`, `--test`, `--features`");
    }
    let names: Vec<&str> = near.iter().take(5).map(|(_, name)| *name).collect();
    failure.hint(format!("the nearest names are: {}", names.join(", ")))
}
