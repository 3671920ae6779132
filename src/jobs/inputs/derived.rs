//! Tests that have no plain function in the user's tree: a plain test is made of them in the scratch
//! copy, and reduced as any other.

use super::crossing::Crossing;
use super::origin::{Derived, failed_property};
use super::other_version::{OtherProbe, copy_with_other, needs_stable_test};
use super::prober::{Probe, build_probe};
use super::run_folders::RunFolders;
use super::starting_point::{
    Original, SCRATCH, Start, results, rule_for, see_failing, tell_failure,
};
use super::subject::{Sources, Subject};
use crate::app::doc_tests::see_it_fail;
use crate::app::failure::{Failure, Result};
use crate::app::find::{Chosen, ChosenDocTest};
use crate::app::session::Session;
use crate::disk::ResultFolder;
use crate::exec::Access;
use crate::oracle::libtest::Verdict;
use crate::oracle::runner::TestRunner;
use crate::oracle::signature::{Match, Matcher, Signature};
use crate::project::{Scratch, TargetChoice, TargetKind, TestTarget, finds_tests};
use crate::report::Status;
use crate::source::{ASSERTION, Asserted, Crate, FoundInputs, MacroTest, NotLocated};

/// The inputs of a doc test.
///
/// # Errors
/// When its code cannot be found, or holds nothing to reduce.
pub fn doc_test_subject(session: &Session, chosen: &ChosenDocTest) -> Result<Subject> {
    let derived = Derived::of_doc_test(chosen)?;
    if !finds_tests(&chosen.manifest_path) {
        return Err(Failure::error(format!(
            "`{}` cannot be moved into a test file, because the package sets `autotests = false`",
            chosen.test
        ))
        .hint("write it as a `#[test]` in one of the package's test files, and reduce that test"));
    }
    let target = TestTarget {
        package: chosen.package.clone(),
        manifest_path: chosen.manifest_path.clone(),
        choice: TargetChoice { kind: TargetKind::Test, name: Some(derived.plain.clone()) },
        src_path: derived.path.clone(),
        is_on_demand: false,
    };
    Subject::of_derived(session, target, derived)
}

/// Makes a plain test of a doc test, and sees that one fail: rustdoc is slow, and its word is only needed
/// for the result, or when the plain test does not fail.
///
/// # Errors
/// When it does not fail, or its code does not fail as a plain test.
pub fn start_doc_test(session: &Session, chosen: &ChosenDocTest) -> Result<Start> {
    let subject = doc_test_subject(session, chosen)?;
    let failure = match start(session, subject, None, None) {
        Ok(start) => return Ok(start),
        Err(failure) if failure.status == Status::Interrupted => return Err(failure),
        Err(failure) => failure,
    };
    see_it_fail(session, chosen)?;
    Err(failure)
}

/// The inputs of the plain test that holds the failing values of a property test, and what the property
/// test said.
///
/// # Errors
/// When the property holds, or its values cannot be written out.
pub fn property_subject(
    session: &Session,
    chosen: &Chosen,
    krate: &Crate,
    why: &NotLocated,
) -> Result<(Subject, Signature)> {
    session.stage("Running", format!("{} once, to find values that make it fail", chosen.test));
    let (signature, printed) = run_property(session, chosen)?;
    let derived = Derived::of_property(krate, why, &chosen.test, &printed)?;
    let maker = match why {
        NotLocated::Quickcheck { .. } => "quickcheck",
        _ => "`proptest!`",
    };
    session.warn(format!(
        "`{}` is a {maker} property: the failing values it found become the plain test `{}`",
        chosen.test, derived.plain
    ));
    let subject = Subject::of_derived(session, chosen.target(), derived)?;
    Ok((subject, signature))
}

/// The inputs of the plain test that a macro of the crate's own makes.
///
/// # Errors
/// When it holds nothing to reduce.
pub fn macro_subject(
    session: &Session,
    chosen: &Chosen,
    sources: &Sources,
    made: MacroTest,
) -> Result<Subject> {
    let name = made.name.clone();
    let derived = Derived::of_macro(&sources.krate, &chosen.test, made)
        .ok_or_else(|| Failure::error("the path of the test's file is not UTF-8"))?;
    session.warn(format!(
        "`{name}!` is expanded for `{}` into the plain test `{}`",
        chosen.test, derived.plain
    ));
    Subject::of_derived(session, chosen.target(), derived)
}

