//! Whether the regression test may fail with correct code, too.
//!
//! A crash in the code under test is a bug whatever the input. But where the test itself says that something is
//! wrong, it says so of the original inputs: whether it would be wrong for the reduced ones, too, a judge has to know.

use std::fs;

use super::newer::newer;
use super::origin::Derived;
use super::start::Original;
use super::subject::Subject;
use crate::app::session::Session;
use crate::oracle::signature::{FailureKind, Signature, sides};
use crate::reduce::inputs::Inputs;
use crate::rust::function_around;
use crate::source::{Asserted, Compared, FileIndex};

/// How the messages of snapshots begin that differ.
const SNAPSHOT: &str = "snapshot assertion for ";

const ERROR: &str = "correct code may return an error for the reduced inputs, too";
const CONDITION: &str =
    "the asserted condition may be false for the reduced inputs even in correct code";

/// Why the test may fail with correct code, too, and what would settle it; `None` where that is known, or cannot be.
pub fn doubt(
    session: &Session,
    subject: &Subject,
    original: &Original,
    best: &Inputs,
) -> Option<String> {
    if session.config.control.passes_with.is_some() || *best == subject.found.inputs {
        return None;
    }
    if original.is_unsettled(&session.config, subject)
        && subject.has_only_lost_checks(original, best)
    {
        return None;
    }
    if subject.derived.as_ref().is_some_and(Derived::holds_for_all) {
        return None;
    }
    let why = open_question(subject, &original.signature)?;
    let command = command(subject);
    Some(match judge(session, subject, original) {
        (judge, None) => format!(
            "{why}; `{command} --passes-with {judge}` settles it, if that version does not have the bug"
        ),
        (judge, Some(names)) => format!(
            "{why}; `{command} --passes-with {judge}` settles it, with a version of {names} that does not have the bug"
        ),
    })
}

/// What says what right means: another version of the package that may have the bug, and what else that may be.
fn judge(session: &Session, subject: &Subject, original: &Original) -> (String, Option<String>) {
    if let Some(newer) = newer(session, subject, original) {
        return (newer, None);
    }
    let manifest = &subject.target.manifest_path;
    let foreign = session.workspace.foreign_dependencies(manifest);
    let foreign: Vec<String> = foreign.into_iter().collect();
    match foreign.as_slice() {
        [] => {
            let package = &subject.target.package;
            (format!("{package}@REVISION"), Some(format!("`{package}`")))
        }
        [only] => (format!("{only}@newest"), None),
        several => ("NAME@newest".to_owned(), Some(format!("one of `{}`", several.join("`, `")))),
    }
}

/// What nobody has said of other inputs than the test has.
pub fn open_question(subject: &Subject, failure: &Signature) -> Option<&'static str> {
    match failure.kind {
        FailureKind::Error => return Some(ERROR),
        FailureKind::ShouldPanic => {
            return Some("correct code may not panic for the reduced inputs either");
        }
        FailureKind::Panic if failure.shows_panic() => return None,
        FailureKind::Panic if is_snapshot(failure) => {
            return Some("the snapshot belongs to the original inputs");
        }
        FailureKind::Panic => {}
        _ => return None,
    }
    let Some((file, offset)) = place_in_test(subject, failure) else {
        return asserts_for_test(subject, failure).then_some(CONDITION);
    };
    if subject.found.compared == Compared::ForSome {
        return Some("for the reduced inputs, both sides may differ in correct code, too");
    }
    match subject.krate.asserted_in(file, offset) {
        Some(Asserted::Values(None) | Asserted::Relation) if is_refusal(failure) => Some(ERROR),
        Some(Asserted::Values(None) | Asserted::Relation)
            if subject.found.compared != Compared::Expected =>
        {
            None
        }
        Some(Asserted::Values(_) | Asserted::Relation) => {
            Some("the expected value may be wrong for the reduced inputs")
        }
        Some(Asserted::Inequality) => {
            Some("correct code may return equal values for the reduced inputs, too")
        }
        Some(Asserted::Condition | Asserted::Shown | Asserted::Bound) => Some(CONDITION),
        None => Some("the test may stop here with the reduced inputs even if the code is correct"),
    }
}

/// Whether two sides should be equal, and one of them is an error where the other is none.
pub fn is_refusal(failure: &Signature) -> bool {
    let is_error = |side: &str| side.starts_with("Err(");
    sides(&failure.message).is_some_and(|(left, right)| is_error(left) != is_error(right))
}

/// Whether it is a snapshot that differs. Some libraries say so by themselves, and then panic without a word.
fn is_snapshot(failure: &Signature) -> bool {
    let is_silent = failure.message.is_empty() && failure.location.is_none();
    is_silent || failure.message.starts_with(SNAPSHOT)
}

/// Whether it is the code under test that fails, and no test that says it does wrong.
pub(super) fn is_crash(subject: &Subject, failure: &Signature) -> bool {
    match failure.kind {
        FailureKind::Error | FailureKind::ShouldPanic => false,
        FailureKind::Panic if failure.shows_panic() => true,
        FailureKind::Panic => {
            !is_snapshot(failure)
                && place_in_test(subject, failure).is_none()
                && !asserts_for_test(subject, failure)
        }
        _ => true,
    }
}

/// Whether it fails outside of the code of tests in a function like `assert_equal`, by which a test says that something is
/// wrong.
fn asserts_for_test(subject: &Subject, failure: &Signature) -> bool {
    let Some(location) = &failure.location else { return false };
    let Ok(text) = fs::read_to_string(subject.root.join(&location.file)) else { return false };
    let function = location.offset_in(&text).and_then(|place| function_around(&text, place));
    function.is_some_and(|name| name.starts_with("assert"))
}

/// Where in the code of tests it fails, if it does so there.
pub fn place_in_test(subject: &Subject, failure: &Signature) -> Option<(FileIndex, usize)> {
    let (file, offset) = subject.failed_at(failure)?;
    subject.krate.is_test_code_at(subject.test_code(), file, offset).then_some((file, offset))
}

/// The command that reduces this test.
pub(super) fn command(subject: &Subject) -> String {
    let mut words = vec!["cargo".to_owned(), "reduce".to_owned()];
    words.extend(subject.target.choice.args());
    words.push(subject.users_test().to_owned());
    shell_words::join(words)
}
