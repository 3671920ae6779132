//! Finding the test: from what the user typed to one test of one built binary.

pub use super::chosen::{Chosen, ChosenDocTest, DocTests, Wanted};
use super::config::TestJob;
use super::doc_tests::{failing_doc_tests, list_doc_tests_of};
use super::failure::{Failure, Result};
use super::junit::find_reported;
use super::limits::SUITE_LIMIT;
use super::listing::{allowed_targets, build_and_list, sources};
pub use super::listing::{does_not_build, list};
use super::no_such_test::no_such_test;
use super::session::Session;
use super::since::recent;
use crate::exec::{ExecError, run_tool};
use crate::oracle::libtest::Verdict;
use crate::oracle::pool::side_by_side;
use crate::project::{TargetKind, TestTarget, has_own_harness};
use crate::report::Status;
use crate::source::DocTestName;

/// How many names are shown to choose from.
const SHOWN_NAMES: usize = 12;

/// Finds what the user asked for; several tests only with `--all`, and of these the part that the user wants.
///
/// # Errors
/// When there is no such test, it does not build, several match, or none fails.
pub fn find(session: &Session) -> Result<Vec<Wanted>> {
    let all = find_all(session)?;
    let Some(shard) = session.config.shard else { return Ok(all) };
    let count = all.len();
    let part = shard.part(all);
    session.stage("Selected", format!("{} of {count} failing tests (shard {shard})", part.len()));
    Ok(part)
}

fn find_all(session: &Session) -> Result<Vec<Wanted>> {
    let targets = allowed_targets(session)?;
    let (doc, plain): (Vec<TestTarget>, Vec<TestTarget>) =
        targets.into_iter().partition(|target| target.choice.kind == TargetKind::Doc);
    if let Some(report) = &session.config.from_junit {
        return find_reported(session, &plain, report);
    }
    let Some(subject) = &session.config.subject else {
        return find_failing(session, &plain, &doc);
    };
    let mut known = Vec::new();
    for targets in [likely_targets(&plain, subject), plain] {
        if targets.is_empty() || (DocTestName::parse(subject).is_some() && !doc.is_empty()) {
            continue;
        }
        let tests = build_and_list(session, &targets)?;
        let matching = matching(&tests, subject, Wanted::name);
        if !matching.is_empty() {
            return wanted(session, &matching, subject);
        }
        known = tests;
    }
    if !doc.is_empty() {
        let tests = list_doc_tests_of(session, &doc)?;
        let tests: Vec<Wanted> = tests.into_iter().map(Wanted::Doc).collect();
        let matching = matching(&tests, subject, Wanted::name);
        if !matching.is_empty() {
            return wanted(session, &matching, subject);
        }
        known.extend(tests);
    }
    let known: Vec<&str> = known.iter().map(Wanted::name).collect();
    Err(no_such_test(session, subject, &known))
}

/// The failing tests of the suite; as cargo does, doc tests come when all others pass.
fn find_failing(
    session: &Session,
    plain: &[TestTarget],
    doc: &[TestTarget],
) -> Result<Vec<Wanted>> {
    if !plain.is_empty() {
        let tests = build_and_list(session, plain)?;
        match failing(session, &tests, None) {
            Err(failure) if failure.status == Status::NotFailing && !doc.is_empty() => {}
            found => return found,
        }
    }
    let tests = list_doc_tests_of(session, doc)?;
    let tests: Vec<Wanted> = tests.into_iter().map(Wanted::Doc).collect();
    failing(session, &tests, None)
}

/// The targets whose sources hold a test of that name: so that only they need to be built.
fn likely_targets(targets: &[TestTarget], subject: &str) -> Vec<TestTarget> {
    let holds = |target: &&TestTarget| -> bool {
        let is_it = target.choice.name.as_deref() == Some(subject)
            && has_own_harness(&target.manifest_path, &target.choice);
        is_it || sources(target).is_some_and(|krate| !krate.tests_named(subject).is_empty())
    };
    targets.iter().filter(holds).cloned().collect()
}

/// An exact name wins over those that only contain the subject.
pub fn matching<T: Clone>(tests: &[T], subject: &str, name: fn(&T) -> &str) -> Vec<T> {
    let exact: Vec<T> = tests.iter().filter(|test| name(test) == subject).cloned().collect();
    if !exact.is_empty() {
        return exact;
    }
    tests.iter().filter(|test| name(test).contains(subject)).cloned().collect()
}

/// What is wanted of the tests that match: a single test is taken as it is.
fn wanted(session: &Session, tests: &[Wanted], typed: &str) -> Result<Vec<Wanted>> {
    if let [test] = tests {
        return recent(session, vec![test.clone()]);
    }
    if let Some(tests) = doc_tests_of_one_package(tests).filter(|_| !session.config.all) {
        let typed = typed.to_owned();
        return Ok(vec![Wanted::OneOf(DocTests { typed, tests })]);
    }
    failing(session, tests, Some(typed))
}

