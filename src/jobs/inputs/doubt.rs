//! Whether the regression test may fail with correct code, too.
//!
//! A crash in the code under test is a bug whatever the input. But where the test itself says that something is
//! wrong, it says so of the original inputs: whether it would be wrong for the reduced ones, too, a judge has to know.

use std::sync::Arc;

use super::origin::Derived;
use super::search::Unsettled;
use super::start::Original;
use super::subject::Subject;
use crate::app::config::{Config, Goal};
use crate::app::session::Session;
use crate::oracle::signature::{FailureKind, Match, Signature};
use crate::reduce::inputs::{Body, Inputs, Node};
use crate::source::{Asserted, FileIndex};

/// How the messages of snapshots begin that differ.
const SNAPSHOT: &str = "snapshot assertion for ";

/// Why the test may fail with correct code, too, and what would settle it; `None` where that is known, or cannot be.
pub fn doubt(
    session: &Session,
    config: &Config,
    subject: &Subject,
    original: &Original,
    best: &Inputs,
) -> Option<String> {
    if config.control.passes_with.is_some() || *best == subject.found.inputs {
        return None;
    }
    if original.is_unsettled(config, subject) && subject.has_only_lost_checks(original, best) {
        return None;
    }
    let why = open_question(subject, &original.signature)?;
    let command = command(subject);
    Some(match judge(session, subject) {
        (judge, None) => format!(
            "{why}; `{command} --passes-with {judge}` settles it, if that version has not got the bug"
        ),
        (judge, Some(names)) => format!(
            "{why}; `{command} --passes-with {judge}` settles it with a version that has not got the bug of {names}"
        ),
    })
}

/// What says what right means: another version of the package that may have the bug, and what else that may be.
fn judge(session: &Session, subject: &Subject) -> (String, Option<String>) {
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

impl Original {
    /// Whether the test says of its inputs that something is wrong, and nobody says what is right for others.
    pub fn is_unsettled(&self, config: &Config, subject: &Subject) -> bool {
        let control = &config.control;
        let is_free = control.match_rule.is_some() || control.passes_with.is_some();
        let is_of_property = subject.derived.as_ref().is_some_and(Derived::is_of_property);
        !is_free
            && !is_of_property
            && config.goal == Goal::Minimize
            && !matches!(self.rule, Match::Relation)
            && self.signature.kind != FailureKind::ShouldPanic
            && open_question(subject, &self.signature).is_some()
    }
}

impl Subject {
    /// Whether these inputs are the original ones, but for checks beside the one that fails.
    fn has_only_lost_checks(&self, original: &Original, best: &Inputs) -> bool {
        let checks = self.unsettled(&original.signature).checks;
        let mut whole = best.clone();
        for id in checks {
            if let Some(all) = self.found.inputs.get(id) {
                let is_left = |node: &Arc<Node>| all.children().contains(node);
                let left = best.get(id).is_some_and(|left| left.children().iter().all(is_left));
                whole = if left { whole.replace(id, all.body.clone()) } else { whole };
            }
        }
        whole == self.found.inputs
    }

    /// What is no value among the inputs of a test that says of these that something is wrong.
    pub(super) fn unsettled(&self, failure: &Signature) -> Unsettled {
        let found = &self.found;
        let place = place_in_test(self, failure);
        let tables = place.map_or_else(Vec::new, |(file, offset)| {
            let tables = self.krate.tables_around(file, offset).into_iter();
            tables.map(|range| (file, range)).collect()
        });
        let is_table = |node: &Node| {
            let place = found.place(node.id);
            let is_seq = matches!(node.body, Body::Seq(_));
            is_seq && tables.contains(&(place.file, place.range()))
        };
        let tables = found.inputs.nodes().filter(|node| is_table(node)).map(|node| node.id);
        Unsettled {
            checks: tables.chain(found.passed.iter().copied()).collect(),
            files: found.opened.roots.iter().copied().collect(),
        }
    }
}

/// What nobody has said of other inputs than the test has.
pub fn open_question(subject: &Subject, failure: &Signature) -> Option<&'static str> {
    match failure.kind {
        FailureKind::Error => {
            return Some(
                "nobody has said that correct code returns no error for the reduced inputs",
            );
        }
        FailureKind::ShouldPanic => {
            return Some("nobody has said that correct code panics for the reduced inputs");
        }
        FailureKind::Panic if failure.message.starts_with(SNAPSHOT) => {
            return Some("the snapshot is that of the original inputs");
        }
        FailureKind::Panic => {}
        _ => return None,
    }
    let (file, offset) = place_in_test(subject, failure)?;
    match subject.krate.asserted_in(file, offset) {
        Some(Asserted::Values(None) | Asserted::Relation) => None,
        Some(Asserted::Values(Some(_))) => {
            Some("nobody has said that the expected value is right for the reduced inputs")
        }
        Some(Asserted::Inequality) => {
            Some("nobody has said that both sides have to differ for the reduced inputs")
        }
        Some(Asserted::Condition) => {
            Some("nobody has said that the asserted condition has to hold for the reduced inputs")
        }
        None => Some("nobody has said that the test can go on with the reduced inputs"),
    }
}

/// Whether it is the code under test that fails, and no test that says it does wrong.
pub(super) fn is_crash(subject: &Subject, failure: &Signature) -> bool {
    match failure.kind {
        FailureKind::Error | FailureKind::ShouldPanic => false,
        FailureKind::Panic => {
            !failure.message.starts_with(SNAPSHOT) && place_in_test(subject, failure).is_none()
        }
        _ => true,
    }
}

/// Where in the code of tests it fails, if it does so there.
fn place_in_test(subject: &Subject, failure: &Signature) -> Option<(FileIndex, usize)> {
    let (file, offset) = subject.offset_of(failure.location.as_ref()?)?;
    subject.krate.is_test_code_at(subject.test_code(), file, offset).then_some((file, offset))
}

/// The command that reduces this test.
pub(super) fn command(subject: &Subject) -> String {
    let mut words = vec!["cargo".to_owned(), "reduce".to_owned()];
    words.extend(subject.target.choice.args());
    words.push(subject.users_test().to_owned());
    shell_words::join(words)
}