/// Sees a test fail that a macro of the crate's own makes, and the plain test that is made of it fail
/// with the same words.
///
/// # Errors
/// When there is no failure to reduce, or the plain test has another.
pub fn start_macro(
    session: &Session,
    chosen: &Chosen,
    sources: &Sources,
    made: MacroTest,
) -> Result<Start> {
    let job = chosen.job(&chosen.binary, &session.config.test_args);
    let (baseline, signature) = see_failing(session, &job, chosen.runner, &chosen.test)?;
    let is_reworded = made.is_reworded;
    let subject = macro_subject(session, chosen, sources, made)?;
    let start = start(session, subject, Some(chosen), None)?;
    let matcher = Matcher::new(Match::Message, signature.clone());
    let shown = &start.original.signature;
    match &start.subject.derived {
        Some(derived) if baseline.is_stable() && !is_reworded && !matcher.matches(shown) => {
            Err(derived
                .unusable(&format!("that fails with {shown}, the test itself with {signature}")))
        }
        _ => Ok(start),
    }
}

/// Sees the test fail with both sides of the `assert!(a == b)` shown in which it fails; `None` where that is not what fails, or
/// the values cannot be shown, or another rule was asked for.
///
/// # Errors
/// When the user interrupts.
pub fn start_showing_both_sides(
    session: &Session,
    chosen: &Chosen,
    subject: &Subject,
    signature: &Signature,
) -> Result<Option<Start>> {
    let is_plain = subject.runner == TestRunner::Libtest && subject.located.test == subject.test;
    if !is_plain || session.config.control.match_rule.is_some() {
        return Ok(None);
    }
    let Some(subject) = showing_both_sides(session, subject, signature) else { return Ok(None) };
    let asserted = subject
        .failed_at(signature)
        .and_then(|(file, offset)| subject.krate.asserted_in(file, offset));
    let rule = match asserted {
        _ if session.config.control.passes_with.is_some() => Match::default(),
        Some(Asserted::Values(Some(_))) => Match::Difference,
        _ => Match::Relation,
    };
    let subject = subject.reading_inputs(&session.config, Some((signature, &rule)));
    match subject.and_then(|subject| start(session, subject, Some(chosen), Some(rule))) {
        Err(failure) if failure.status == Status::Interrupted => Err(failure),
        start => Ok(start.ok()),
    }
}

/// The test with `assert_eq!(a, b)` in the place of the `assert!(a == b)` that fails, which shows nothing of what it
/// compares; `None` if it fails elsewhere.
fn showing_both_sides(
    session: &Session,
    subject: &Subject,
    signature: &Signature,
) -> Option<Subject> {
    let (file, offset) = subject.failed_at(signature)?;
    if file != subject.located.file
        || !subject.krate.is_test_code_at(subject.test_code(), file, offset)
    {
        return None;
    }
    let edits = subject.krate.showing_both_sides(file, offset)?;
    let derived = Derived::with(&subject.krate, &subject.test, file, edits)?;
    let shown = Subject::derived_without_inputs(session, subject.target.clone(), derived).ok()?;
    let found = FoundInputs { opened: subject.found.opened.clone(), ..FoundInputs::default() };
    Some(Subject { found, unreduced: subject.unreduced.clone(), ..shown })
}

/// Runs the property test once; it may not write, since it would add to the user's regression file.
fn run_property(session: &Session, chosen: &Chosen) -> Result<(Signature, String)> {
    let folders = RunFolders::new(&session.config)?;
    let mut job = chosen.job(&chosen.binary, &session.config.test_args);
    job.limits.time = session.config.control.timeout;
    let confined = session.config.sandbox.confine(job, Access::keeping([folders.open()]));
    let finished = confined.run(&session.interrupt)?;
    match chosen.runner.interpret(&finished, &chosen.test) {
        Verdict::Failed(signature) => Ok((signature, finished.stderr.text())),
        Verdict::Passed => Err(Failure::new(
            Status::NotFailing,
            format!("`{}` passes: there is no failure to reduce", chosen.test),
        )
        .hint("its values are random: run the command again, or keep proptest's regression file")),
        Verdict::NotRun => {
            Err(Failure::error(format!("the test binary does not run `{}`", chosen.test)))
        }
    }
}

/// Takes the failing values of a property test, and makes a plain test of them.
///
/// # Errors
/// When the property holds, or its values do not fail in a plain test.
pub fn start_property(
    session: &Session,
    chosen: &Chosen,
    krate: &Crate,
    why: &NotLocated,
) -> Result<Start> {
    let (subject, property) = property_subject(session, chosen, krate, why)?;
    let start = start(session, subject, Some(chosen), None).map_err(|failure| {
        failure.hint(format!("the plain test uses the values with which `{}` failed", chosen.test))
    })?;
    let reason = failed_property(&property.message);
    let shown = &start.original.signature;
    if !is_told_by(reason, shown) {
        session.warn(format!(
            "the plain test fails with {shown}, but the property fails with: {reason}"
        ));
    }
    Ok(start)
}