fn doc_tests_of_one_package(tests: &[Wanted]) -> Option<Vec<ChosenDocTest>> {
    let doc = |test: &Wanted| match test {
        Wanted::Doc(chosen) => Some(chosen.clone()),
        Wanted::Built(_) | Wanted::OneOf(_) => None,
    };
    let tests: Vec<ChosenDocTest> = tests.iter().map(doc).collect::<Option<_>>()?;
    let is_one = tests.iter().all(|test| test.manifest_path == tests[0].manifest_path);
    is_one.then_some(tests)
}

impl DocTests {
    /// The one that fails, as rustdoc says.
    ///
    /// # Errors
    /// When none or several fail, or cargo cannot be run.
    pub fn failing(&self, session: &Session) -> Result<ChosenDocTest> {
        session.stage("Running", format!("{} doc tests", self.tests.len()));
        let failing = failing_doc_tests(session, self.tests.clone())?;
        self.only(failing)
    }

    /// The only one of those that fail.
    ///
    /// # Errors
    /// When none or several fail.
    pub fn only(&self, mut failing: Vec<ChosenDocTest>) -> Result<ChosenDocTest> {
        match (failing.pop(), failing.is_empty()) {
            (None, _) => Err(all_pass()),
            (Some(test), true) => Ok(test),
            (Some(last), false) => {
                failing.push(last);
                let failing: Vec<Wanted> = failing.into_iter().map(Wanted::Doc).collect();
                Err(several_fail(TestJob::Inputs, &failing, Some(&self.typed)))
            }
        }
    }
}

/// The failing ones among several: one, unless the user wants them all.
fn failing(session: &Session, tests: &[Wanted], typed: Option<&str>) -> Result<Vec<Wanted>> {
    session.stage("Running", format!("{} tests", tests.len()));
    let failing = run_all(session, tests)?;
    if failing.is_empty() {
        return Err(all_pass());
    }
    let failing = recent(session, failing)?;
    match failing.len() {
        1 => Ok(failing),
        _ if session.config.all => Ok(failing),
        _ => Err(several_fail(session.config.job, &failing, typed)),
    }
}

fn all_pass() -> Failure {
    Failure::new(Status::NotFailing, "all tests pass, so there is nothing to reduce")
}

fn several_fail(job: TestJob, failing: &[Wanted], typed: Option<&str>) -> Failure {
    let count = failing.len();
    let what = typed.map_or_else(String::new, |typed| format!(" that match `{typed}`"));
    let mut failure = Failure::error(format!("{count} tests{what} fail"));
    let job = match job {
        TestJob::Code => "--code ",
        TestJob::Inputs => "",
    };
    for test in failing.iter().take(SHOWN_NAMES) {
        let name = shell_words::quote(test.name());
        let target = test.target_args();
        failure = failure.hint(format!("cargo reduce {job}{target} {name}"));
    }
    failure.hint("run one of these commands, or use `--all` to reduce each test")
}

fn run_all(session: &Session, tests: &[Wanted]) -> Result<Vec<Wanted>> {
    let mut built = Vec::new();
    let mut doc = Vec::new();
    for test in tests {
        match test {
            Wanted::Built(chosen) => built.push(chosen.clone()),
            Wanted::Doc(chosen) => doc.push(chosen.clone()),
            Wanted::OneOf(tests) => doc.extend(tests.tests.iter().cloned()),
        }
    }
    let built = run_built(session, &built)?;
    let doc = failing_doc_tests(session, doc)?;
    let built = built.into_iter().map(Wanted::Built);
    Ok(built.chain(doc.into_iter().map(Wanted::Doc)).collect())
}

fn run_built(session: &Session, tests: &[Chosen]) -> Result<Vec<Chosen>> {
    let Session { config, interrupt, .. } = session;
    let fails = |chosen: &Chosen| -> Result<bool, ExecError> {
        let job = chosen
            .job(&chosen.binary, &config.test_args)
            .time(config.control.timeout.unwrap_or(SUITE_LIMIT));
        let verdict = chosen.runner.interpret(&run_tool(&job, interrupt)?, &chosen.test);
        Ok(matches!(verdict, Verdict::Failed(_)))
    };
    let mut failing = Vec::new();
    for (test, answer) in tests.iter().zip(side_by_side(config.workers, tests, fails)) {
        if answer.map_err(|panicked| Failure::error(panicked.to_string()))?? {
            failing.push(test.clone());
        }
    }
    Ok(failing)
}
