//! The test that the user asks for: one of a built binary, or a documentation test.

use camino::Utf8PathBuf;

use super::session::Session;
use crate::exec::Job;
use crate::oracle::runner::TestRunner;
use crate::project::{TestBinary, TestTarget};
use crate::source::DocTestName;

/// A test of a built binary.
#[derive(Debug, Clone)]
pub struct Chosen {
    /// The binary.
    pub binary: TestBinary,
    /// The test's name.
    pub test: String,
    /// The package's name.
    pub package: String,
    /// What runs it.
    pub runner: TestRunner,
}

impl Chosen {
    /// A run of it in this build of its target.
    pub fn job(&self, binary: &TestBinary, more: &[String]) -> Job {
        self.runner.job(binary, &self.test, more)
    }

    /// The target that holds it.
    pub fn target(&self) -> TestTarget {
        TestTarget {
            package: self.package.clone(),
            manifest_path: self.binary.manifest_path.clone(),
            choice: self.binary.choice.clone(),
            src_path: self.binary.src_path.clone(),
            is_on_demand: false,
        }
    }
}

/// A documentation test.
#[derive(Debug, Clone)]
pub struct ChosenDocTest {
    /// Its name, as rustdoc shows it.
    pub test: String,
    /// The package's name.
    pub package: String,
    /// The package's manifest.
    pub manifest_path: Utf8PathBuf,
    /// The file that holds it.
    pub source: Utf8PathBuf,
    /// The line of its opening fence, from 1.
    pub line: usize,
}

impl ChosenDocTest {
    /// The test that rustdoc shows under this name among those of `target`; `None` if its file is not found.
    pub(super) fn new(session: &Session, target: &TestTarget, name: &str) -> Option<Self> {
        let parsed = DocTestName::parse(name)?;
        let package = target.manifest_path.parent()?;
        // rustdoc names files as rustc does: relative to the workspace's root.
        let source = [session.workspace.root(), package]
            .map(|folder| folder.join(parsed.path))
            .into_iter()
            .find(|path| path.is_file())?;
        Some(ChosenDocTest {
            test: name.to_owned(),
            package: target.package.clone(),
            manifest_path: target.manifest_path.clone(),
            source,
            line: parsed.line,
        })
    }
}

/// A test that the user wants to be reduced.
#[derive(Debug, Clone)]
pub enum Wanted {
    /// A test of a built binary.
    Built(Chosen),
    /// A documentation test, which rustdoc builds.
    Doc(ChosenDocTest),
    /// That one of several documentation tests which fails.
    OneOf(DocTests),
}

/// Documentation tests of a package whose names contain what the user typed.
#[derive(Debug, Clone)]
pub struct DocTests {
    /// What the user typed.
    pub typed: String,
    /// The tests, at least two.
    pub tests: Vec<ChosenDocTest>,
}

impl Wanted {
    /// The test as the user knows it.
    pub fn name(&self) -> &str {
        match self {
            Wanted::Built(chosen) => &chosen.test,
            Wanted::Doc(chosen) => &chosen.test,
            Wanted::OneOf(tests) => &tests.typed,
        }
    }

    /// The options that select its package and target.
    pub(super) fn target_args(&self) -> String {
        match self {
            Wanted::Built(chosen) => {
                format!("-p {} {}", chosen.package, chosen.binary.choice.args().join(" "))
            }
            Wanted::Doc(chosen) => format!("-p {} --doc", chosen.package),
            Wanted::OneOf(_) => "--doc".to_owned(),
        }
    }
}
