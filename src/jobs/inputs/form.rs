//! What a regression test is: the better it can be kept apart from the original, the better.

use super::subject::Subject;
use crate::oracle::runner::TestRunner;
use crate::project::{TargetKind, finds_tests};

/// What the regression test is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A test file.
    OwnFile,
    /// A function beside the original.
    Beside,
    /// The original itself, with the smaller inputs.
    Original,
}

impl Form {
    /// The one to try first: a file of its own among the package's integration tests, if the test is one and
    /// cargo finds new ones by itself.
    pub fn first(subject: &Subject) -> Self {
        if subject.is_trial() {
            return Form::Original;
        }
        let has_own_file = subject.target.choice.kind == TargetKind::Test
            && finds_tests(&subject.target.manifest_path);
        if has_own_file { Form::OwnFile } else { Form::Beside }
    }

    /// What runs it.
    pub fn runner(self, subject: &Subject) -> TestRunner {
        match self {
            Form::Original => subject.runner,
            Form::OwnFile | Form::Beside => TestRunner::Libtest,
        }
    }

    /// The one to try where this one does not show the failure.
    pub fn next(self, subject: &Subject) -> Option<Self> {
        match self {
            Form::OwnFile if subject.doc_test().is_none() => Some(Form::Beside),
            Form::OwnFile | Form::Beside => Some(Form::Original),
            Form::Original => None,
        }
    }
}

impl std::fmt::Display for Form {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Form::OwnFile => "a separate test file",
            Form::Beside => "a test beside the original",
            Form::Original => "the original test with smaller inputs",
        })
    }
}