/// Whether the words of proptest tell of that failure: assertions are worded in another way.
fn is_told_by(reason: &str, shown: &Signature) -> bool {
    let message = shown.message.lines().next().unwrap_or_default();
    let is_assertion = |text: &str| text.starts_with("assertion ");
    reason.contains(message) || (is_assertion(reason) && is_assertion(message))
}

/// Builds the probe of the plain test, and sees it fail there with its inputs unchanged: a build of the
/// plain test itself would tell no more. Another version may have to pass where the test is made of a `chosen` one. The
/// inputs may have been read for a failure to be met in that way.
fn start(
    session: &Session,
    subject: Subject,
    chosen: Option<&Chosen>,
    read_for: Option<Match>,
) -> Result<Start> {
    let results = results(session, subject.users_test())?;
    let scratch = session.copy(&results, SCRATCH)?;
    let copy_of = |chosen| copy_with_other(session, chosen, &results, true);
    let other = chosen.map(copy_of).transpose()?.flatten();
    session.stage("Building", format!("the probe of the plain test `{}`", subject.test));
    let probe =
        build_probe(session, &subject, &scratch).map_err(|failure| unusable(&subject, failure))?;
    let other = OtherProbe::in_copy(session, &subject, other)?;
    ProbedTest { subject, results, scratch, probe, other, read_for }.see(session)
}

/// A plain test with its probe, before it is seen to fail.
pub struct ProbedTest {
    /// The test.
    pub subject: Subject,
    /// Where its result goes.
    pub results: ResultFolder,
    /// Where it is changed.
    pub scratch: Scratch,
    /// Its probe.
    pub probe: Probe,
    /// The same with the version of a package with which it has to pass.
    pub other: Option<OtherProbe>,
    /// How the failure is to be met that the inputs were read for, if they were for one.
    pub read_for: Option<Match>,
}

impl ProbedTest {
    /// Sees the plain test fail in its probe.
    ///
    /// # Errors
    /// When it does not, or not always.
    pub fn see(self, session: &Session) -> Result<Start> {
        let ProbedTest { mut subject, results, scratch, mut probe, mut other, read_for } = self;
        let job = subject.runner.job(&probe.binary, &subject.test, &session.config.test_args);
        let (baseline, shown) = see_failing(session, &job, subject.runner, &subject.test)?;
        if other.is_some() && !baseline.is_stable() {
            return Err(needs_stable_test());
        }
        let signature = without_the_probe(&subject, &probe, &shown);
        let seen = subject.as_the_user_sees(&signature);
        tell_failure(session, subject.users_test(), &subject.target.package, &seen);
        let rule = rule_for(session, &subject, &signature);
        let failure = (&signature, &rule);
        let is_expected = matches!(rule, Match::Difference);
        let is_read_again = match read_for {
            Some(read_for) => matches!(read_for, Match::Difference) != is_expected,
            None => is_expected || subject.passes_checks_before(&session.config, failure),
        };
        if is_read_again {
            subject = subject.reading_inputs(&session.config, Some(failure))?;
            session.stage(
                "Building",
                "the probe again, with what only the failure tells of the inputs",
            );
            probe = build_probe(session, &subject, &scratch)?;
            let copy = other.map(|it| (it.scratch, it.version));
            other = OtherProbe::in_copy(session, &subject, copy)?;
        }
        let original = Original::new(signature, rule, baseline);
        let start = Start {
            subject,
            results,
            scratch,
            probe,
            original,
            other,
            crossing: Crossing::default(),
        };
        start.with_call(session, None)?.observing(session)
    }
}

/// The failure that the probe showed, as the plain test shows it.
fn without_the_probe(subject: &Subject, probe: &Probe, shown: &Signature) -> Signature {
    let mut signature = subject.mapped_back(shown, &probe.rewritten.files);
    let asserted = subject
        .failed_at(&signature)
        .and_then(|(file, offset)| subject.krate.asserted(file, offset));
    if let (true, Some(condition)) = (signature.message.starts_with(ASSERTION), asserted) {
        signature.message = format!("{ASSERTION}{condition}");
    }
    signature
}

/// The plain test cannot be built, with or without a probe.
fn unusable(subject: &Subject, failure: Failure) -> Failure {
    match &subject.derived {
        Some(derived) if failure.status == Status::Error => derived.unusable(&failure.message),
        _ => failure,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::signature::FailureKind;

    #[test]
    fn proptest_tells_of_a_panic_in_its_words_and_of_an_assertion_in_its_own() {
        let shown = |message: &str| Signature::new(FailureKind::Panic, message);
        assert!(is_told_by("attempt to add with overflow", &shown("attempt to add with overflow")));
        assert!(is_told_by(
            "assertion failed: `(left == right)`",
            &shown("assertion `left == right` failed\n  left: 1\n right: 2")
        ));
        assert!(!is_told_by("attempt to add with overflow", &shown("index out of bounds")));
    }
}
